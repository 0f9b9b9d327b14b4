-- Alerts of a client: risks, communication issues, open safeguarding concerns.
select 'risk-' || id as id, client, 'Risk' as kind, type_label as label, details, review_date, is_overdue,
  null::int as "case", null::int as issue, created_by
from risk_record
union all
select 'communication-' || id, client, 'Communication', type_label, details, review_date, is_overdue, null, null, created_by
from communication_issue_record
union all
-- The id is a number within the client, because not everybody who sees the concern may know its issue.
select 'safeguarding-' || row_number() over (partition by i.client order by i.id), i.client, 'Safeguarding',
  'Open safeguarding concern', null, null, false, i."case", i.id, null
from issues i
where i.answers ->> 'sfg_concern' = 'yes' and not i.answers ? 'sfg_ooc' and i.is_opened and i.status = 1 -- active
