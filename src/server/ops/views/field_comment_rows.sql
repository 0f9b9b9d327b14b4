-- Comments on fields, with the names of who wrote and resolved them.
select c.id, c.version, c.case_type, c.form, c.field, c.label, c.text, c.created_at, c.resolved_at,
  case when c.resolved_at is null then 'open' else 'resolved' end as state,
  nullif(trim(b.first_name || ' ' || b.last_name), '') as created_by_name,
  nullif(trim(r.first_name || ' ' || r.last_name), '') as resolved_by_name,
  b.name_key as created_by_name_key,
  r.name_key as resolved_by_name_key
from field_comments c
left join staff b on b.id = c.created_by
left join staff r on r.id = c.resolved_by
