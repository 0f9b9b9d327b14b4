-- kind: expand
-- Tests of the forms of a case type, and why a version was published although some of them failed. A draft without tests
-- of its own has those of its case type.

alter table case_types add column tests jsonb not null default '[]';
alter table case_type_versions
  add column tests jsonb not null default '[]',
  add column published_anyway text not null default '';
alter table case_type_drafts add column tests jsonb;
