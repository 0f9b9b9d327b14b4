-- kind: expand
-- The issues of found clients that a hub or a commissioner sees are read off one index.
drop index issues_hub_client;
create index issues_hub_client on issues (hub, client) include (id, "case");
drop index issues_contract_client;
create index issues_contract_client on issues (contract, client) include (id, "case");

-- What lists of a caseload are searched and sorted by is read off one index, as of cases.
create index clients_listed on clients (id) include (search, last_name, first_name, dob, postcode, status, created_by);
