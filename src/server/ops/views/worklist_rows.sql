-- The worklist of a person (`staff`): each next step of their open issues, open issues without a next step, their other
-- tasks, and the deadlines of their open issues, or of the cases of these, that are late, soon or due within a week. A
-- task has its negated id, a deadline its id after half a billion; ids are unique for each person only. A week ends on
-- Sunday. `first_due` keeps the steps of an issue adjacent within their group: the earliest of them in it.
select w.id, w.staff,
  case when w.due is null then 'none' when w.due < current_date then 'overdue' when w.due = current_date then 'today'
    when w.due < date_trunc('week', current_date)::date + 7 then 'week' else 'later' end as due_group,
  w.task, w.next_step, w.due, w.issue, y.label as issue_type_label, w."case", w.client,
  c.first_name || ' ' || c.last_name as client_name, c.postcode, w.service,
  coalesce(upper(s.attrs ->> 'code'), s.label) as service_short, s.label as service_label,
  w.contract, n.label as contract_label, k.is_urgent, w.is_new, w.last_contact, w.start_date,
  coalesce(w.last_contact, w.start_date) as quiet_since,
  case when w.issue is null or w.deadline is not null then w.due else (
    select min(x.due) from tasks x where x.issue = w.issue and x.done_at is null and x.error_reason is null and x.due >= case
      when w.due < current_date then '-infinity'::date
      when w.due = current_date then current_date
      when w.due < date_trunc('week', current_date)::date + 7 then current_date + 1
      else date_trunc('week', current_date)::date + 7 end
  ) end as first_due,
  w.assignee,
  case when w.assignee is distinct from w.staff then nullif(trim(p.first_name || ' ' || p.last_name), '') end as assignee_name,
  c.name_key as client_name_key,
  code_key(c.postcode) collate "C" as postcode_key,
  case when w.assignee is distinct from w.staff then p.name_key end as assignee_name_key,
  c.dod as client_dod, w.deadline, w.deadline_state, w.deadline is not null as is_deadline,
  -- The only type of action that meets the deadline.
  case when w.deadline is not null then (
    select case when jsonb_array_length(m.met_by -> 'actions') = 1 then (m.met_by -> 'actions' ->> 0)::int end
    from deadlines d
    join case_types t on t.id = d.case_type
    cross join lateral (
      select jsonb_path_query_first(t.deadlines, '$[*] ? (@.name == $name).met_by', jsonb_build_object('name', d.name)) as met_by
    ) m
    where d.id = w.deadline
  ) end as meeting_type
from (
  select i.id, i.advocate as staff, null::int as task, null as next_step, null::date as due, i.id as issue, i."case", i.client,
    i.service, i.contract, i.issue_type,
    x.id is not null and (x.read_at is null or x.created_at > now() - interval '7 days') as is_new,
    i.last_contact, i.start_date, i.advocate as assignee, null::int as deadline, null as deadline_state
  from issues i
  left join work_notices x on x.staff = i.advocate and x.issue = i.id
  where i.is_opened and i.status = 1 and i.next_task is null -- active
  union all
  select -t.id, i.advocate, t.id, t.title, t.due, i.id, i."case", i.client,
    i.service, i.contract, i.issue_type,
    x.id is not null and (x.read_at is null or x.created_at > now() - interval '7 days'),
    i.last_contact, i.start_date, t.assignee, null, null
  from issues i
  join tasks t on t.issue = i.id and t.done_at is null and t.error_reason is null
  left join work_notices x on x.staff = i.advocate and x.issue = i.id
  where i.is_opened and i.status = 1
  union all
  select -t.id, t.assignee, t.id, t.title, t.due, t.issue, t."case", t.client,
    i.service, i.contract, i.issue_type,
    x.id is not null and (x.read_at is null or x.created_at > now() - interval '7 days'),
    i.last_contact, i.start_date, t.assignee, null, null
  from tasks t
  left join issues i on i.id = t.issue
  left join cases k on k.id = t."case"
  left join work_notices x on x.staff = t.assignee and x.task = t.id
  where t.done_at is null and t.error_reason is null and coalesce(i.is_opened and i.status = 1, true)
    and (t.issue is not null or coalesce(k.status = 1, true))
    and i.advocate is distinct from t.assignee
  union all
  select 500000000 + d.id, i.advocate, null, d.title, d.due, i.id, i."case", i.client,
    i.service, i.contract, i.issue_type,
    x.id is not null and (x.read_at is null or x.created_at > now() - interval '7 days'),
    i.last_contact, i.start_date, i.advocate, d.id, deadline_state(d, current_date)
  from issues i
  join deadlines d on d.issue = i.id and d.is_open
  left join work_notices x on x.staff = i.advocate and x.issue = i.id
  where i.is_opened and i.status = 1 and least(d.warn_from, d.due - 7) <= current_date
    and deadline_state(d, current_date) in ('late', 'soon', 'due')
  union all
  select 500000000 + d.id, i.advocate, null, d.title, d.due, min(i.id), i."case", i.client,
    i.service, i.contract, min(i.issue_type), false, max(i.last_contact), min(i.start_date), i.advocate, d.id,
    deadline_state(d, current_date)
  from issues i
  join deadlines d on d."case" = i."case" and d.issue is null and d.is_open
  where i.is_opened and i.status = 1 and least(d.warn_from, d.due - 7) <= current_date
    and deadline_state(d, current_date) in ('late', 'soon', 'due')
  group by d.id, i.advocate, i."case", i.client, i.service, i.contract
) w
left join clients c on c.id = w.client
left join cases k on k.id = w."case"
left join staff p on p.id = w.assignee
left join lookup s on s.kind = 'services' and s.value = w.service
left join lookup n on n.kind = 'contracts' and n.value = w.contract
left join lookup y on y.kind = 'issue_types' and y.value = w.issue_type
