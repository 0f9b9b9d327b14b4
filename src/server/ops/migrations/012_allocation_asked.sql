-- kind: expand
-- Hub staff ask for another advocate: {by, at, note} until somebody assigns the issue.

alter table issues add column allocation_asked jsonb;
create index issues_allocation_asked on issues (id) where allocation_asked is not null;
