-- kind: expand
-- Members of a group that sees the record read an issue or a case, and its client, while an automation that notifies the
-- group holds. A state has the ids of its groups, which are principals; its rows of who may see what are kept by triggers
-- as those of issues are.
-- step
alter table automation_states add column groups integer[] not null default '{}';

create or replace function principal(kind text, id integer) returns bigint language sql immutable parallel safe as $$
  select case kind when 'advocate' then 1 when 'creator' then 2 when 'hub' then 3 when 'contract' then 4 when 'unallocated' then 5
      when 'group' then 7 end
    * 10000000000 + id
$$;

create or replace function access_sources(clients integer[]) returns table (principal bigint, client integer, "case" integer)
language sql stable as $$
  select p, i.client, i."case" from issues i, unnest(issue_principals(i)) p where i.client = any($1)
  union select principal('creator', k.created_by), k.client, k.id from cases k where k.client = any($1) and k.created_by is not null
  union select principal('creator', c.created_by), c.id, null from clients c where c.id = any($1) and c.created_by is not null
  union select principal('group', g), s.client, s."case" from automation_states s, unnest(s.groups) g where s.client = any($1)
$$;

create function refresh_access_of_states() returns trigger language plpgsql as $$
begin
  perform refresh_access(array(select distinct client from
    (select old.client where tg_op <> 'INSERT' union select new.client where tg_op <> 'DELETE') changed));
  return null;
end $$;
create trigger automation_states_access_new after insert on automation_states for each row
  when (new.groups <> '{}') execute function refresh_access_of_states();
create trigger automation_states_access after update on automation_states for each row
  when ((old.groups, old.client, old."case") is distinct from (new.groups, new.client, new."case"))
  execute function refresh_access_of_states();
create trigger automation_states_access_gone after delete on automation_states for each row
  when (old.groups <> '{}') execute function refresh_access_of_states();
