-- Facts of reports: one row per issue, with its dimensions. Every join is by a key or has one row, so that PostgreSQL
-- omits the joins that a report does not need.
select i.id, i.start_date as day, to_char(i.start_date, 'YYYY-MM') as month, to_char(i.start_date, 'YYYY "Q"Q') as quarter,
  to_char(i.start_date, 'YYYY') as year, i.service, i.issue_type, k.case_type, i.contract, k.council_area, i.hub, i.advocate,
  c.gender, c.ethnicity,
  case
    when a.years < 18 then 'Under 18'
    when a.years < 25 then '18 to 24'
    when a.years < 45 then '25 to 44'
    when a.years < 65 then '45 to 64'
    when a.years < 85 then '65 to 84'
    when a.years <= 200 then '85 and over'
  end as age,
  case when i.is_opened then 'open' else 'closed' end as state,
  i."case", i.client, c.first_name || ' ' || c.last_name as client_name, i.close_date, i.created_by,
  jsonb_array_length(i.actual_outcomes) as outcomes, coalesce(w.time_taken, 0)::int as time_taken,
  w.first_on - i.start_date as days_to_contact,
  c.name_key as client_name_key, c.dod as client_dod
from issues i
left join cases k on k.id = i."case"
left join clients c on c.id = i.client
left join lateral (select extract(year from age(i.start_date, c.dob)) as years) a on true
left join lateral (
  select sum(x.time_taken) as time_taken, min(x.done_on) filter (where x.done_on >= i.start_date) as first_on
  from actions x where x.issue = i.id and x.error_reason is null
) w on true
where i.status = 1 -- active
