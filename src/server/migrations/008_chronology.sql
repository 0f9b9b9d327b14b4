-- When an entry of a story happened and of what kind it is stand in the audit itself, so that a page of a story is read
-- off an index, however much was ever done.
create function audit_day(entity text, action text, record integer, changes jsonb, at timestamptz) returns date
language plpgsql stable as $$
declare
  day date;
begin
  if action = 'create' and entity = 'action' then select done_on into day from actions where id = record;
  elsif action = 'create' and entity = 'issue' then select start_date into day from issues where id = record;
  elsif action = 'close' then day := (changes #>> '{close_date,to}')::date;
  end if;
  return coalesce(day, at::date);
end $$;

alter table audit add happened_on date;
alter table audit
  alter happened_on type date using audit_day(entity, action, record, changes, at),
  add kind text generated always as (
    case
      when entity = 'action' and action = 'create' then 'action'
      when entity = 'issue' and action in ('create', 'close') then 'issue'
      when entity = 'case' and action = 'create' then 'issue'
      when entity in ('issueDocument', 'file') then 'file'
      when entity in ('risk', 'communicationIssue') then 'risk'
      when changes ?| array['desired_outcomes', 'actual_outcomes', 'ndti_outcomes', 'hnc_outcomes', 'comm_outcomes'] then 'outcome'
      else 'change'
    end
  ) stored;

-- Always: the rows of bulk loads carry what other triggers would do, but not this.
create function audit_when() returns trigger language plpgsql as $$
begin
  new.happened_on := audit_day(new.entity, new.action, new.record, new.changes, new.at);
  return new;
end $$;
create trigger audit_when before insert on audit for each row execute function audit_when();
alter table audit enable always trigger audit_when;

-- Somebody corrects the day of what is in the story already.
create function audit_moved() returns trigger language plpgsql as $$
begin
  update audit set happened_on = audit_day(entity, action, record, changes, at)
  where entity = tg_argv[0] and record = new.id and action = 'create';
  return null;
end $$;
create trigger actions_moved after update of done_on on actions for each row
  when (old.done_on is distinct from new.done_on) execute function audit_moved('action');
create trigger issues_moved after update of start_date on issues for each row
  when (old.start_date is distinct from new.start_date) execute function audit_moved('issue');

-- In the order of a story, with what it is narrowed by.
drop index audit_client, audit_case, audit_issue;
create index audit_client on audit (client, happened_on desc nulls last, id desc) include (action, kind, staff)
  where client is not null;
create index audit_case on audit ("case", happened_on desc nulls last, id desc) include (action, kind, staff, client)
  where "case" is not null;
create index audit_issue on audit (issue, happened_on desc nulls last, id desc) include (action, kind, staff, client)
  where issue is not null;

-- What is told of the record itself is asked for by entry: a join would read the entry for its condition even where
-- entries are only counted.
create or replace view chronology as
select a.id, a.at, a.staff, coalesce(nullif(trim(s.first_name || ' ' || s.last_name), ''), 'The system') as person,
  a.entity, a.action, a.record, a.version, a.client, a."case", a.issue, a.changes, a.happened_on, a.kind,
  case
    when a.entity = 'action' and a.action = 'create' then coalesce((
      select t.label from actions x join lookup t on t.kind = 'action_type' and t.value = x.type where x.id = a.record), 'Action')
    when a.entity = 'issue' and a.action = 'create' then 'Issue opened: ' || coalesce((
      select y.label from issues i join lookup y on y.kind = 'issue_types' and y.value = i.issue_type where i.id = a.record), '')
    when a.entity = 'issue' and a.action = 'close' then 'Issue closed'
  end as title,
  case when a.entity = 'action' and a.action = 'create' then (select x.notes from actions x where x.id = a.record) end as notes,
  case when a.entity = 'action' and a.action = 'create' then (select x.time_taken from actions x where x.id = a.record) end as time_taken
from audit a
left join staff s on s.id = a.staff
where a.client is not null and a.action <> 'open';
