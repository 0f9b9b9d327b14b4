-- kind: expand
-- The servers' role may only insert and read events of the audit. What has to be removed or moved goes through functions of
-- the role that migrates, and each removal leaves a row in audit_removals, which no server can change. Where the servers
-- own the tables, as on the embedded database, these rights bind nobody, and Health says so.
--
-- audit_removals: how many events were removed, why and when. Administrators see it in Health; not audited, kept by a purge
-- and a merge, because it names no person; exported; kept for ever; written by the functions below alone; one row a
-- removal.
-- audit_outbox: events that AUDIT_URL has not got yet, by id; read by the servers alone, not audited, gone once sent, with
-- its event after a purge; neither exported nor imported; bounded by the audit.
-- audit_stream: a row while AUDIT_URL is set: which server sends, and what went wrong last. As audit_outbox, but one row.
-- step
create table audit_removals (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  reason text not null,
  events bigint not null
);
create table audit_outbox (
  event bigint primary key,
  at timestamptz not null
);
create table audit_stream (
  id integer primary key check (id = 1),
  run_at timestamptz not null default now(),
  worker uuid,
  leased_until timestamptz,
  attempts integer not null default 0,
  last_error text,
  sent_at timestamptz
);

create function queue_audit_events() returns trigger language plpgsql as $$
begin
  if exists (select from audit_stream) then
    insert into audit_outbox (event, at) select id, at from added on conflict do nothing;
  end if;
  return null;
end $$;

create function note_audit_removal(reason text, events bigint) returns void language sql as $$
  insert into audit_removals (reason, events) select reason, events where events > 0
$$;

-- Events of records that are purged, by their ids.
create function purge_audit_events(of_entity text, of_records integer[]) returns void
language plpgsql security definer set search_path from current as $$
declare
  gone bigint;
begin
  delete from audit where entity = of_entity and record = any(of_records);
  get diagnostics gone = row_count;
  perform note_audit_removal('purge of ' || of_entity, gone);
end $$;

-- Events of everything below clients, cases or issues that are purged.
create function purge_audit_events_below(level text, numbers integer[]) returns void
language plpgsql security definer set search_path from current as $$
declare
  gone bigint;
begin
  delete from audit where case level when 'client' then client when 'case' then "case" when 'issue' then issue end
    = any(numbers);
  get diagnostics gone = row_count;
  perform note_audit_removal('purge below ' || level, gone);
end $$;

-- The texts of searches, which a purge does not find.
create function clear_searches(older_than_days integer) returns void
language plpgsql security definer set search_path from current as $$
declare
  cleared bigint;
begin
  update audit set changes = null
    where action = 'search' and changes is not null and at < now() - make_interval(days => older_than_days);
  get diagnostics cleared = row_count;
  perform note_audit_removal('texts of old searches', cleared);
end $$;

-- Partitions that can only have events older than so many whole years; returns their names.
create function drop_audit_years(years integer, until_time timestamptz) returns table (name text, until timestamptz)
language plpgsql security definer set search_path from current as $$
declare
  gone bigint;
begin
  if years < 1 then raise exception 'the audit is kept for a year at least'; end if;
  for name, until in select p.name, p.until from audit_partitions() p
    where p.until <= until_time - make_interval(years => years) order by p.until
  loop
    execute format('select count(*) from %I', name) into gone;
    execute format('drop table if exists %I', name);
    perform note_audit_removal(format('years of %s and before', extract(year from until - interval '1 day')), gone);
    return next;
  end loop;
end $$;

-- Where the events of an entry stand after it was moved to another issue; the move has an event of its own.
create function place_audit_events(of_entity text, of_record integer, to_client integer, to_case integer, to_issue integer)
returns void language sql security definer set search_path from current as $$
  update audit set client = to_client, "case" = to_case, issue = to_issue
  where entity = of_entity and record = of_record and action <> 'move away'
$$;

-- Leaves roles other than the owner's only inserting and reading.
create function protect_audit() returns void language plpgsql as $$
declare
  granted record;
begin
  for granted in
    select c.oid::regclass as of_table, a.grantee::regrole as role, c.relname like 'audit\_removals' as is_trace
    from pg_class c, aclexplode(c.relacl) a
    where a.grantee <> c.relowner and a.grantee <> 0 and c.relkind in ('r', 'p')
      and (c.relname in ('audit', 'audit_removals') or exists (
        select from pg_inherits i where i.inhrelid = c.oid and i.inhparent = 'audit'::regclass))
    group by 1, 2, 3
  loop
    execute format('revoke update, delete, truncate on %s from %s', granted.of_table, granted.role);
    if granted.is_trace then execute format('revoke insert on %s from %s', granted.of_table, granted.role); end if;
  end loop;
end $$;

-- New partitions begin with the default rights of tables.
create or replace function add_audit_years() returns void language plpgsql as $$
declare
  year integer;
begin
  foreach year in array missing_audit_years() loop
    execute format('create table %I partition of audit for values from (%L) to (%L)',
      'audit_' || year, audit_year_start(year), audit_year_start(year + 1));
  end loop;
  perform protect_audit();
end $$;
-- step
create trigger audit_queue after insert on audit referencing new table as added
  for each statement execute function queue_audit_events();
-- step
select protect_audit();
