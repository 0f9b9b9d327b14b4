select h.label as hub_label, f.label as from_hub_label, u.label as unread_by_label, null::text as role_label,
  case when m.created_by is null then 'The referrer' else nullif(trim(s.first_name || ' ' || s.last_name), '') end as created_by_name,
  nullif(trim(concat_ws(' ', q.person ->> 'first_name', q.person ->> 'last_name')), '') as person_name,
  (select count(*) from referral_comments c where c.message = m.id and c.is_shared) as answers,
  m.*,
  coalesce(s.name_key, text_key('The referrer')) as created_by_name_key,
  name_key(q.person ->> 'first_name', q.person ->> 'last_name') as person_name_key,
  (q.person ->> 'dod')::date as person_dod
from referral_messages m
left join referral_requests q on q.id = m.request
left join lookup h on h.kind = 'hub' and h.value = m.hub
left join lookup f on f.kind = 'hub' and f.value = m.from_hub
left join lookup u on u.kind = 'hub' and u.value = m.unread_by
left join staff s on s.id = m.created_by
