select c.first_name || ' ' || c.last_name as client_name, c.status as client_status,
  s.label as service_label, t.label as case_type_label, k.open_issues = 0 and k.issue_count > 0 as is_closed,
  k.*, c.dob as client_dob, c.nhs_number as client_nhs_number, coalesce(c.phone, c.mobile) as client_phone,
  c.name_key as client_name_key,
  coalesce(upper(s.attrs ->> 'code'), s.label) as service_short,
  case when k.open_issues = 0 and k.issue_count > 0 then 'Closed' else 'Open' end as state,
  c.dod as client_dod
from cases k
join clients c on c.id = k.client
join case_types t on t.id = k.case_type
left join lookup s on s.kind = 'services' and s.value = k.service
