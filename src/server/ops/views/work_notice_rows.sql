-- The notices of a person. In a notice of an automation, title and sentence have what every receiver may know: the label,
-- the number of the record and whom to ask. Only those who see its records get event_text and event_whom
-- (src/server/records/query/computed.ts).
select n.id, n.version, n.staff, n.issue, n.referral, n.upload, n.task,
  z.kind,
  case when n.issue is not null then concat_ws(', ', 'Issue ' || i.id, y.label, c.first_name || ' ' || c.last_name)
    when n.referral is not null then concat_ws(' ', 'Referral', q.id, 'to', h.label)
    when n.task is not null then concat_ws(', ', t.title, d.first_name || ' ' || d.last_name)
    when n.client is not null then concat(e.first_name || ' ' || e.last_name, ' died on ', to_char(e.dod, 'FMDD FMMonth YYYY'))
    when n.event is not null then v.words
    when n.field_comment is not null then concat_ws(', ', fc.label, ct.label)
    else concat_ws(': ', 'Upload ' || u.id, u.name) end as title,
  case when n.issue is not null then case when k.is_urgent = 'yes' then 'Urgent' else 'Assigned' end
    when n.referral is not null then case q.status when 1 then 'New' when 2 then 'Accepted' when 3 then 'Rejected'
      else 'More information needed' end
    when n.task is not null then case when t.due < current_date then 'Overdue' else 'Given' end
    when n.client is not null then 'Died'
    when n.event is not null then case when n.urgent then 'Urgent' else 'Recorded' end
    when n.field_comment is not null then case when fc.resolved_at is null then 'Open' else 'Resolved' end
    else case u.state when 'done' then 'Cases added' when 'undone' then 'Withdrawn' when 'failed' then 'Failed'
      when 'ready' then 'Checked' when 'mapping' then 'Columns to choose' else 'At work' end end as state,
  case when n.issue is not null then '/cases/' || i."case" || '/issues/' || i.id || '/details'
    when n.client is not null then '/clients/' || n.client || '/info'
    when n.referral is not null and n.staff is distinct from q.created_by then '/dashboard/referral-requests/' || q.id
    when n.referral is not null then '/clients/' || q.from_client || '/referrals'
    when t.issue is not null then '/cases/' || t."case" || '/issues/' || t.issue || '/tasks'
    when t."case" is not null then '/cases/' || t."case" || '/tasks'
    when t.client is not null then '/clients/' || t.client || '/tasks'
    when n.task is not null then case when p.groups && array[3, 4, 6, 8] then '/dashboard/my-cases' -- caseworkers
      else '/dashboard/my-tasks' end
    when n.upload is not null then '/dashboard/case-uploads/' || u.id || '/summary'
    when n.field_comment is not null
      then '/dashboard/module-constructor/' || fc.case_type || '/fields/' || fc.form || '/' || fc.field end as page,
  case when n.event is null then b.name end as created_by_name,
  n.created_at,
  n.read_at,
  case when n.read_at is null then 'Unread' else 'Read' end as seen,
  case when n.event is null then b.name_key end as created_by_name_key,
  n.client,
  n.urgent,
  -- The texts are those of the automations of the entities (schemas/entities).
  case when n.event is not null then concat(v.words, '. Ask ' || v.ask)
    else fill_notice(coalesce(n.text, '{title}'), jsonb_build_object('by', b.name, 'id', z.record,
      'client', coalesce(c.first_name || ' ' || c.last_name, d.first_name || ' ' || d.last_name, e.first_name || ' ' || e.last_name),
      'title', coalesce(t.title, y.label, fc.label), 'urgent', case when k.is_urgent = 'yes' then 'urgent' end,
      'overdue', case when t.due < current_date then 'overdue' end, 'day', to_char(e.dod, 'FMDD FMMonth YYYY'),
      'hub', h.label, 'name', coalesce(u.name, ct.label))) end as sentence,
  n.event,
  -- Those who see the records get these instead.
  case when n.event is not null then concat(n.text, ' (' || v.several || ')') end as event_text,
  v.whom as event_whom, v.page as event_page,
  case when n.event is not null then b.name end as event_by,
  case when n.urgent then 'mail' when k.is_urgent = 'yes' and z.choice = 'none' then 'bell' else z.choice end as choice,
  case when z.choice <> 'none' or n.urgent or k.is_urgent = 'yes' then 'yes' else 'no' end as in_bell,
  n.field_comment
from work_notices n
left join issues i on i.id = n.issue and i.advocate = n.staff and i.is_opened and i.status = 1
left join cases k on k.id = i."case"
left join clients c on c.id = i.client
left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
left join referral_requests q on q.id = n.referral
left join lookup h on h.kind = 'hub' and h.value = q.hub
left join bulk_uploads u on u.id = n.upload
left join tasks t on t.id = n.task and t.assignee = n.staff and t.done_at is null and t.error_reason is null
left join clients d on d.id = t.client
left join clients e on e.id = n.client and e.dod is not null
left join field_comments fc on fc.id = n.field_comment
left join case_types ct on ct.id = fc.case_type
join staff p on p.id = n.staff
cross join lateral (
  select * from (values ('issue', n.issue, p.notify_issue), ('referral', n.referral, p.notify_referral),
    ('task', n.task, p.notify_task), ('client', n.client, p.notify_client),
    ('automation', n.event, p.notify_automation), ('upload', n.upload, p.notify_upload),
    ('comment', n.field_comment, p.notify_comment)) as kinds(kind, record, choice)
  where record is not null
) z
left join lateral (
  select nullif(trim(s.first_name || ' ' || s.last_name), '') as name, s.name_key from staff s where s.id = n.created_by
) b on true
left join lateral (
  select case when m.events = 1 then concat(f.label, ': ', coalesce('issue ' || f.issue, 'case ' || f."case"))
      else concat(f.label, ' (', m.events, ')') end as words,
    case when m.events > 1 then m.events end as several,
    case when m.events = 1 then nullif(trim(a.first_name || ' ' || a.last_name), '') end as ask,
    case when m.events = 1 then w.first_name || ' ' || w.last_name end as whom,
    case when m.events = 1 then '/cases/' || f."case" || coalesce('/issues/' || f.issue, '') || '/details' end as page
  from automation_events f
  cross join (select count(*) as events from work_notice_events o where o.notice = n.id) m
  join clients w on w.id = f.client
  left join issues x on x.id = f.issue
  left join cases l on l.id = f."case"
  left join staff a on a.id = coalesce(x.advocate, x.created_by, l.created_by)
  where f.id = n.event
) v on true
where coalesce(i.id, q.id, u.id, t.id, e.id, fc.id, case when v.words is not null then n.event end) is not null
