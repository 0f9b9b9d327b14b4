-- kind: expand
-- Notices of automations: one for each receiver of an upload or publication, a choice for each kind of notice, and mails.
--
-- work_notice_events: what a notice of automations counts. Written with the notice in the transaction of a change, never
-- edited, so not audited; gone with the notice or the record of the event; exported.
-- staff.notify_…: how each kind of notice reaches a person: bell, mail (bell and a mail at once), digest (bell and the
-- digest) or none; written by the person, audited as a change of theirs; exported.
-- mail_outbox: a mail of a notice that is still to be sent, written in the transaction of the notice and deleted once the
-- mail server has accepted it. Of the receiver, without a text of its own; not audited; gone with the notice, so with a
-- purge and after its days; neither exported nor imported. At most one a notice.
-- step
create table work_notice_events (
  notice integer not null references work_notices on delete cascade,
  event integer not null references automation_events on delete cascade,
  primary key (notice, event)
);
create index work_notice_events_event on work_notice_events (event);

-- What was uploaded or published together and an automation said about it: its events share a notice.
alter table automation_changes add column batch text;
alter table work_notices add column batch text;
alter table staff
  add column notify_automation text not null default 'digest',
  add column notify_issue text not null default 'bell',
  add column notify_task text not null default 'bell',
  add column notify_referral text not null default 'bell',
  add column notify_upload text not null default 'bell',
  add column notify_client text not null default 'bell';

create table mail_outbox (
  id integer generated always as identity primary key,
  notice integer not null unique references work_notices on delete cascade,
  -- Identifies the mail where it is sent twice because a server was killed.
  message_id uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now(),
  -- Not before then.
  run_at timestamptz not null default now(),
  worker uuid,
  leased_until timestamptz,
  -- Failures, and the code of the last one.
  attempts integer not null default 0,
  last_error text
);
create index mail_outbox_due on mail_outbox (run_at, id);

-- Open pages of the receivers learn of their notices at the commit.
create function announce_work_notices() returns trigger language plpgsql as $$
begin
  perform pg_notify('published', 'notices ' || staff) from (select distinct staff from changed) receivers;
  return null;
end $$;
create trigger work_notices_added after insert on work_notices referencing new table as changed
  for each statement execute function announce_work_notices();
create trigger work_notices_changed after update on work_notices referencing new table as changed
  for each statement execute function announce_work_notices();
-- step: concurrently
create unique index concurrently work_notices_of_staff_and_batch on work_notices (staff, batch) where batch is not null;
-- step: batched work_notices
insert into work_notice_events (notice, event)
select id, event from work_notices where id between $1 and $2 and event is not null on conflict do nothing;
