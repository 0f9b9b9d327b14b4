select nullif(trim(p.first_name || ' ' || p.last_name), '') as assignee_name, y.label as issue_type_label,
  c.first_name || ' ' || c.last_name as client_name,
  t.done_at is not null as is_done, case when t.done_at is null then 'To do' when t.dropped_reason is null then 'Done' else 'Not needed' end as state,
  case when t.done_at is null then t.due end as open_due,
  nullif(trim(s.first_name || ' ' || s.last_name), '') as created_by_name,
  t.*,
  c.name_key as client_name_key, s.name_key as created_by_name_key, p.name_key as assignee_name_key, c.dod as client_dod,
  t.done_at is null and not coalesce(i.is_opened and i.status = 1, true) as is_left_open, -- active
  e.because, e.label as because_label, nullif(trim(b.first_name || ' ' || b.last_name), '') as because_by, e.at as because_at
from tasks t
left join issues i on i.id = t.issue
left join clients c on c.id = t.client
left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
left join staff p on p.id = t.assignee
left join staff s on s.id = t.created_by
left join automation_events e on e.id = t.event
left join staff b on b.id = e.by
where t.error_reason is null
