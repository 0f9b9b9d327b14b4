-- Whom a person sees is found off indexes alone: the rows of an issue that a rule names, their cases, those cases' clients.
drop index issues_case, issues_advocate, issues_hub, issues_contract, issues_created_by;
create index issues_case on issues ("case") include (created_by, advocate, service, hub, contract);
create index issues_advocate on issues (advocate, start_date desc, id desc) include ("case");
create index issues_without_advocate on issues (service) include ("case") where advocate is null;
create index issues_hub on issues (hub, "case");
create index issues_contract on issues (contract, "case");
create index issues_created_by on issues (created_by, "case");

drop index cases_client, cases_created_by, clients_created_by;
create index cases_client on cases (client) include (id, created_by);
create index cases_created_by on cases (created_by) include (id);
create index clients_created_by on clients (created_by) include (id);
-- Also what case_rows joins by: a count of its rows reads nothing else.
create index cases_listed on cases (id) include (client, case_type, service, contract);

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
