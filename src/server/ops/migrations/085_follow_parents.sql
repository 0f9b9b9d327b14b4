-- kind: expand
-- A row that has the client, case, service or contract of a record above it reads them with a lock on that record. Else a
-- row that is added while the record moves to another client or contract would keep those from before. Rows that were
-- added so are mended.
-- step
create or replace function issue_client() returns trigger language plpgsql as $$
begin
  select client, service, contract into new.client, new.service, new.contract
  from cases where id = new."case" for no key update;
  if not found then
    raise foreign_key_violation using table = tg_table_name, detail = 'Its case is gone.';
  end if;
  return new;
end $$;

create or replace function action_place() returns trigger language plpgsql as $$
begin
  if new.issue is not null then
    select "case" into new."case" from issues where id = new.issue for no key update;
  end if;
  select client into new.client from cases where id = new."case" for no key update;
  if not found then
    raise foreign_key_violation using table = tg_table_name, detail = 'Its case is gone.';
  end if;
  return new;
end $$;

create or replace function task_place() returns trigger language plpgsql as $$
begin
  if new.issue is not null then
    select client, "case" into new.client, new."case" from issues where id = new.issue for no key update;
  elsif new.action is not null then
    select client, "case" into new.client, new."case" from actions where id = new.action for no key update;
  elsif new."case" is not null then
    select client into new.client from cases where id = new."case" for no key update;
  end if;
  return new;
end $$;

create function referral_place() returns trigger language plpgsql as $$
begin
  select client into new.from_client from cases where id = new.from_case for no key update;
  return new;
end $$;
create trigger referral_requests_place before insert on referral_requests for each row
  when (new.from_case is not null) execute function referral_place();
-- step: batched issues
update issues i set client = k.client, service = k.service, contract = k.contract from cases k
where i.id between $1 and $2 and k.id = i."case"
  and (i.client, i.service, i.contract) is distinct from (k.client, k.service, k.contract);
-- step: batched actions
update actions a set "case" = k.id, client = k.client from cases k
where a.id between $1 and $2 and k.id = coalesce((select i."case" from issues i where i.id = a.issue), a."case")
  and (a."case", a.client) is distinct from (k.id, k.client);
-- step: batched tasks
update tasks t set "case" = k.id, client = k.client from cases k
where t.id between $1 and $2 and k.id = coalesce((select i."case" from issues i where i.id = t.issue), t."case")
  and (t."case", t.client) is distinct from (k.id, k.client);
-- step: batched referral_requests
update referral_requests q set from_client = k.client from cases k
where q.id between $1 and $2 and k.id = q.from_case and q.from_client is distinct from k.client;
