-- What administrators changed in a case type and did not publish yet: one for all of them.
create table case_type_drafts (
  case_type integer primary key references case_types on delete cascade,
  rev integer not null default 1,
  base_version integer not null,
  label text not null,
  case_meta jsonb not null,
  issue_meta jsonb not null,
  author integer references staff,
  updated_at timestamptz not null default now()
);

-- Why a version was made, in its author's words.
alter table case_type_versions add column note text not null default '';

-- Version 0 was never published: it is in the making, and staff are not offered it.
alter table case_types add constraint case_types_version check (version >= 0);

drop view case_type_rows;
create view case_type_rows as
select t.id, t.label, t.service, s.label as service_label, t.version,
  (select count(*) from cases k where k.case_type = t.id)::int cases, t.updated_at,
  d.case_type is not null as has_draft
from case_types t
left join lookup s on s.kind = 'services' and s.value = t.service
left join case_type_drafts d on d.case_type = t.id;
