select coalesce(m.hub, q.hub) as to_hub, coalesce(m.from_hub, q.from_hub) as from_hub, h.label as hub_label,
  case when c.is_shared then 'Answer' else 'Note' end as kind,
  nullif(trim(s.first_name || ' ' || s.last_name), '') as created_by_name,
  c.*, s.name_key as created_by_name_key
from referral_comments c
left join referral_messages m on m.id = c.message
left join referral_requests q on q.id = c.request
left join lookup h on h.kind = 'hub' and h.value = c.hub
left join staff s on s.id = c.created_by
