-- kind: expand
-- A task may be on a case as such, and each has its case, so that a case lists them by an index. A task that somebody
-- else gave to a person is new work of theirs.

alter table tasks add column "case" integer references cases;

-- A task on an issue or action is one of their case and client, one on a case is one of its client.
create or replace function task_place() returns trigger language plpgsql as $$
begin
  if new.issue is not null then
    select client, "case" into new.client, new."case" from issues where id = new.issue;
  elsif new.action is not null then
    select client, "case" into new.client, new."case" from actions where id = new.action;
  elsif new."case" is not null then
    select client into new.client from cases where id = new."case";
  end if;
  return new;
end $$;

alter table tasks disable trigger user;
update tasks t set "case" = i."case" from issues i where i.id = t.issue;
update tasks t set "case" = a."case" from actions a where a.id = t.action and t.issue is null;
alter table tasks enable trigger user;
create index tasks_case on tasks ("case", due, id) where "case" is not null;

-- As before, but a task knows its case.
create or replace function audit_place() returns trigger language plpgsql as $$
begin
  if new.client is not null or new.record is null then return new; end if;
  case new.entity
    when 'client' then new.client := new.record;
    when 'case', 'caseMonitoring' then new."case" := new.record;
    when 'issue', 'issueMonitoring' then new.issue := new.record;
    when 'action' then
      select client, "case", issue into new.client, new."case", new.issue from actions where id = new.record;
    when 'task' then
      select client, "case", issue into new.client, new."case", new.issue from tasks where id = new.record;
    when 'risk' then select client into new.client from risks where id = new.record;
    when 'communicationIssue' then select client into new.client from communication_issues where id = new.record;
    when 'signpost' then select client, "case" into new.client, new."case" from signposts where id = new.record;
    when 'issueDocument' then select issue into new.issue from issue_documents where id = new.record;
    when 'referralRequest' then
      select from_client, from_case into new.client, new."case" from referral_requests where id = new.record;
    else return new;
  end case;
  if new."case" is null and new.issue is not null then
    select "case" into new."case" from issues where id = new.issue;
  end if;
  if new.client is null and new."case" is not null then
    select client into new.client from cases where id = new."case";
  end if;
  -- A case on which anything is done is not an old one.
  if new.action not in ('open', 'purge') then update cases set touched_at = now() where id = new."case"; end if;
  return new;
end $$;

alter table work_notices add column task integer references tasks on delete cascade;
alter table work_notices drop constraint work_notices_check;
alter table work_notices add check (num_nonnulls(issue, referral, upload, task) = 1);
create unique index work_notices_task on work_notices (staff, task) where task is not null;
create index work_notices_of_task on work_notices (task) where task is not null;
