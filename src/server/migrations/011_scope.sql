-- An issue knows its client, so that whom a person sees is found without a look at cases.
alter table issues add column client integer;
update issues i set client = k.client from cases k where k.id = i."case";
alter table issues alter column client set not null;
create function issue_client() returns trigger language plpgsql as $$
begin
  new.client := (select client from cases where id = new."case");
  return new;
end $$;
create trigger issues_client before insert or update of "case", client on issues for each row execute function issue_client();

create or replace function issues_follow_case() returns trigger language plpgsql as $$
begin
  update issues set contract = new.contract, service = new.service, client = new.client where "case" = new.id;
  return null;
end $$;
drop trigger cases_contract on cases;
create trigger cases_contract after update of contract, service, client on cases for each row
  when (old.contract is distinct from new.contract or old.service is distinct from new.service or old.client is distinct from new.client)
  execute function issues_follow_case();

-- Whom a person sees is found off indexes alone, in the order of cases and in that of clients, so that a page and a
-- count up to a limit need not read them all.
drop index issues_case, issues_advocate, issues_hub, issues_contract, issues_created_by;
create index issues_case on issues ("case") include (id, status, created_by, advocate, service, hub, contract);
create index issues_client on issues (client) include (created_by, advocate, service, hub, contract);
create index issues_advocate on issues (advocate, start_date desc, id desc) include ("case", client);
create index issues_without_advocate on issues (service) include ("case", client) where advocate is null;
create index issues_hub on issues (hub, "case");
create index issues_hub_client on issues (hub, client);
create index issues_contract on issues (contract, "case");
create index issues_contract_client on issues (contract, client);
create index issues_created_by on issues (created_by, client) include ("case");

drop index cases_client, cases_created_by, clients_created_by;
create index cases_client on cases (client) include (id, created_by);
create index cases_created_by on cases (created_by, id) include (client);
create index clients_created_by on clients (created_by, id);

-- Also what case_rows joins by, and since when a case is old: a count of its rows, or of the old ones, reads nothing else.
drop index cases_touched;
create index cases_listed on cases (id)
  include (client, case_type, service, contract, status, close_date, touched_at, updated_at);

-- What a case always has is joined from its side, so that what reads none of it joins nothing.
create or replace view case_rows as
select k.id, k.client, c.first_name || ' ' || c.last_name as client_name, c.search as client_search, c.postcode,
  k.service, s.label as service_label, k.contract, n.label as contract_label, k.case_type, t.label as case_type_label,
  k.is_urgent, k.open_issues = 0 and k.issue_count > 0 as is_closed, k.open_issues, k.close_date,
  coalesce(k.close_date, greatest(k.touched_at, k.updated_at)::date) as old_since,
  case when k.open_issues = 0 and k.issue_count > 0 then 'Closed' else 'Open' end as state,
  k.status, k.created_by,
  (select max(coalesce(i.last_contact, i.start_date)) from issues i where i."case" = k.id) as last_contact
from cases k
left join clients c on c.id = k.client
left join case_types t on t.id = k.case_type
left join lookup s on s.kind = 'services' and s.value = k.service
left join lookup n on n.kind = 'contracts' and n.value = k.contract;
