-- kind: expand
-- The audit gets its yearly partitions late, too: rows that went to audit_other meanwhile are moved into them.
--
-- PostgreSQL attaches no partition while audit_other has rows of it. So all rows of audit_other are copied, in short
-- transactions, to audit_moving, which is partitioned as the audit is to be; a trigger mirrors what is written meanwhile.
-- Then one short transaction exchanges audit_other for the partitions of audit_moving. Until then queries read only
-- audit_other, afterwards only the partitions: each row is seen once.

create function audit_partitions() returns table (name text, since timestamptz, until timestamptz)
language sql stable as $$
  select c.relname, coalesce(substring(bound from 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity'),
    substring(bound from 'TO \(''([^'']+)''\)')::timestamptz
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) bound
  where i.inhparent = 'audit'::regclass and bound <> 'DEFAULT'
$$;

-- The end of the partitions that follow one another from now on; if none is for now, of the last one before.
create function audit_partitioned_until() returns timestamptz language sql stable as $$
  with ends as (
    select until from audit_partitions() where until not in (select since from audit_partitions())
  )
  select coalesce(
    case when exists (select from audit_partitions() where since <= now() and until > now())
      then (select min(until) from ends where until > now()) end,
    (select max(until) from ends where until <= now()),
    audit_year_start(extract(year from now() at time zone 'UTC')::integer))
$$;

-- This year, the next one, and earlier ones that audit_other has rows of, without those that have a partition. With the
-- rights of its owner: the servers may read the audit only, not its partitions.
create function missing_audit_years() returns integer[] language sql stable security definer
set search_path from current as $$
  with this as (select extract(year from now() at time zone 'UTC')::integer as year),
  needed as (
    select year from this union select year + 1 from this
    union select extract(year from at at time zone 'UTC')::integer from audit_other
  )
  select coalesce(array_agg(n.year order by n.year), '{}') from needed n, this
  where n.year <= this.year + 1 and not exists (
    select from audit_partitions() p
    where p.since < audit_year_start(n.year + 1) and p.until > audit_year_start(n.year))
$$;

create or replace function add_audit_years() returns void language plpgsql as $$
declare
  year integer;
begin
  foreach year in array missing_audit_years() loop
    execute format('create table %I partition of audit for values from (%L) to (%L)',
      'audit_' || year, audit_year_start(year), audit_year_start(year + 1));
  end loop;
end $$;

-- The columns of a table that are copied, those of the audit in its order.
create function audit_columns(of_table regclass) returns text language sql stable as $$
  select string_agg(quote_ident(attname), ', ' order by attname) from pg_attribute
  where attrelid = of_table and attnum > 0 and not attisdropped and attgenerated = ''
$$;

-- A trigger of audit_other while it is moved. With the rights of its owner: the servers may write rows of the audit only.
create function mirror_audit_row() returns trigger language plpgsql security definer set search_path from current as $$
begin
  if tg_op <> 'INSERT' then delete from audit_moving where id = old.id and at = old.at; end if;
  if tg_op <> 'DELETE' then
    execute format('insert into audit_moving (%1$s) select %1$s from (select $1.*) r on conflict do nothing',
      audit_columns('audit_moving')) using new;
  end if;
  return null;
end $$;

-- Begins a move, or goes on with one that was cut off; returns its identity, null if another one has just ended it. The lock lets writers end first, so that the
-- trigger misses no row.
create function begin_audit_move() returns oid language plpgsql set lock_timeout = '500ms' as $$
declare
  year integer;
begin
  lock table audit_other in share row exclusive mode;
  if missing_audit_years() = '{}' then return null; end if;
  if audit_columns(to_regclass('audit_moving')) = audit_columns('audit') and missing_audit_years() <@ array(
      select substring(inhrelid::regclass::text from '\d+$')::integer from pg_inherits
      where inhparent = to_regclass('audit_moving')) then
    return to_regclass('audit_moving');
  end if;
  drop trigger if exists audit_mirror on audit_other;
  drop table if exists audit_moving;
  create table audit_moving (like audit including defaults including generated including indexes)
    partition by range (at);
  create table audit_moving_other partition of audit_moving default;
  foreach year in array missing_audit_years() loop
    -- By the constraint the partition is attached to the audit without a scan.
    execute format('create table %1$I partition of audit_moving (constraint in_year check (at >= %2$L and at < %3$L))
      for values from (%2$L) to (%3$L)', 'audit_' || year, audit_year_start(year), audit_year_start(year + 1));
  end loop;
  create trigger audit_mirror after insert or update or delete on audit_other
    for each row execute function mirror_audit_row();
  -- Bulk loads switch triggers off.
  alter table audit_other enable always trigger audit_mirror;
  return 'audit_moving'::regclass;
end $$;

-- Copies the next rows of audit_other up to an id, and returns the id to go on after: null if there are no more, or if
-- another one has ended the move. The share lock lets a deletion of a row come before or after, never between; the
-- timeout is less than deadlock_timeout, so that of both in a deadlock this gives up.
create function copy_audit_rows(move oid, after_id bigint, until_id bigint, count integer) returns bigint
language plpgsql set lock_timeout = '500ms' as $$
declare
  last_id bigint;
begin
  if to_regclass('audit_moving') is distinct from move::regclass then return null; end if;
  select max(id) into last_id from (
    select id from audit_other where id > after_id and id <= until_id order by id limit count
  ) next;
  execute format('insert into audit_moving (%1$s) select %1$s from audit_other where id > $1 and id <= $2
    for share on conflict do nothing', audit_columns('audit_moving')) using after_id, last_id;
  return last_id;
exception when undefined_table then
  return null;
end $$;

-- Exchanges audit_other for the partitions of a move of which all rows are copied.
create function end_audit_move(move oid) returns void language plpgsql set lock_timeout = '500ms' as $$
declare
  p record;
begin
  lock table audit in access exclusive mode;
  if to_regclass('audit_moving') is distinct from move::regclass then return; end if;
  alter table audit detach partition audit_other;
  drop table audit_other;
  for p in
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = move
    order by pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT'
  loop
    execute format('alter table audit_moving detach partition %I', p.name);
    execute format('alter table audit attach partition %I %s', p.name, p.bound);
    execute format('alter table %I drop constraint if exists in_year', p.name);
  end loop;
  drop table audit_moving;
  alter table audit_moving_other rename to audit_other;
end $$;

-- Several servers share the indexing of the answers of a form: ranges of ids of its records, each of which one server at a
-- time works on. Rows are there from a publication or an upgrade until all records are indexed; at most 64 a form. They say
-- nothing of a person, and nobody but the servers reads or writes them.
create table answer_index_work (
  case_type integer not null references case_types on delete cascade,
  form text not null check (form in ('case', 'issue')),
  part integer not null,
  -- What is indexed: work for an older version of the form is dropped.
  fields jsonb not null,
  -- Records from next_id to last_id are still to be indexed.
  next_id integer not null,
  last_id integer not null,
  records integer not null,
  done integer not null default 0,
  planned_at timestamptz not null default now(),
  primary key (case_type, form, part)
);

-- When the server of a run was last seen at it, and the release that ran it.
alter table job_runs add seen_at timestamptz, add release text;

-- Fields that leave are deleted from the index also if they were not indexed completely yet: records that were saved or
-- indexed meanwhile have them.
create or replace function keep_indexed() returns trigger language plpgsql as $$
declare
  has_cases boolean := exists (select from cases k where k.case_type = new.id);
  case_fields jsonb := searched_fields(new.case_meta);
  issue_fields jsonb := searched_fields(new.issue_meta);
  left_mark constant jsonb := '{"": "left"}';
begin
  new.case_indexed := case when has_cases then still_indexed(new.case_indexed, case_fields) else case_fields end;
  new.issue_indexed := case when has_cases then still_indexed(new.issue_indexed, issue_fields) else issue_fields end;
  if tg_op = 'INSERT' or not has_cases then return new; end if;
  if still_indexed(searched_fields(old.case_meta), case_fields) ? '' then
    new.case_indexed := new.case_indexed || left_mark;
  end if;
  if still_indexed(searched_fields(old.issue_meta), issue_fields) ? '' then
    new.issue_indexed := new.issue_indexed || left_mark;
  end if;
  return new;
end $$;
