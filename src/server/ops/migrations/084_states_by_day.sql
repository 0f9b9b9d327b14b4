-- kind: expand
-- Managers see what has held records the longest, however many states there are.
-- step: concurrently
create index concurrently automation_states_since on automation_states (since, id);
