-- Issues with invalid fields, their own or those of their case, and those of clients whose NHS number others have too.
select f.id, f."case", f.client, c.first_name || ' ' || c.last_name as client_name, c.search as client_search,
  k.case_type, t.label as case_type_label,
  f.service, s.label as service_label, f.contract, f.hub, y.label as issue_type_label,
  f.advocate, nullif(trim(a.first_name || ' ' || a.last_name), '') as advocate_name,
  field_labels(t.case_meta, k.invalid_fields) as case_fields,
  case when k.invalid_fields <> '{}' then k.id end as wrong_case,
  field_labels(t.issue_meta, f.invalid_fields) as issue_fields,
  case when f.invalid_fields <> '{}' then f.id end as wrong_issue,
  case when f.is_opened then 'Open' else 'Closed' end as state, f.created_by,
  c.name_key as client_name_key, a.name_key as advocate_name_key, c.dod as client_dod, f.is_invalid
from (
  select * from issues where is_invalid
  union all select * from issues where not is_invalid and client in (select n.client from same_nhs_numbers n)
) f
left join cases k on k.id = f."case"
left join clients c on c.id = f.client
left join case_types t on t.id = k.case_type
left join lookup s on s.kind = 'services' and s.value = f.service
left join lookup y on y.kind = 'issue_types' and y.value = f.issue_type
left join staff a on a.id = f.advocate
