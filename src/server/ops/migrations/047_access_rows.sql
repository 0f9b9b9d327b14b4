-- kind: expand
-- Who may see which clients and cases, as rows: a person sees a record if it has a row for one of their principals. Who has
-- which principals is in access/principals.ts. The rows are derived from issues, cases and clients by triggers, in the
-- transaction of each change, so that nobody writes them otherwise, no audit has them, and a purge or a move of a case
-- takes them along. They are not exported: an import fills them anew. There are some four for each issue.
-- step
create table client_access (
  principal bigint not null,
  client integer not null references clients on delete cascade,
  -- Null: for good.
  until timestamptz,
  primary key (principal, client) include (until)
);
create index client_access_client on client_access (client, principal) include (until);
create table case_access (
  principal bigint not null,
  "case" integer not null references cases on delete cascade,
  until timestamptz,
  primary key (principal, "case") include (until)
);
create index case_access_case on case_access ("case", principal) include (until);

-- A principal is one number, so that no table of principals need be locked: its kind, and the id of a person, hub, contract
-- or service. access/principals.ts has the same kinds. 6 to 8 are reserved for everyone, group and referred.
create function principal(kind text, id integer) returns bigint language sql immutable parallel safe as $$
  select case kind when 'advocate' then 1 when 'creator' then 2 when 'hub' then 3 when 'contract' then 4 when 'unallocated' then 5 end
    * 10000000000 + id
$$;

-- The principals of an issue: each person with one of them sees it.
create function issue_principals(i issues) returns bigint[] language sql immutable parallel safe as $$
  select array_remove(array[
    principal('advocate', i.advocate),
    principal('creator', i.created_by),
    principal('hub', i.hub),
    principal('contract', i.contract),
    case when i.advocate is null then principal('unallocated', i.service) end
  ], null)
$$;

-- The rows that some clients and their cases should have; "case" is null in a row that is for the client alone. A further
-- source is a further query of the union.
create function access_sources(clients integer[]) returns table (principal bigint, client integer, "case" integer)
language sql stable as $$
  select p, i.client, i."case" from issues i, unnest(issue_principals(i)) p where i.client = any($1)
  union select principal('creator', k.created_by), k.client, k.id from cases k where k.client = any($1) and k.created_by is not null
  union select principal('creator', c.created_by), c.id, null from clients c where c.id = any($1) and c.created_by is not null
$$;

-- The rows of some clients that are missing, or that they should not have.
create function access_differences(clients integer[])
returns table (entity text, record integer, principal bigint, is_missing boolean) language sql stable as $$
  with wanted as materialized (select * from access_sources($1)),
  stored_clients as materialized (select a.client, a.principal from client_access a where a.client = any($1)),
  stored_cases as materialized (
    select a."case", a.principal from cases k join case_access a on a."case" = k.id where k.client = any($1)
  )
  select 'client', w.*, true from (select w.client, w.principal from wanted w except table stored_clients) w
  union all select 'client', s.*, false from (table stored_clients except select w.client, w.principal from wanted w) s
  union all select 'case', w.*, true
    from (select w."case", w.principal from wanted w where w."case" is not null except table stored_cases) w
  union all select 'case', s.*, false
    from (table stored_cases except select w."case", w.principal from wanted w where w."case" is not null) s
$$;

-- Brings the rows of some clients up to date and returns how many differed. Locking the clients is a statement of its own,
-- so that the next one sees what the transactions that it waited for have changed. One plan suits any number of clients, and
-- planning would take longer than the rest.
create function refresh_access(clients integer[]) returns integer language plpgsql
set plan_cache_mode = force_generic_plan as $$
declare differing integer;
begin
  perform from clients c where c.id = any($1) order by c.id for no key update;
  with differences as materialized (select * from access_differences($1)),
  clients_gone as (
    delete from client_access a using differences d
    where d.entity = 'client' and not d.is_missing and a.client = d.record and a.principal = d.principal
  ), cases_gone as (
    delete from case_access a using differences d
    where d.entity = 'case' and not d.is_missing and a."case" = d.record and a.principal = d.principal
  ), clients_new as (
    insert into client_access (principal, client)
    select d.principal, d.record from differences d where d.entity = 'client' and d.is_missing
  ), cases_new as (
    insert into case_access (principal, "case")
    select d.principal, d.record from differences d where d.entity = 'case' and d.is_missing
  )
  select count(*) into differing from differences;
  return differing;
end $$;

-- Of updated issues only those count whose principals, case or client changed.
create function refresh_access_of_issues() returns trigger language plpgsql as $$
declare changed integer[];
begin
  case tg_op
    when 'INSERT' then changed := array(select distinct n.client from new_rows n);
    when 'DELETE' then changed := array(select distinct o.client from old_rows o);
    else
      changed := array(
        with before as (select o.client, o."case", o.advocate, o.created_by, o.hub, o.contract, o.service from old_rows o),
        after as (select n.client, n."case", n.advocate, n.created_by, n.hub, n.contract, n.service from new_rows n)
        select distinct d.client from ((table before except table after) union all (table after except table before)) d);
  end case;
  if cardinality(changed) > 0 then
    perform refresh_access(changed);
  end if;
  return null;
end $$;
create trigger issues_access_new after insert on issues referencing new table as new_rows
  for each statement execute function refresh_access_of_issues();
create trigger issues_access after update on issues referencing old table as old_rows new table as new_rows
  for each statement execute function refresh_access_of_issues();
create trigger issues_access_gone after delete on issues referencing old table as old_rows
  for each statement execute function refresh_access_of_issues();

-- Who made a case or client hardly ever changes, nor does the client of a case: conditions are cheaper than comparing the
-- rows of each statement.
create function refresh_access_of_cases() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then perform refresh_access(array(select distinct n.client from new_rows n));
    when 'DELETE' then perform refresh_access(array(select distinct o.client from old_rows o));
    else perform refresh_access(array[old.client, new.client]);
  end case;
  return null;
end $$;
create trigger cases_access_new after insert on cases referencing new table as new_rows
  for each statement execute function refresh_access_of_cases();
create trigger cases_access after update of client, created_by on cases for each row
  when (old.client <> new.client or old.created_by is distinct from new.created_by)
  execute function refresh_access_of_cases();
create trigger cases_access_gone after delete on cases referencing old table as old_rows
  for each statement execute function refresh_access_of_cases();

create function refresh_access_of_clients() returns trigger language plpgsql as $$
begin
  case tg_op
    when 'INSERT' then perform refresh_access(array(select n.id from new_rows n));
    else perform refresh_access(array[new.id]);
  end case;
  return null;
end $$;
create trigger clients_access_new after insert on clients referencing new table as new_rows
  for each statement execute function refresh_access_of_clients();
create trigger clients_access after update of created_by on clients for each row
  when (old.created_by is distinct from new.created_by)
  execute function refresh_access_of_clients();
-- step: batched clients
select refresh_access(array(select id from clients where id between $1 and $2));
-- step
analyze client_access;
analyze case_access;
