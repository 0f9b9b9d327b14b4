-- kind: expand
-- What lists and searches test, sum and sort of many rows is read off indexes alone.

-- The issues of found clients that a hub or a commissioner sees.
drop index issues_hub_client;
create index issues_hub_client on issues (hub, client) include (id, "case");
drop index issues_contract_client;
create index issues_contract_client on issues (contract, client) include (id, "case");

-- What the clients of a caseload are searched and sorted by.
create index clients_listed on clients (id) include (search, last_name, first_name, dob, postcode, status, created_by);

-- The time that went into an issue.
drop index actions_issue;
create index actions_issue on actions (issue, done_on desc, id desc) include (time_taken);
