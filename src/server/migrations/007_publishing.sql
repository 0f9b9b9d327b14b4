-- What administrators changed in a case type and did not publish yet: one for all of them. A draft that was published
-- or given up stays without forms, for its revision goes on: what is of an older one is not taken for the newest.
create table case_type_drafts (
  case_type integer primary key references case_types on delete cascade,
  rev integer not null default 1,
  base_version integer not null,
  label text not null,
  case_meta jsonb,
  issue_meta jsonb,
  author integer references staff,
  updated_at timestamptz not null default now(),
  check ((case_meta is null) = (issue_meta is null))
);

-- Why a version was made, in its author's words.
alter table case_type_versions add column note text not null default '';

-- Version 0 was never published: it is in the making, and staff are not offered it.
alter table case_types add constraint case_types_version check (version >= 0);

-- 2 is retired: for no new case; what there is of it goes on.
alter table case_types add column status integer not null default 1 check (status in (1, 2));

-- Within a service people tell case types apart by their names.
create unique index case_types_label on case_types (service, lower(regexp_replace(label, '\s', '', 'g')));

drop view case_type_rows;
create view case_type_rows as
select t.id, t.label, t.service, s.label as service_label, t.version, t.status,
  case when t.version = 0 then 'Not published yet' when t.status = 2 then 'Retired' else 'Offered' end as state,
  (select count(*) from cases k where k.case_type = t.id)::int cases,
  (select count(*) from cases k where k.case_type = t.id and k.status = 1
    and (k.open_issues > 0 or k.issue_count = 0))::int open_cases,
  t.updated_at, d.case_meta is not null as has_draft
from case_types t
left join lookup s on s.kind = 'services' and s.value = t.service
left join case_type_drafts d on d.case_type = t.id;
