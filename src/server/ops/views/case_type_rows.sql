select t.id, t.label, t.service, s.label as service_label, t.version, t.status,
  case when t.version = 0 then 'Not published yet' when t.status = 2 then 'Retired' else 'Offered' end as state,
  (select count(*) from cases k where k.case_type = t.id)::int as cases,
  (select count(*) from cases k where k.case_type = t.id and k.status = 1 -- active
    and (k.open_issues > 0 or k.issue_count = 0))::int as open_cases,
  t.updated_at, d.case_meta is not null as has_draft
from case_types t
left join lookup s on s.kind = 'services' and s.value = t.service
left join case_type_drafts d on d.case_type = t.id
