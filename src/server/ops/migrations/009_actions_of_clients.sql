-- kind: expand
-- The actions of clients that a search finds are summed off the index alone, within the scope of the caller.

drop index actions_client;
create index actions_client on actions (client, done_on desc, id desc) include (created_by, issue, "case", time_taken);
