select k.case_type, c.first_name || ' ' || c.last_name as client_name,
  s.label as service_label, y.label as issue_type_label,
  nullif(trim(a.first_name || ' ' || a.last_name), '') as advocate_name,
  case when i.is_opened then 'Open' else 'Closed' end as state,
  i.*, k.patient_dod, c.dob as client_dob, c.nhs_number as client_nhs_number,
  coalesce(c.phone, c.mobile) as client_phone,
  i.allocation_asked ->> 'note' as allocation_note, (i.allocation_asked ->> 'at')::date as allocation_asked_on,
  nullif(trim(q.first_name || ' ' || q.last_name), '') as allocation_asked_by_name,
  c.name_key as client_name_key,
  a.name_key as advocate_name_key,
  q.name_key as allocation_asked_by_name_key,
  c.dod as client_dod,
  nullif(trim(a.first_name || ' ' || a.last_name), '') || coalesce(' (' || leave_words(a.status, a.leave_from, a.leave_to,
    nullif(trim(v.first_name || ' ' || v.last_name), '')) || ')', '') as advocate_described,
  k.council_area
from issues i
join cases k on k.id = i."case"
join clients c on c.id = k.client
left join lookup s on s.kind = 'services' and s.value = i.service
left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
left join staff a on a.id = i.advocate
left join staff v on v.id = a.covered_by
left join staff q on q.id = (i.allocation_asked ->> 'by')::int
