-- kind: expand
-- Indexes that hardly any query uses since the rows of who may see what, and which each save of an issue wrote to. Access
-- rows, issues_without_advocate and issues_listed_invalid find what they found. The states that groups see have an index.
-- step: concurrently
drop index concurrently issues_unallocated;
-- step: concurrently
drop index concurrently issues_hub_client;
-- step: concurrently
drop index concurrently issues_contract_client;
-- step: concurrently
drop index concurrently issues_contract;
-- step: concurrently
drop index concurrently issues_open_due;
-- step: concurrently
drop index concurrently issues_invalid_hub;
-- step: concurrently
drop index concurrently issues_invalid_contract;
-- step: concurrently
drop index concurrently issues_invalid_created_by;
-- step: concurrently
create index concurrently automation_states_of_groups on automation_states (issue) include (groups) where groups <> '{}';
