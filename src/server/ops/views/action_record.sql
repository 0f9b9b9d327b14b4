-- Outer joins even if there always is a row: the planner omits those that a count does not need.
select c.first_name || ' ' || c.last_name as client_name, t.label as type_label,
  nullif(trim(s.first_name || ' ' || s.last_name), '') as created_by_name, k.service,
  c.search as client_search,
  x.*,
  c.name_key as client_name_key, s.name_key as created_by_name_key, c.dod as client_dod
from actions x
left join clients c on c.id = x.client
left join cases k on k.id = x."case"
left join lookup t on t.kind = 'action_type' and t.value = x.type
left join staff s on s.id = x.created_by
where x.error_reason is null
