-- kind: expand
-- Browsers in which a person has signed in: wrong passwords of others at the same address do not lock them out. Rows
-- are seen by nobody, have no audit, are deleted with the person, by a new password and after 180 days; only signing in
-- writes them, ten a person at most. Only the hash of the cookie is stored.
-- step
create table known_device (
  token_hash bytea primary key,
  staff integer not null references staff on delete cascade,
  used_at timestamptz not null default now()
);
create index known_device_staff on known_device (staff, used_at desc);
-- Files that belong to no record yet, which are counted for each person.
-- step: concurrently
create index concurrently files_unattached on files (created_by) where record is null;
