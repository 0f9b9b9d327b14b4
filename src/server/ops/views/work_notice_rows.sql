select n.id, n.version, n.staff, n.issue, n.referral, n.upload, n.task,
  case when n.issue is not null then 'issue' when n.referral is not null then 'referral'
    when n.task is not null then 'task' when n.client is not null then 'client' else 'upload' end as kind,
  case when n.issue is not null then concat_ws(', ', 'Issue ' || i.id, y.label, c.first_name || ' ' || c.last_name)
    when n.referral is not null then concat_ws(' ', 'Referral', q.id, 'to', h.label)
    when n.task is not null then concat_ws(', ', t.title, d.first_name || ' ' || d.last_name)
    when n.client is not null then concat(e.first_name || ' ' || e.last_name, ' died on ', to_char(e.dod, 'FMDD FMMonth YYYY'))
    else concat_ws(': ', 'Upload ' || u.id, u.name) end as title,
  case when n.issue is not null then case when k.is_urgent = 'yes' then 'Urgent' else 'Assigned' end
    when n.referral is not null then case q.status when 1 then 'New' when 2 then 'Accepted' when 3 then 'Rejected'
      else 'More information needed' end
    when n.task is not null then case when t.due < current_date then 'Overdue' else 'Given' end
    when n.client is not null then 'Died'
    else case u.state when 'done' then 'Cases added' when 'undone' then 'Withdrawn' when 'failed' then 'Failed'
      when 'ready' then 'Checked' when 'mapping' then 'Columns to choose' else 'At work' end end as state,
  case when n.issue is not null then '/cases/' || i."case" || '/issues/' || i.id || '/details'
    when n.client is not null then '/clients/' || n.client || '/info'
    when n.referral is not null then '/clients/' || q.from_client || '/referrals'
    when t.issue is not null then '/cases/' || t."case" || '/issues/' || t.issue || '/tasks'
    when t."case" is not null then '/cases/' || t."case" || '/tasks'
    when t.client is not null then '/clients/' || t.client || '/tasks'
    when n.task is not null then case when p.groups && array[3, 4, 6, 8] then '/dashboard/my-cases' -- caseworkers
      else '/dashboard/my-tasks' end
    else '/dashboard/case-uploads/' || u.id || '/summary' end as page,
  nullif(trim(b.first_name || ' ' || b.last_name), '') as created_by_name,
  n.created_at,
  n.read_at,
  case when n.read_at is null then 'Unread' else 'Read' end as seen,
  b.name_key as created_by_name_key,
  n.client
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
left join staff p on p.id = n.staff
left join staff b on b.id = n.created_by
where coalesce(i.id, q.id, u.id, t.id, e.id) is not null
