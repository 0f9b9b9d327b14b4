-- Facts of reports on work: one row per action or activity. An activity has its negated id, so that ids are unique.
select x.id, 'action' as kind, x.done_on as day, to_char(x.done_on, 'YYYY-MM') as month, to_char(x.done_on, 'YYYY "Q"Q') as quarter,
  to_char(x.done_on, 'YYYY') as year, x.created_by as staff, k.service, k.contract, x.type as action_type, null::int as activity_type,
  x.time_taken, x.client, x."case", x.issue, x.created_by, null::int as commissioning_contract
from actions x
left join cases k on k.id = x."case"
where x.error_reason is null
union all
select -v.id, 'activity', v.done_on, to_char(v.done_on, 'YYYY-MM'), to_char(v.done_on, 'YYYY "Q"Q'),
  to_char(v.done_on, 'YYYY'), v.created_by, v.service, v.commissioning_contract, null, v.type,
  v.time_taken, null, null, null, v.created_by, v.commissioning_contract
from activities v
