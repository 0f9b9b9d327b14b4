-- Audit events of a person's record.
select a.id, a.at, a.staff, coalesce(nullif(trim(s.first_name || ' ' || s.last_name), ''), 'The system') as person,
  a.entity, a.action, a.record, a.changes,
  case a.action
    when 'create' then 'Added'
    when 'update' then 'Changed'
    when 'password' then 'Password set'
    when 'password link' then 'Link to set a password sent'
    when 'end session' then 'A session ended'
    when 'end sessions' then 'Sessions ended'
    when 'hand over' then 'Work handed over'
    else a.action
  end as title,
  coalesce(s.name_key, text_key('The system')) as person_key
from audit a
left join staff s on s.id = a.staff
where a.entity = 'staff' and a.action <> 'open'
