-- kind: expand
-- Values from outside of a form that a record was filled in with: {path: {value, record, day}}, such as '$client.dob'. They
-- are written by whoever saves the record, as that person may see them, and read with it; what comes from another record is
-- shown only to those who see that one. A change of them is audited without the values. They are purged and exported with
-- their record; what was read from a record that is purged, or that an undone merge gives back, is removed. A form names at
-- most 40 of them, which bounds the column.
-- step
alter table cases add answers_seen jsonb not null default '{}';
alter table issues add answers_seen jsonb not null default '{}';
