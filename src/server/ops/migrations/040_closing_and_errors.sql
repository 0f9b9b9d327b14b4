-- kind: expand
-- What becomes of open steps when their issue is closed, and entries on the wrong person. A step that is not needed any
-- more is done with a reason (`dropped_reason`), so that every query for open tasks omits it. What was entered in error
-- is kept with the reason (`error_reason`), struck through in the chronology, and in no list, sum or report. Both columns
-- are written by whoever may write the entry, audited, purged and exported with their row, and at most 500 characters.
-- step
alter table actions add error_reason text;
alter table tasks add error_reason text, add dropped_reason text;
alter table issue_documents add error_reason text;
alter table signposts add error_reason text;

-- An action that moved counts for the issue that it left no longer.
create or replace function issue_contact() returns trigger language plpgsql as $$
begin
  update issues i set last_contact = t.last_contact
  from issues o left join lateral (
    select max(a.done_on) as last_contact from actions a where a.issue = o.id and a.error_reason is null
  ) t on true
  where o.id in (new.issue, old.issue) and i.id = o.id and i.last_contact is distinct from t.last_contact;
  return null;
end $$;
create or replace trigger actions_contact
  after insert or delete or update of issue, done_on, next_step, next_due, next_done_on, error_reason on actions
  for each row execute function issue_contact();

create or replace function issue_next_step(integer) returns void language sql as $$
  update issues i set next_task = n.id, next_step = n.title, next_due = n.due
  from (select 1) one left join lateral (
    select id, title, due from tasks where issue = $1 and done_at is null and error_reason is null order by due, id limit 1
  ) n on true
  where i.id = $1 and (i.next_task, i.next_step, i.next_due) is distinct from (n.id, n.title, n.due);
$$;
create or replace trigger tasks_next_step after insert or delete or update of title, due, done_at, issue, error_reason
  on tasks for each row execute function task_next_step();

-- As before, but a step that was moved to another issue than its action's stays there, and one that is not needed any
-- more is not opened again by a change of the action.
create or replace function action_task() returns trigger language plpgsql as $$
begin
  if new.next_due is null then
    delete from tasks where action = new.id;
    return null;
  end if;
  insert into tasks as t (title, due, assignee, created_by, issue, client, action, done_at)
  values (coalesce(new.next_step, 'Next step'), new.next_due,
    case when new.issue is null then new.created_by else (select advocate from issues where id = new.issue) end,
    new.created_by, new.issue, new.client, new.id, new.next_done_on + time '12:00')
  on conflict (action) do update set title = excluded.title, due = excluded.due,
    issue = case when t.issue is not distinct from old.issue then excluded.issue else t.issue end,
    client = case when t.issue is not distinct from old.issue then excluded.client else t.client end,
    version = t.version + 1, updated_at = now(),
    done_at = case when t.dropped_reason is null and t.done_at::date is distinct from new.next_done_on
      then excluded.done_at else t.done_at end
  where (t.title, t.due) is distinct from (excluded.title, excluded.due)
    or t.issue is not distinct from old.issue and (t.issue, t.client) is distinct from (excluded.issue, excluded.client)
    or t.dropped_reason is null and t.done_at::date is distinct from new.next_done_on;
  return null;
end $$;

-- As before, but a step that is not needed any more was not done.
create or replace function task_action() returns trigger language plpgsql as $$
begin
  update actions a set next_step = case when new.title = old.title then a.next_step else new.title end,
    next_due = new.due, next_done_on = case when new.dropped_reason is null then new.done_at::date end,
    version = a.version + 1, updated_at = now()
  where a.id = new.action and (new.title <> old.title or (a.next_due, a.next_done_on)
    is distinct from (new.due, case when new.dropped_reason is null then new.done_at::date end));
  return null;
end $$;

-- Why the record of an audit event counts as entered in error; null for events of where it was before it was moved.
create function error_of(entity text, action text, record integer) returns text language sql stable as $$
  select case when action <> 'move away' then case entity
    when 'action' then (select a.error_reason from actions a where a.id = record)
    when 'task' then (select t.error_reason from tasks t where t.id = record)
    when 'issueDocument' then (select d.error_reason from issue_documents d where d.id = record)
    when 'signpost' then (select s.error_reason from signposts s where s.id = record)
  end end
$$;
