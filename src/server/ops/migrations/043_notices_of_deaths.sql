-- kind: expand
-- A notice may be about a client: that the person has died. It is seen by its recipient while they see the client, has no
-- audit, is deleted with the client and after the days of other notices, and is written by the server only: one for each
-- advocate of an open issue.
-- step
alter table work_notices add column client integer;
alter table work_notices add constraint work_notices_client foreign key (client) references clients on delete cascade not valid;
alter table work_notices drop constraint work_notices_check;
alter table work_notices add constraint work_notices_one check (num_nonnulls(issue, referral, upload, task, client) = 1) not valid;
-- step
alter table work_notices validate constraint work_notices_client;
-- step
alter table work_notices validate constraint work_notices_one;
-- step: concurrently
create unique index concurrently work_notices_of_staff_and_client on work_notices (staff, client) where client is not null;
-- step: concurrently
create index concurrently work_notices_of_client on work_notices (client) where client is not null;
-- Referrals that a person deals with, to know what is left when they leave.
-- step: concurrently
create index concurrently referral_requests_taken on referral_requests (taken_by) where status in (1, 4);
