-- kind: expand
-- Two transactions that hold the locks of different clients may add the same row of a case that moves between them: the
-- later one leaves it as it is, instead of being refused. Otherwise as in 047.
-- step
create or replace function refresh_access(clients integer[]) returns integer language plpgsql
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
    on conflict do nothing
  ), cases_new as (
    insert into case_access (principal, "case")
    select d.principal, d.record from differences d where d.entity = 'case' and d.is_missing
    on conflict do nothing
  )
  select count(*) into differing from differences;
  return differing;
end $$;
