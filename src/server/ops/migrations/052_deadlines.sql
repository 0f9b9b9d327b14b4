-- kind: expand
-- What is due on cases and issues by the deadlines of their case types, and when it stood still.
--
-- deadlines: a row for each time that something is due, was met or was excused. Who sees the issue, or else the case,
-- sees it. Written by the evaluation in the transaction of a change; an excuse is audited. A purge or a removal takes it
-- along, a move of an issue too; exported; some three for each issue and one more for each visit.
-- deadline_pauses: when a deadline of a record stood still; as above, and few.
-- step
alter table case_types add column deadlines jsonb not null default '[]';
alter table case_type_versions add column deadlines jsonb not null default '[]';
alter table case_type_drafts add column deadlines jsonb;

create table deadlines (
  id integer generated always as identity primary key,
  case_type integer not null references case_types on delete cascade,
  name text not null,
  -- Its place among the deadlines of this name and record, from 0.
  seq integer not null,
  client integer not null references clients on delete cascade,
  "case" integer not null references cases on delete cascade,
  -- Null: of the case.
  issue integer references issues on delete cascade,
  label text not null,
  -- What a list of work says: 'Visit due'.
  title text not null,
  counted_from date not null,
  due date not null,
  warn_from date not null,
  -- Working days if it is counted in these.
  paused_days integer not null default 0,
  paused_since date,
  -- After this day it can no longer be met.
  ends_on date,
  met_on date,
  met_by_action integer references actions on delete set null,
  met_by_field text,
  excused_on date,
  excused_by integer references staff on delete set null,
  excused_reason text,
  -- Version of the case type, and calendar of bank holidays, by which it was computed.
  form_version integer not null,
  calendar integer,
  is_open boolean not null generated always as (met_on is null and excused_on is null) stored
);
create unique index deadlines_key on deadlines (coalesce(issue, -"case"), name, seq);
create index deadlines_case on deadlines ("case", due);
create index deadlines_issue on deadlines (issue, due) where issue is not null;
create index deadlines_client on deadlines (client);
create index deadlines_case_type on deadlines (case_type, name);
create index deadlines_action on deadlines (met_by_action) where met_by_action is not null;
create index deadlines_excused_by on deadlines (excused_by) where excused_by is not null;
create index deadlines_open on deadlines (due, id) where is_open;

create table deadline_pauses (
  id integer generated always as identity primary key,
  "case" integer not null references cases on delete cascade,
  issue integer references issues on delete cascade,
  name text not null,
  from_day date not null,
  -- Null: it still stands still.
  to_day date
);
create index deadline_pauses_case on deadline_pauses ("case");
create index deadline_pauses_issue on deadline_pauses (issue) where issue is not null;

-- The state of a deadline on a day, as src/contract/deadlines/deadlineState.ts has it.
create function deadline_state(d deadlines, today date) returns text language sql immutable parallel safe
return case
  when d.met_on is not null then 'met'
  when d.excused_on is not null then 'excused'
  when today > d.ends_on then case when least(d.paused_since, today) > d.due then 'missed' else 'none' end
  when least(d.paused_since, today) > d.due then 'late'
  when least(d.paused_since, today) >= d.warn_from then 'soon'
  else 'due'
end;

-- As before, also for case types with deadlines.
create or replace function note_automation_change() returns trigger language plpgsql as $$
declare
  fires boolean := coalesce(current_setting('casework.fires', true), '') <> 'off';
begin
  case tg_argv[0]
    when 'case' then
      insert into automation_changes ("case", fires) select new.id, fires from case_types t
      where t.id = new.case_type and (t.automations <> '[]' or t.deadlines <> '[]');
    when 'issue' then
      insert into automation_changes ("case", fires) select k.id, fires from cases k join case_types t on t.id = k.case_type
      where k.id = new."case" and (t.automations <> '[]' or t.deadlines <> '[]');
    else
      insert into automation_changes ("case", fires) select k.id, fires from cases k join case_types t on t.id = k.case_type
      where k.client = new.id and t.automations <> '[]';
  end case;
  return null;
end $$;

-- Actions meet deadlines: notes the case of one that is new, changed, moved, marked as an error or gone.
create function note_action_change() returns trigger language plpgsql as $$
declare
  fires boolean := coalesce(current_setting('casework.fires', true), '') <> 'off';
begin
  insert into automation_changes ("case", fires)
  select k.id, fires from cases k join case_types t on t.id = k.case_type
  where k.id in (new."case", old."case") and t.deadlines <> '[]';
  return null;
end $$;
create trigger actions_automated after insert or delete or update of issue, "case", type, done_on, error_reason on actions
  for each row execute function note_action_change();

-- An edited calendar moves what is still due, but lets nothing else happen.
create function note_calendar_change() returns trigger language plpgsql as $$
begin
  insert into automation_changes ("case", fires) select distinct d."case", false from deadlines d where d.is_open;
  return null;
end $$;
create trigger lookup_calendars after update on lookup for each row
  when (new.kind in ('bank_holiday', 'bank_holiday_calendar', 'council_area')
    and (old.attrs, old.active) is distinct from (new.attrs, new.active))
  execute function note_calendar_change();
create trigger lookup_calendars_new after insert on lookup for each row
  when (new.kind in ('bank_holiday', 'bank_holiday_calendar')) execute function note_calendar_change();
