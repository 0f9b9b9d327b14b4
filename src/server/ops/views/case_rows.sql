-- Outer joins even if there always is a row: the planner omits those that a count does not need.
select k.id, k.client, c.first_name || ' ' || c.last_name as client_name, c.search as client_search, c.postcode,
  k.service, s.label as service_label, k.contract, n.label as contract_label,
  k.case_type, t.label as case_type_label,
  k.is_urgent, k.open_issues = 0 and k.issue_count > 0 as is_closed, k.open_issues, k.close_date,
  coalesce(k.close_date, greatest(k.touched_at, k.updated_at)::date) as old_since,
  case when k.open_issues = 0 and k.issue_count > 0 then 'Closed' else 'Open' end as state,
  k.status, k.created_by, k.last_contact, k.quiet_since,
  c.name_key as client_name_key,
  code_key(c.postcode) collate "C" as postcode_key,
  coalesce(upper(s.attrs ->> 'code'), s.label) as service_short,
  c.dod as client_dod
from cases k
left join clients c on c.id = k.client
left join case_types t on t.id = k.case_type
left join lookup s on s.kind = 'services' and s.value = k.service
left join lookup n on n.kind = 'contracts' and n.value = k.contract
