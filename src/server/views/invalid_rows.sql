-- Issues with invalid fields, their own or those of their case. The ids are found with what scope and filters need off
-- indexes alone; everything else is joined to them.
select f.id, f."case", k.client, c.first_name || ' ' || c.last_name as client_name, c.search as client_search,
  k.case_type, t.label as case_type_label,
  f.service, s.label as service_label, f.contract, f.hub, y.label as issue_type_label,
  f.advocate, nullif(trim(a.first_name || ' ' || a.last_name), '') as advocate_name,
  field_labels(t.case_meta, k.invalid_fields) as case_fields,
  case when k.invalid_fields <> '{}' then k.id end as wrong_case,
  field_labels(t.issue_meta, i.invalid_fields) as issue_fields,
  case when i.invalid_fields <> '{}' then i.id end as wrong_issue,
  case when i.is_opened then 'Open' else 'Closed' end as state, f.created_by
from (
  select o.id, o."case", o.service, o.contract, o.hub, o.advocate, o.created_by
  from issues o where o.invalid_fields <> '{}' and o.status = 1 -- active
    and not exists (select from cases w where w.id = o."case" and w.status <> 1)
  union
  select o.id, o."case", o.service, o.contract, o.hub, o.advocate, o.created_by
  from cases w join issues o on o."case" = w.id where w.invalid_fields <> '{}' and w.status = 1 and o.status = 1
) f
left join issues i on i.id = f.id
left join cases k on k.id = f."case"
left join clients c on c.id = k.client
left join case_types t on t.id = k.case_type
left join lookup s on s.kind = 'services' and s.value = f.service
left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
left join staff a on a.id = f.advocate
