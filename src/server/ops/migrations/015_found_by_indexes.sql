-- kind: expand
-- Cases and actions of the clients of a name are found, and the issues that somebody made are read, off an index alone.
-- A view needs an index to hold what it joins by, also where nothing of that is read.

drop index cases_client;
create index cases_client on cases (client) include (id, created_by, case_type, service, contract);
drop index actions_client;
create index actions_client on actions (client, done_on desc, id desc) include (created_by, issue, "case", type, time_taken);
drop index issues_created_by;
create index issues_created_by on issues (created_by, client) include ("case", id);
