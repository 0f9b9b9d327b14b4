-- kind: expand
-- Clients are narrowed by service: whether a person sees an issue of it is read off the indexes that find their issues.

drop index issues_advocate;
create index issues_advocate on issues (advocate, start_date desc, id desc) include ("case", client, service);
drop index issues_created_by;
create index issues_created_by on issues (created_by, client) include ("case", id, service);
drop index issues_hub_client;
create index issues_hub_client on issues (hub, client) include (id, "case", service);
drop index issues_contract_client;
create index issues_contract_client on issues (contract, client) include (id, "case", service);
