-- Uploads of cases, with the labels and counts that lists show.
select u.id, u.version, u.name, u.hub, h.label as hub_label, u.case_type, t.label as case_type_label, u.replaces,
  (select max(n.id) from bulk_uploads n where n.replaces = u.id) as replaced_by,
  u.state, u.problem, u.total, u.job_total, u.job_done, u.job_started_at, u.forgotten_at,
  coalesce((u.counts ->> 'wrong')::int, 0) as wrong,
  coalesce((u.counts ->> 'duplicate')::int, 0) as duplicate,
  coalesce((u.counts ->> 'ready')::int, 0) as ready,
  coalesce((u.counts ->> 'added')::int, 0) as added,
  coalesce((u.counts ->> 'skipped')::int, 0) + coalesce((u.counts ->> 'replaced')::int, 0) as left_out,
  coalesce((u.counts ->> 'undone')::int, 0) as undone,
  coalesce((u.counts ->> 'kept')::int, 0) as kept,
  u.created_by, trim(s.first_name || ' ' || s.last_name) as created_by_name, u.created_at, u.applied_at,
  case when u.state = 'done' and u.forgotten_at is null then u.applied_at + interval '14 days' end as undo_until,
  u.state = 'ready' and u.total > 0 and (u.counts ->> 'wrong')::int >= u.total is true as all_wrong,
  s.name_key as created_by_name_key, u.acting
from bulk_uploads u
join staff s on s.id = u.created_by
left join case_types t on t.id = u.case_type
left join lookup h on h.kind = 'hub' and h.value = u.hub
