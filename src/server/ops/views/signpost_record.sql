select o.label as sp_org_label, t.label as sp_type_label,
  nullif(trim(s.first_name || ' ' || s.last_name), '') as created_by_name,
  x.*, s.name_key as created_by_name_key
from signposts x
left join lookup o on o.kind = 'sp_org' and o.value = x.sp_org
left join lookup t on t.kind = 'sp_type' and t.value = x.sp_type
left join staff s on s.id = x.created_by
where x.error_reason is null
