-- Alerts of a client: risks, communication issues, and states of automations. `level` orders them.
select 'risk-' || id as id, client, 'Risk' as kind, type_label as label, details, review_date, is_overdue,
  null::int as "case", null::int as issue, created_by, 'danger' as level, null as because, null::timestamptz as since,
  null::int as state, null as by_name, null as record_title, null as page
from risk_record
union all
select 'communication-' || id, client, 'Communication', type_label, details, review_date, is_overdue, null, null, created_by,
  'info', null, null, null, null, null, null
from communication_issue_record
union all
-- The id is a number within the client, because not everybody who sees the alert may know its record.
select 'automation-' || row_number() over (partition by s.client order by s.id), s.client, 'Alert', s.label, s.text, null, false,
  s."case", s.issue, s.by, s.level, s.because, s.since, s.id, nullif(trim(p.first_name || ' ' || p.last_name), ''),
  coalesce('Issue ' || s.issue, 'Case ' || s."case"),
  '/cases/' || s."case" || coalesce('/issues/' || s.issue, '') || '/details'
from automation_states s
left join staff p on p.id = s.by
where s.level is not null
