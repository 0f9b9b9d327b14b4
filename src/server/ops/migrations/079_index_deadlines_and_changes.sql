-- kind: expand
-- Open deadlines are read off an index alone: which are late or soon, and whose they are. It has the columns that its view
-- joins by, too, which PostgreSQL reads even where it leaves the join out.
-- step: concurrently
create index concurrently deadlines_open_state on deadlines (due, id)
  include (issue, "case", client, case_type, met_on, excused_on, excused_by, excuse_asked_by, ends_on, paused_since, warn_from)
  where is_open;
-- step: concurrently
drop index concurrently deadlines_open;
-- Each save asks whether its case waits for a publication, and the removal of a case for its changes.
-- step: concurrently
create index concurrently automation_changes_case on automation_changes ("case");
