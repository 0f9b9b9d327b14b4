-- kind: expand
-- Sums of actions leave out what was entered in error, and are still read off the indexes alone.
-- step: concurrently
create index concurrently actions_client_counted on actions (client, done_on desc, id desc)
  include (created_by, issue, "case", type, time_taken, error_reason);
-- step: concurrently
drop index concurrently actions_client;
-- step: concurrently
create index concurrently actions_issue_counted on actions (issue, done_on desc, id desc)
  include (time_taken, error_reason);
-- step: concurrently
drop index concurrently actions_issue;
