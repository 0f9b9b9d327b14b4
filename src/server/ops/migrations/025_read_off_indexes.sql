-- kind: expand
-- What lists and searches test, sum and sort of many rows is read off indexes alone.

-- The issues of found clients that a hub or a commissioner sees.
drop index issues_hub_client;
create index issues_hub_client on issues (hub, client) include (id, "case");
drop index issues_contract_client;
create index issues_contract_client on issues (contract, client) include (id, "case");

-- The names of known clients. Its condition keeps it from being read whole where the clients of a name are looked for.
create index clients_names on clients (id) include (search) where id > 0;

-- The time that went into an issue.
drop index actions_issue;
create index actions_issue on actions (issue, done_on desc, id desc) include (time_taken);
