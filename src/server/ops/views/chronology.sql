-- The chronology of a client, case or issue: each write once, dated by when the event happened. Columns of the record
-- come from subqueries: a join would read the record even if entries are only counted. `linked` is the record while its
-- page can be opened: not where it was moved away from, and not while it is marked as entered in error.
select a.id, a.at, a.staff, coalesce(nullif(trim(s.first_name || ' ' || s.last_name), ''), 'The system') as person,
  a.entity, a.action, a.record, a.version, a.client, a."case", a.issue, a.changes, a.happened_on, a.kind,
  case
    when a.entity = 'action' and a.action = 'create' then coalesce((
      select t.label from actions x join lookup t on t.kind = 'action_type' and t.value = x.type where x.id = a.record), 'Action')
    when a.entity = 'issue' and a.action = 'create' then 'Issue opened: ' || coalesce((
      select y.label from issues i join lookup y on y.kind = 'issue_types' and y.value = i.issue_type where i.id = a.record), '')
    when a.entity = 'issue' and a.action = 'close' then 'Issue closed'
    when a.entity = 'task' and a.action in ('create', 'complete', 'reopen', 'drop') then (
      select case a.action when 'create' then 'Task added: ' when 'complete' then 'Task done: '
          when 'drop' then 'Task not needed: ' else 'Task opened again: ' end
        || x.title from tasks x where x.id = a.record)
  end as title,
  case when a.entity = 'action' and a.action = 'create'
    then (select x.notes from actions x where x.id = a.record) end as notes,
  case when a.entity = 'action' and a.action = 'create'
    then (select x.time_taken from actions x where x.id = a.record) end as time_taken,
  case when a.action not in ('mark error', 'clear error') then error_of(a.entity, a.action, a.record) end as error_reason,
  case when a.action <> 'move away' and error_of(a.entity, a.action, a.record) is null then a.record end as linked,
  coalesce(s.name_key, text_key('The system')) as person_key
from audit a
left join staff s on s.id = a.staff
where a.client is not null and a.action <> 'open'
