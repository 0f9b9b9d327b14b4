-- kind: expand
-- The content of a file may lie in an object storage: under a key of its own, with the hash that it must have.

alter table files alter column content drop not null,
  add storage_key uuid,
  add sha256 bytea,
  add constraint files_content check ((content is null) <> (storage_key is null)),
  add constraint files_sha256 check (storage_key is null or sha256 is not null);
create unique index files_storage_key on files (storage_key) where storage_key is not null;

-- Keys that no file has any more: a job removes their objects. Purges delete files in SQL, so a trigger notes them.
create table removed_contents (
  key uuid primary key,
  removed_at timestamptz not null default now()
);
create index removed_contents_removed_at on removed_contents (removed_at);

create function note_removed_content() returns trigger language plpgsql as $$
begin
  insert into removed_contents (key) values (old.storage_key) on conflict do nothing;
  return null;
end
$$;
create trigger files_deleted after delete on files for each row
  when (old.storage_key is not null) execute function note_removed_content();
create trigger files_moved after update of storage_key on files for each row
  when (old.storage_key is not null and old.storage_key is distinct from new.storage_key)
  execute function note_removed_content();

-- An object storage notes the installation whose files it holds, so that no other one removes them.
create table installation (id uuid primary key default gen_random_uuid());
insert into installation default values;
