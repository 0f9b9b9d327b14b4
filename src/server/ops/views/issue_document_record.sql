select f.type, f.size, nullif(trim(s.first_name || ' ' || s.last_name), '') as created_by_name,
  x.*, s.name_key as created_by_name_key
from issue_documents x
join files f on f.id = x.file
left join staff s on s.id = x.created_by
where x.error_reason is null
