select t.label as type_label, g.label as group_label, n.label as contract_label, (n.attrs ->> 'service')::int as contract_service,
  nullif(trim(s.first_name || ' ' || s.last_name), '') as created_by_name,
  x.*,
  s.name_key as created_by_name_key
from activities x
left join lookup t on t.kind = 'activity_type' and t.value = x.type
left join lookup g on g.kind = 'activity_group' and g.value = (t.attrs ->> 'group')::int
left join lookup n on n.kind = 'contracts' and n.value = x.commissioning_contract
left join staff s on s.id = x.created_by
