-- The request that a kept reply answers: the audit of the same request says whose data is in it.
alter table idempotency add request text;

-- A draft's title may be a person's name, and the audit stays when the draft has gone.
update audit set changes = changes - 'title' where entity = 'draft' and changes ? 'title';

-- The sign-in that began a session, to be told when it ended.
alter table session add access_log bigint references access_log on delete set null;

-- Whom somebody looked for is forgotten after a while.
create index audit_searches on audit (at) where action = 'search' and changes is not null;
