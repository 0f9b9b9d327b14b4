-- kind: expand
-- How often a person made a call within the current minute, counted over all servers. Unlogged: it need not outlive a
-- crash, and is cheaper so. There is one row for a person and call, changed in place.
create unlogged table call_count (
  staff integer not null references staff on delete cascade,
  name text not null,
  minute timestamptz not null,
  calls integer not null,
  primary key (staff, name)
) with (fillfactor = 50);

-- Wrong links are counted by address alone, and addresses of version 6 by their network.
delete from access_attempt where key like 'link:%' or key like 'ip:%:%';
