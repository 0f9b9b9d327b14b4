-- kind: expand
-- A comment may be a hub's note about a referral itself, of which no message need exist. It is seen by its hub, audited as
-- other comments, purged and forgotten with its referral, exported, never changed, and written by those who deal with
-- referrals.
-- step
alter table referral_comments alter column message drop not null;
alter table referral_comments add column request integer;
alter table referral_comments add constraint referral_comments_request foreign key (request)
  references referral_requests on delete cascade not valid;
alter table referral_comments add constraint referral_comments_place check (num_nonnulls(message, request) = 1) not valid;
-- step
alter table referral_comments validate constraint referral_comments_request;
-- step
alter table referral_comments validate constraint referral_comments_place;
-- step: concurrently
create index concurrently referral_comments_of_request on referral_comments (request) where request is not null;
