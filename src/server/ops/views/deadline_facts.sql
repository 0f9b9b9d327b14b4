-- Facts of reports: one row per deadline, with its dimensions, on the day on which it is due. A deadline of a case counts
-- for the advocate of the first open issue, as in deadline_record. A deadline that is late counts as not met in time.
select d.id, d.due as day, to_char(d.due, 'YYYY-MM') as month, to_char(d.due, 'YYYY "Q"Q') as quarter,
  to_char(d.due, 'YYYY') as year, d.label as deadline, d.case_type, k.service, k.contract, k.council_area,
  w.hub, w.advocate,
  case s.state when 'met' then case when d.met_on <= d.due then 'in_time' else 'met_late' end when 'soon' then 'due' else s.state end
    as outcome,
  case when s.state = 'met' then case when d.met_on <= d.due then 100 else 0 end when s.state in ('late', 'missed') then 0 end
    as in_time_percent,
  d."case", d.issue, d.client, c.first_name || ' ' || c.last_name as client_name, d.met_on, d.excused_on,
  c.name_key as client_name_key, c.dod as client_dod
from deadlines d
cross join lateral (select deadline_state(d, current_date) as state) s
left join cases k on k.id = d."case"
left join issues i on i.id = d.issue
cross join lateral (
  -- The planner omits subselects that a query does not read.
  select
    coalesce(i.hub, (select x.hub from issues x where d.issue is null and x."case" = d."case" and x.status = 1 -- active
      order by x.is_opened desc, x.id limit 1)) as hub,
    coalesce(i.advocate, (select x.advocate from issues x where d.issue is null and x."case" = d."case" and x.status = 1
      order by x.is_opened desc, x.id limit 1)) as advocate
) w
left join clients c on c.id = d.client
where s.state <> 'none'
