-- kind: expand
-- Cases, issues and actions of the clients of a name are found by the issues of these clients that somebody sees.

drop index issues_client;
create index issues_client on issues (client) include (id, "case", created_by, advocate, service, hub, contract);
drop index actions_last;
create index actions_last on actions (created_by, id desc) include (client);
create index actions_without_issue on actions (client) include (id, "case", created_by) where issue is null;

-- Of all invalid issues, or all tasks, few are somebody's: they are found among these alone.
create index issues_invalid_advocate on issues (advocate, service) where is_invalid;
create index issues_invalid_created_by on issues (created_by) where is_invalid;
create index issues_invalid_hub on issues (hub) where is_invalid;
create index issues_invalid_contract on issues (contract) where is_invalid;
create index tasks_without_issue on tasks ("case") where issue is null;
create index tasks_without_case on tasks (client) where issue is null and "case" is null;

-- Reports have an activity under its number below zero.
create index activities_in_work on activities ((-id));
