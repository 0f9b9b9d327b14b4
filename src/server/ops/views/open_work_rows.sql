-- Work that is not done: open issues, open tasks of others than the advocate of their issue, referrals that somebody deals
-- with, and drafts. `is_left`: the person whose work it is was retired or suspended, or the provider by which they sign in
-- refuses them. An id is that of the record times four, plus a number for its kind.
select w.id, w.kind, w.staff, nullif(trim(p.first_name || ' ' || p.last_name), '') as staff_name, p.status as staff_status,
  w.issue, w.task, w.referral, w."case", w.client, c.first_name || ' ' || c.last_name as client_name, c.dod as client_dod,
  w.title, w.steps,
  case when w.steps > 0 then w.steps || case when w.steps = 1 then ' next step' else ' next steps' end end as steps_words, w.due, w.page, w.service, w.contract, w.assignee, w.created_by, w.hub, w.status, w.is_left,
  c.name_key as client_name_key, p.name_key as staff_name_key
from (
  select i.id * 4 as id, 'issue' as kind, i.advocate as staff, i.id as issue, null::int as task, null::int as referral, i."case", i.client,
    coalesce(y.label, 'Issue') || ' (' || i.id || ')' as title,
    (select count(*)::int from tasks t where t.issue = i.id and t.done_at is null and t.error_reason is null) as steps, i.next_due as due,
    '/cases/' || i."case" || '/issues/' || i.id || '/details' as page, i.service, i.contract,
    null::int as assignee, i.created_by, i.hub, null::int as status, not is_employed(a.status) or a.refused_at is not null as is_left
  from issues i
  left join staff a on a.id = i.advocate
  left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
  where i.is_opened and i.status = 1 -- active
  union all
  select t.id * 4 + 1, 'task', t.assignee, t.issue, t.id, null, t."case", t.client, t.title, null, t.due,
    case when t.issue is not null then '/cases/' || t."case" || '/issues/' || t.issue || '/tasks'
      when t."case" is not null then '/cases/' || t."case" || '/tasks'
      when t.client is not null then '/clients/' || t.client || '/tasks'
      else '/advocate/' || t.assignee || '/tasks' end,
    i.service, i.contract, t.assignee, t.created_by, null, null, not is_employed(a.status) or a.refused_at is not null
  from tasks t
  left join staff a on a.id = t.assignee
  left join issues i on i.id = t.issue
  left join cases k on k.id = t."case"
  where t.done_at is null and t.error_reason is null and coalesce(i.is_opened and i.status = 1, true)
    and (t.issue is not null or coalesce(k.status = 1, true)) and i.advocate is distinct from t.assignee
  union all
  select q.id * 4 + 2, 'referral', q.taken_by, null, null, q.id, null, null,
    concat_ws(' ', 'Referral', q.id || ':', q.person ->> 'first_name', q.person ->> 'last_name'), null, null,
    '/dashboard/referral-requests/' || q.id, q.service, null, null, null, q.hub, q.status, not is_employed(a.status) or a.refused_at is not null
  from referral_requests q
  join staff a on a.id = q.taken_by
  where q.status in (1, 4) -- new, more information needed
  union all
  select d.id * 4 + 3, 'draft', d.staff, null, null, null, null, null,
    'Draft, kept until ' || to_char(d.updated_at + interval '30 days', 'FMDD FMMonth YYYY'), null, null,
    null, null, null, null, null, null, null, not is_employed(a.status) or a.refused_at is not null
  from drafts d
  join staff a on a.id = d.staff
  where d.updated_at > now() - interval '30 days'
) w
left join clients c on c.id = w.client
left join staff p on p.id = w.staff
