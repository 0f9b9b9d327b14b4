-- kind: expand
-- What follows from the facts of cases and issues: the automations of a case type, and for each record the states in
-- which they hold.
--
-- automation_states: a row for each automation that holds for a record, with its alert. Everybody who sees the client
-- reads the label, those who see the record the text. Written by the evaluation in the transaction of a change, never
-- edited, so not audited; a purge or a removal takes it along; exported; at most 50 a record.
-- automation_holds: the calls that a state refuses. hold_passes: who passed one and why; audited, kept with the hold.
-- automation_events: an event for each time that an automation began to hold; exported, kept with its record.
-- automation_changes: cases to evaluate, with the transaction that changed them. A call evaluates its own before it
-- commits; a job evaluates what was written otherwise. Not exported; empty but for the last seconds.
-- step
alter table case_types add column automations jsonb not null default '[]';
alter table case_type_versions add column automations jsonb not null default '[]';
alter table case_type_drafts add column automations jsonb;

create table automation_states (
  id integer generated always as identity primary key,
  case_type integer not null references case_types on delete cascade,
  name text not null,
  -- Version of the case type by which it was evaluated last.
  version integer not null,
  client integer not null references clients on delete cascade,
  "case" integer not null references cases on delete cascade,
  -- Null: a state of the case.
  issue integer references issues on delete cascade,
  label text not null,
  level text check (level in ('danger', 'warning', 'info')),
  text text,
  -- The condition in words, and who made it true; null for a job.
  because text not null,
  by integer references staff on delete set null,
  since timestamptz not null default now()
);
create unique index automation_states_of_issue on automation_states (issue, name) where issue is not null;
create unique index automation_states_of_case on automation_states ("case", name) where issue is null;
create index automation_states_client on automation_states (client);
create index automation_states_in_case on automation_states ("case");
create index automation_states_name on automation_states (case_type, name);

create table automation_holds (
  id integer generated always as identity primary key,
  state integer not null references automation_states on delete cascade,
  call text not null,
  text text not null,
  -- Ids of the roles that may pass it.
  pass integer[] not null default '{}',
  unique (state, call, text)
);

create table hold_passes (
  id integer generated always as identity primary key,
  hold integer not null references automation_holds on delete cascade,
  staff integer not null references staff on delete cascade,
  reason text not null,
  at timestamptz not null default now(),
  used_at timestamptz
);
create index hold_passes_hold on hold_passes (hold, staff);
create index hold_passes_staff on hold_passes (staff);

create table automation_events (
  id integer generated always as identity primary key,
  case_type integer not null references case_types on delete cascade,
  name text not null,
  version integer not null,
  client integer not null references clients on delete cascade,
  "case" integer not null references cases on delete cascade,
  issue integer references issues on delete cascade,
  label text not null,
  because text not null,
  by integer references staff on delete set null,
  at timestamptz not null default now()
);
create index automation_events_client on automation_events (client);
create index automation_events_case on automation_events ("case");
create index automation_events_issue on automation_events (issue) where issue is not null;

create table automation_changes (
  id bigint generated always as identity primary key,
  "case" integer not null,
  -- False: states are stored, but nothing happens.
  fires boolean not null default true,
  transaction xid8 not null default pg_current_xact_id()
);
create index automation_changes_transaction on automation_changes (transaction);

alter table tasks add column event integer;
alter table work_notices add column event integer;
alter table work_notices add column text text;
alter table work_notices add column urgent boolean not null default false;
alter table tasks add constraint tasks_event
  foreign key (event) references automation_events on delete set null not valid;
alter table work_notices add constraint work_notices_event
  foreign key (event) references automation_events on delete cascade not valid;
alter table work_notices drop constraint work_notices_one;
alter table work_notices add constraint work_notices_one
  check (num_nonnulls(issue, referral, upload, task, client, event) = 1) not valid;

-- Notes the case of a saved record if its case type has automations. A save counts the version of the record up. What a
-- transaction changes with casework.fires off sets states, but nothing else happens.
create function note_automation_change() returns trigger language plpgsql as $$
declare
  fires boolean := coalesce(current_setting('casework.fires', true), '') <> 'off';
begin
  case tg_argv[0]
    when 'case' then
      insert into automation_changes ("case", fires) select new.id, fires from case_types t
      where t.id = new.case_type and t.automations <> '[]';
    when 'issue' then
      insert into automation_changes ("case", fires) select k.id, fires from cases k join case_types t on t.id = k.case_type
      where k.id = new."case" and t.automations <> '[]';
    else
      insert into automation_changes ("case", fires) select k.id, fires from cases k join case_types t on t.id = k.case_type
      where k.client = new.id and t.automations <> '[]';
  end case;
  return null;
end $$;
create trigger cases_automated_new after insert on cases for each row execute function note_automation_change('case');
create trigger cases_automated after update on cases for each row
  when (old.version <> new.version or old.status <> new.status or old.client <> new.client)
  execute function note_automation_change('case');
create trigger issues_automated_new after insert on issues for each row execute function note_automation_change('issue');
create trigger issues_automated after update on issues for each row
  when (old.version <> new.version or old.status <> new.status or old."case" <> new."case")
  execute function note_automation_change('issue');
create trigger clients_automated after update on clients for each row when (old.version <> new.version)
  execute function note_automation_change('client');
-- step
alter table tasks validate constraint tasks_event;
-- step
alter table work_notices validate constraint work_notices_event;
-- step
alter table work_notices validate constraint work_notices_one;
-- step: concurrently
create index concurrently tasks_event on tasks (event) where event is not null;
-- step: concurrently
create unique index concurrently work_notices_of_staff_and_event on work_notices (staff, event) where event is not null;
-- step: concurrently
create index concurrently work_notices_of_event on work_notices (event) where event is not null;
-- step: batched case_types
-- The alert that every case type with these two fields had, as a version of its own. Nothing else happens.
with changed as (
  update case_types set version = version + 1, updated_at = now(), automations = '[{
    "name": "open_concern", "label": "Open safeguarding concern", "of": "issue", "while": "open",
    "when": {"sfg_concern": "yes", "sfg_ooc": {"set": false}},
    "then": [{"alert": "Open safeguarding concern", "level": "danger"}]
  }]'
  where id between $1 and $2 and version > 0 and automations = '[]'
    and issue_meta @? '$[*].fields[*] ? (@.name == "sfg_concern")' and issue_meta @? '$[*].fields[*] ? (@.name == "sfg_ooc")'
  returning *
)
insert into case_type_versions (case_type, version, label, case_meta, issue_meta, tests, automations, note)
select id, version, label, case_meta, issue_meta, tests, automations,
  'The alert of open safeguarding concerns is an automation now.'
from changed;
-- step: batched issues
insert into automation_states (case_type, name, version, client, "case", issue, label, level, text, because)
select t.id, 'open_concern', t.version, i.client, i."case", i.id, 'Open safeguarding concern', 'danger',
  'Open safeguarding concern', 'Safeguarding concern is Yes and its outcome has no value'
from issues i join cases k on k.id = i."case" join case_types t on t.id = k.case_type
where i.id between $1 and $2 and i.answers ->> 'sfg_concern' = 'yes' and not i.answers ? 'sfg_ooc' and i.is_opened
  and i.status = 1 and t.automations @> '[{"name": "open_concern"}]'
on conflict do nothing;
