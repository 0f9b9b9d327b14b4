-- A user name is the same in small and in capital letters, as it is at sign-in.
alter table staff drop constraint staff_username_key;
create unique index staff_username on staff (lower(username));

alter table staff
  add phone text,
  add partner_organisation integer,
  add leave_from date,
  add leave_to date,
  add switched_at timestamptz,
  add constraint staff_leave check (leave_to >= leave_from),
  add search text generated always as (searchable(first_name || ' ' || last_name || ' ' || username)) stored;
create index staff_search on staff using gin (search gin_trgm_ops);
create index staff_name on staff ((trim(first_name || ' ' || last_name)), id desc);
-- Leave begins and ends by itself, but a status that was given since its day came stays; days that are said anew count anew.
create function staff_switched() returns trigger language plpgsql as $$
begin
  new.switched_at := case when new.status <> old.status then now() end;
  return new;
end $$;
create trigger staff_switched before update of status, leave_from, leave_to on staff for each row
  when ((new.status, new.leave_from, new.leave_to) is distinct from (old.status, old.leave_from, old.leave_to))
  execute function staff_switched();
-- What somebody has open is counted off the index alone.
create index issues_open_of on issues (advocate) where is_opened and status = 1;
-- The log of sign-ins forgets old entries, one of which a session could name.
create index session_access_log on session (access_log);
-- When somebody signed in last.
create index access_log_username on access_log (username, attempt_time desc) where succeeded;

create or replace view staff_rows as
select a.id, trim(a.first_name || ' ' || a.last_name) as name, a.username, a.email, a.groups, a.status, a.hub, a.line_manager,
  trim(m.first_name || ' ' || m.last_name) as line_manager_name,
  (select count(*) from issues i where i.advocate = a.id and i.is_opened and i.status = 1)::int open_issues,
  (select count(*) from issues i join cases k on k.id = i."case" where i.advocate = a.id and i.is_opened and i.status = 1 and k.is_urgent = 'yes')::int urgent_issues,
  a.status in (1, 4) and a.groups && '{3,4,6,8}' as is_caseworker,
  a.search
from staff a
left join staff m on m.id = a.line_manager;

create view staff_record as
select a.id, a.version, a.username, a.first_name, a.last_name, a.email, a.phone, a.groups, a.status, a.hub, a.line_manager,
  a.services, a.contracts, a.partner_organisation, a.leave_from, a.leave_to, a.created_at,
  trim(a.first_name || ' ' || a.last_name) as name,
  nullif(trim(m.first_name || ' ' || m.last_name), '') as line_manager_name,
  (select count(*) from issues i where i.advocate = a.id and i.is_opened and i.status = 1)::int open_issues,
  case when a.password_hash is null then 'no' else 'yes' end as has_password,
  -- Said by the call, which knows who asks.
  false as is_me,
  (select max(l.attempt_time) from access_log l where l.username = lower(a.username) and l.succeeded) as signed_in_at
from staff a
left join staff m on m.id = a.line_manager;

-- Who can lead others; those who once did are read by their number all the same.
create view line_managers as
select a.id, trim(a.first_name || ' ' || a.last_name) as name, h.label as hub_label, a.search,
  a.status in (1, 4) and a.groups && '{1,2,7,9}' as is_offered
from staff a
left join lookup h on h.kind = 'hub' and h.value = a.hub;

create view help_hubs as
select value as id, label as name, active as is_offered, searchable(label) as search from lookup where kind = 'hub';

-- Who can be given an issue: whoever names no contract works on all of their services.
create or replace view caseworkers as
with hubs as materialized (select value, label, searchable(label) as search from lookup where kind = 'hub')
select w.id, w.name, w.team, w.open || case when w.open = 1 then ' open issue' else ' open issues' end as workload,
  w.leave, w.search, w.status, w.services,
  coalesce(nullif(w.contracts, '{}'), array(select l.value from lookup l where l.kind = 'contracts')) as contracts
from (
  select a.id, trim(a.first_name || ' ' || a.last_name) as name,
    nullif(concat_ws(', ', h.label, 'team of ' || trim(m.first_name || ' ' || m.last_name)), '') as team,
    (select count(*) from issues i where i.advocate = a.id and i.is_opened and i.status = 1) as open,
    case
      when a.status = 4 then concat('on leave', ' until ' || to_char(a.leave_to, 'FMDD FMMonth YYYY'))
      when a.leave_from > current_date then concat('on leave from ', to_char(a.leave_from, 'FMDD FMMonth YYYY'), ' to ' || to_char(a.leave_to, 'FMDD FMMonth YYYY'))
    end as leave,
    concat_ws(' ', a.search, h.search, 'team of ' || m.search) as search,
    a.status, a.services, a.contracts
  from staff a
  left join staff m on m.id = a.line_manager
  left join hubs h on h.value = a.hub
  where a.status in (1, 4) and a.groups && '{3,4,6,8}'
) w;

-- What was done to the record of a person, and by whom.
create view staff_history as
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
  end as title
from audit a
left join staff s on s.id = a.staff
where a.entity = 'staff' and a.action <> 'open';
