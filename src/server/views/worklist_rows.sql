-- The worklist of a person (`staff`): their open issues with the next steps, and their open tasks that are not on one
-- of these. A task has its negated id, so that ids are unique. A week ends on Sunday.
select w.id, w.staff,
  case when w.due is null then 'none' when w.due < current_date then 'overdue' when w.due = current_date then 'today'
    when w.due < date_trunc('week', current_date)::date + 7 then 'week' else 'later' end as due_group,
  w.task, w.next_step, w.due, w.issue, y.label as issue_type_label, w."case", w.client,
  c.first_name || ' ' || c.last_name as client_name, c.postcode, w.service,
  coalesce(upper(s.attrs ->> 'code'), s.label) as service_short, s.label as service_label,
  w.contract, n.label as contract_label, k.is_urgent, w.is_new, w.last_contact, w.start_date,
  coalesce(w.last_contact, w.start_date) as quiet_since,
  c.name_key as client_name_key, code_key(c.postcode) collate "C" as postcode_key
from (
  select i.id, i.advocate as staff, i.next_task as task, i.next_step, i.next_due as due, i.id as issue, i."case", i.client,
    i.service, i.contract, i.issue_type,
    x.id is not null and (x.read_at is null or x.created_at > now() - interval '7 days') as is_new,
    i.last_contact, i.start_date
  from issues i
  left join work_notices x on x.staff = i.advocate and x.issue = i.id
  where i.is_opened and i.status = 1 -- active
  union all
  select -t.id, t.assignee, t.id, t.title, t.due, t.issue, t."case", t.client,
    i.service, i.contract, i.issue_type,
    x.id is not null and (x.read_at is null or x.created_at > now() - interval '7 days'),
    i.last_contact, i.start_date
  from tasks t
  left join issues i on i.id = t.issue
  left join cases k on k.id = t."case"
  left join work_notices x on x.staff = t.assignee and x.task = t.id
  where t.done_at is null and coalesce(i.is_opened and i.status = 1, true)
    and (t.issue is not null or coalesce(k.status = 1, true))
    and i.advocate is distinct from t.assignee
) w
left join clients c on c.id = w.client
left join cases k on k.id = w."case"
left join lookup s on s.kind = 'services' and s.value = w.service
left join lookup n on n.kind = 'contracts' and n.value = w.contract
left join lookup y on y.kind = 'issue_types' and y.value = w.issue_type
