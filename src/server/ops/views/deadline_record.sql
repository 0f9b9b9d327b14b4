-- Deadlines with names and states as of today. One of a case counts for the advocate of its first open issue.
select d.id, d.case_type, t.label as case_type_label, d.name, d.label, d.title, d.client, d."case", d.issue,
  c.first_name || ' ' || c.last_name as client_name, y.label as issue_type_label,
  d.counted_from, d.due, to_char(d.due, 'YYYY-MM') as month, d.warn_from, d.paused_days, d.paused_since, d.ends_on,
  d.met_on, d.excused_on, d.excused_reason, d.is_open and deadline_state(d, current_date) <> 'missed' as is_open,
  deadline_state(d, current_date) as deadline_state,
  d.met_on <= d.due as is_in_time,
  nullif(trim(e.first_name || ' ' || e.last_name), '') as excused_by_name, e.name_key as excused_by_name_key,
  -- 'Was due Tuesday 17 November'.
  case when d.met_on is not null then 'Was due ' when d.excused_on is not null then 'Was due '
      when d.due < current_date and d.paused_since is null then 'Was due ' else '' end
    || to_char(d.due, 'FMDay FMDD FMMonth YYYY') as due_words,
  case
    when d.excused_on is not null then 'Excused: ' || d.excused_reason
    when d.excuse_asked_on is not null and d.is_open
      then concat(coalesce(nullif(trim(q.first_name || ' ' || q.last_name), ''), 'Somebody'), ' asks to excuse it: ', d.excuse_asked_note)
    when d.paused_since is not null and d.is_open then 'Paused since ' || to_char(d.paused_since, 'FMDD FMMonth')
    when d.paused_days = 1 then 'Moved by a day'
    when d.paused_days > 1 then 'Moved by ' || d.paused_days || ' days'
  end as note,
  k.service, coalesce(upper(s.attrs ->> 'code'), s.label) as service_short, k.contract, n.label as contract_label,
  w.hub, w.advocate,
  nullif(trim(a.first_name || ' ' || a.last_name), '') as advocate_name,
  c.name_key as client_name_key, a.name_key as advocate_name_key, c.dod as client_dod,
  d.excuse_asked_by, d.excuse_asked_on, d.excuse_asked_note,
  nullif(trim(q.first_name || ' ' || q.last_name), '') as excuse_asked_by_name, q.name_key as excuse_asked_by_name_key,
  d.excuse_asked_on is not null as is_excuse_asked,
  m.met_by -> 'actions' is not null as is_met_by_action,
  case when jsonb_array_length(m.met_by -> 'actions') = 1 then (m.met_by -> 'actions' ->> 0)::int end as meeting_type,
  -- The question of the record whose answer meets it.
  case when m.met_by ->> 'field' ~ '^[a-z]\w*$'
    then concat('/cases/', d."case", '/issues/' || d.issue, '/details#answers.', m.met_by ->> 'field') end as meeting_page,
  greatest(d.due, current_date) as plan_for
from deadlines d
left join case_types t on t.id = d.case_type
cross join lateral (
  select case when d.is_open then
    jsonb_path_query_first(t.deadlines, '$[*] ? (@.name == $name).met_by', jsonb_build_object('name', d.name)) end as met_by
) m
left join clients c on c.id = d.client
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
left join staff a on a.id = w.advocate
left join staff e on e.id = d.excused_by
left join staff q on q.id = d.excuse_asked_by
left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
left join lookup s on s.kind = 'services' and s.value = k.service
left join lookup n on n.kind = 'contracts' and n.value = k.contract
where deadline_state(d, current_date) <> 'none'
