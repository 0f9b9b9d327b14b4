select nullif(trim(s.first_name || ' ' || s.last_name), '') as created_by_name, t.*, s.name_key as created_by_name_key
from consent_texts t
left join staff s on s.id = t.created_by
