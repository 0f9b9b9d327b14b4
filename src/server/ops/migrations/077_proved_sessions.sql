-- kind: expand
-- How the person of a session proved who they are when it began, or since: a session that a later role or setting finds
-- wanting no longer counts. Sessions of the release before began by a password. It concerns no client, so a purge or a merge
-- leaves it alone; gone with the session, which is not exported.
-- step
alter table session add proved_by text not null default 'password';
alter table session add constraint session_proved_by
  check (proved_by in ('password', 'second factor', 'provider')) not valid;
-- step
alter table session validate constraint session_proved_by;
