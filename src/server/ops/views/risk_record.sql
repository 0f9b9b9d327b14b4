select t.label as type_label, f.name as file_name, x.review_date < current_date as is_overdue,
  nullif(trim(s.first_name || ' ' || s.last_name), '') as created_by_name,
  x.*, s.name_key as created_by_name_key
from risks x
left join lookup t on t.kind = 'risk_type' and t.value = x.type
left join files f on f.id = x.file
left join staff s on s.id = x.created_by
