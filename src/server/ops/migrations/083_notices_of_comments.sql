-- kind: expand
-- How notices of comments on the fields of case types reach an administrator; until now by the bell alone.
-- step
alter table staff add column notify_comment text not null default 'bell';
