-- kind: expand
-- Answers that do not count, because a save or a publication hides their questions, are kept apart from those that do:
-- {name: {value, since, by (a person's id) or version (of the form)}}. They are seen, audited, purged and exported with
-- their record; whoever may change the record may delete one. Only valid answers become hidden, one for each name, so
-- the column is bounded as `answers` is. `counted_version` is the version of the form by which they were last told
-- apart: a job does it for records that are there already, and for those that a server of the release before changed.
-- step
alter table cases add hidden_answers jsonb not null default '{}', add counted_version integer;
alter table issues add hidden_answers jsonb not null default '{}', add counted_version integer;
