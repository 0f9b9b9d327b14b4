-- kind: expand
-- Notices have the texts of the automations of entities, and somebody can ask that a deadline is excused.
--
-- work_notices.text: now also of notices about a record of their own, with places for values; who sees a notice sees it,
-- and it goes with it.
-- deadlines.excuse_asked_…: who sees the deadline sees them; written by whoever asks, audited; a purge takes them along;
-- exported; one a deadline, and gone with the excuse.
-- step
alter table deadlines add column excuse_asked_by integer;
alter table deadlines add column excuse_asked_on date;
alter table deadlines add column excuse_asked_note text;
alter table deadlines add constraint deadlines_excuse_asked_by
  foreign key (excuse_asked_by) references staff on delete set null not valid;

-- The text of a notice with its values, as src/contract/automations/noticeText.ts fills it: of a part in brackets, the
-- first alternative counts whose values are all there.
create function fill_notice(template text, vals jsonb) returns text language plpgsql immutable parallel safe cost 1000 as $$
declare
  chosen text := '';
  filled text := '';
  part text;
  alternative text;
  name text;
begin
  for part in select m[1] from regexp_matches(template, '(\[[^\]]*\]|[^\[]+)', 'g') m loop
    if left(part, 1) <> '[' then
      chosen := chosen || part;
      continue;
    end if;
    foreach alternative in array string_to_array(btrim(part, '[]'), '|') loop
      if not exists (
        select from regexp_matches(alternative, '\{(\w+)\}', 'g') m where coalesce(vals ->> m[1], '') = ''
      ) then
        chosen := chosen || alternative;
        exit;
      end if;
    end loop;
  end loop;
  for part in select m[1] from regexp_matches(chosen, '(\{\w+\}|[^{]+|\{)', 'g') m loop
    name := substring(part from '^\{(\w+)\}$');
    filled := filled || case when name is null then part else coalesce(vals ->> name, '') end;
  end loop;
  return filled;
end $$;
-- step
alter table deadlines validate constraint deadlines_excuse_asked_by;
-- step: concurrently
create index concurrently deadlines_excuse_asked on deadlines (excuse_asked_on, id) where excuse_asked_on is not null;
-- step: concurrently
create index concurrently deadlines_excuse_asked_by on deadlines (excuse_asked_by) where excuse_asked_by is not null;
-- step: batched work_notices
update work_notices n set text = case
    when n.issue is not null then '[{by} assigned you|You were assigned] {client}[, {urgent}]'
    when n.task is not null then '[{by} gave you|You were given] “{title}”[ for {client}][, {overdue}]'
    when n.client is not null then '{client} died on {day}'
    when n.referral is not null then (
      select case q.status when 2 then '[{by} accepted|Accepted:]' when 3 then '[{by} rejected|Rejected:]'
        when 4 then '[{by} asks about|More is asked about]' else 'New again:' end || ' your referral {id}[ to {hub}]'
      from referral_requests q where q.id = n.referral)
    when n.upload is not null then (
      select 'Your upload {id} ({name}) ' || case u.state when 'done' then 'has added its cases' when 'undone' then 'is withdrawn'
        when 'failed' then 'has failed' when 'ready' then 'is checked' when 'mapping' then 'asks about its columns'
        else 'is at work' end
      from bulk_uploads u where u.id = n.upload)
  end
where n.id between $1 and $2 and n.event is null and n.text is null;
