-- What the two sides of a referral wrote to each other, questions and answers alike. Answers have negative ids.
select m.id, m.id as message, m.request, 'Message' as kind, m.hub, m.from_hub, m.role,
  case when m.created_by is null then 'The referrer' else nullif(trim(s.first_name || ' ' || s.last_name), '') end as sender_name,
  f.label as sender_hub_label, m.text, u.label as unread_by_label, m.created_at,
  coalesce(s.name_key, case when m.created_by is null then text_key('The referrer') end) as sender_name_key
from referral_messages m
left join lookup f on f.kind = 'hub' and f.value = m.from_hub
left join lookup u on u.kind = 'hub' and u.value = m.unread_by
left join staff s on s.id = m.created_by
union all
select -c.id, m.id, m.request, 'Answer', m.hub, m.from_hub, s.groups[1],
  nullif(trim(s.first_name || ' ' || s.last_name), ''), h.label, c.text, null, c.created_at, s.name_key
from referral_comments c
join referral_messages m on m.id = c.message
left join lookup h on h.kind = 'hub' and h.value = c.hub
left join staff s on s.id = c.created_by
where c.is_shared
