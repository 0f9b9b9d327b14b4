select v.id, v.version, v.staff, nullif(trim(o.first_name || ' ' || o.last_name), '') as owner_name, v.screen, v.name,
  v.query, v.columns, v.shared, v.created_at, v.updated_at, o.name_key as owner_name_key
from saved_views v
join staff o on o.id = v.staff
