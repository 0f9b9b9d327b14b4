create view client_record as
select c.*,
  (select count(*) from cases k where k.client = c.id and k.status = 1 and (k.open_issues > 0 or k.issue_count = 0))::int open_cases,
  (select count(*) from cases k where k.client = c.id and k.status = 1 and k.open_issues = 0 and k.issue_count > 0)::int closed_cases
from clients c;

create view client_rows as
select id, first_name, last_name, first_name || ' ' || last_name as name, dob, postcode, status, created_by, search from clients;

create view case_record as
select k.*, c.first_name || ' ' || c.last_name as client_name, c.status as client_status,
  s.label as service_label, t.label as case_type_label, k.open_issues = 0 and k.issue_count > 0 as is_closed
from cases k
join clients c on c.id = k.client
join case_types t on t.id = k.case_type
left join lookup s on s.kind = 'services' and s.value = k.service;

create view case_rows as
select k.id, k.client, c.first_name || ' ' || c.last_name as client_name, c.search as client_search, c.postcode,
  k.service, s.label as service_label, k.contract, n.label as contract_label, k.case_type, t.label as case_type_label,
  k.is_urgent, k.open_issues = 0 and k.issue_count > 0 as is_closed, k.open_issues, k.close_date,
  coalesce(k.close_date, greatest(k.touched_at, k.updated_at)::date) as old_since,
  case when k.open_issues = 0 and k.issue_count > 0 then 'Closed' else 'Open' end as state,
  k.status, k.created_by
from cases k
join clients c on c.id = k.client
join case_types t on t.id = k.case_type
left join lookup s on s.kind = 'services' and s.value = k.service
left join lookup n on n.kind = 'contracts' and n.value = k.contract;

create view issue_record as
select i.*, k.client, k.case_type, c.first_name || ' ' || c.last_name as client_name,
  s.label as service_label, y.label as issue_type_label, nullif(trim(a.first_name || ' ' || a.last_name), '') as advocate_name,
  case when i.is_opened then 'Open' else 'Closed' end as state
from issues i
join cases k on k.id = i."case"
join clients c on c.id = k.client
left join lookup s on s.kind = 'services' and s.value = i.service
left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
left join staff a on a.id = i.advocate;

create view issue_rows as
select i.id, i."case", k.client, c.first_name || ' ' || c.last_name as client_name, c.search as client_search, c.postcode,
  i.service, s.label as service_label, i.contract, n.label as contract_label, i.hub,
  y.label as issue_type_label, i.advocate, nullif(trim(a.first_name || ' ' || a.last_name), '') as advocate_name,
  k.is_urgent, i.start_date, i.close_date, i.is_opened,
  case when i.is_opened then 'Open' else 'Closed' end as state, i.status, i.created_by
from issues i
join cases k on k.id = i."case"
join clients c on c.id = k.client
left join lookup s on s.kind = 'services' and s.value = i.service
left join lookup n on n.kind = 'contracts' and n.value = i.contract
left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
left join staff a on a.id = i.advocate;

create view case_type_rows as
select t.id, t.label, t.service, s.label as service_label, t.version,
  (select count(*) from cases k where k.case_type = t.id)::int cases, t.updated_at
from case_types t
left join lookup s on s.kind = 'services' and s.value = t.service;

create view staff_rows as
select a.id, trim(a.first_name || ' ' || a.last_name) as name, a.username, a.email, a.groups, a.status, a.hub, a.line_manager,
  trim(m.first_name || ' ' || m.last_name) as line_manager_name,
  (select count(*) from issues i where i.advocate = a.id and i.is_opened and i.status = 1)::int open_issues,
  (select count(*) from issues i join cases k on k.id = i."case" where i.advocate = a.id and i.is_opened and i.status = 1 and k.is_urgent = 'yes')::int urgent_issues,
  a.status in (1, 4) and a.groups && '{3,4,6,8}' as is_caseworker,
  searchable(a.first_name || ' ' || a.last_name || ' ' || a.username) as search
from staff a
left join staff m on m.id = a.line_manager;

-- Who can be given an issue, with what to know before that; a team is found like a name.
create view caseworkers as
select w.id, w.name, w.team, w.open || case when w.open = 1 then ' open issue' else ' open issues' end as workload,
  w.leave, searchable(concat_ws(' ', w.name, w.team)) as search
from (
  select a.id, trim(a.first_name || ' ' || a.last_name) as name,
    nullif(concat_ws(', ', h.label, 'team of ' || trim(m.first_name || ' ' || m.last_name)), '') as team,
    (select count(*) from issues i where i.advocate = a.id and i.is_opened and i.status = 1) as open,
    case when a.status = 4 then 'on leave' end as leave
  from staff a
  left join staff m on m.id = a.line_manager
  left join lookup h on h.kind = 'hub' and h.value = a.hub
  where a.status in (1, 4) and a.groups && '{3,4,6,8}'
) w;

create view draft_rows as
select id, version, staff, kind, title, payload, created_at, updated_at from drafts
where updated_at > now() - interval '30 days';
