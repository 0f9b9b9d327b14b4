-- Everything about a referral in one thread: what was asked, what the two sides wrote to each other, the notes of each
-- hub (`note_of`), and how it was decided. Answers and notes have negative ids, the request and the decision those after
-- half a billion and after a billion.
select e.id, e.message, e.request, e.kind, e.hub, e.from_hub, e.note_of, coalesce(e.role, s.groups[1]) as role,
  coalesce(e.other_name, nullif(trim(s.first_name || ' ' || s.last_name), '')) as sender_name,
  h.label as sender_hub_label, e.text, u.label as unread_by_label, e.created_at,
  coalesce(s.name_key, text_key(e.other_name)) as sender_name_key
from (
  select m.id, m.id as message, m.request, 'Message' as kind, m.hub, m.from_hub, null::int as note_of, m.role, m.text,
    m.created_by as staff, case when m.created_by is null then 'The referrer' end as other_name, m.from_hub as sender_hub,
    m.unread_by, m.created_at
  from referral_messages m
  union all
  select -c.id, c.message, coalesce(c.request, m.request), case when c.is_shared then 'Answer' else 'Note' end,
    coalesce(m.hub, q.hub), coalesce(m.from_hub, q.from_hub), case when not c.is_shared then c.hub end, null, c.text,
    c.created_by, null, c.hub, null, c.created_at
  from referral_comments c
  left join referral_messages m on m.id = c.message
  left join referral_requests q on q.id = c.request
  union all
  select 500000000 + q.id, null, q.id, 'Request', q.hub, q.from_hub, null, null, q.reason,
    q.created_by, nullif(concat_ws(', ', q.referrer ->> 'referrer_name', q.referrer ->> 'referrer_organisation'), ''), q.from_hub,
    null, q.created_at
  from referral_requests q
  union all
  select 1000000000 + q.id, null, q.id, case q.status when 2 then 'Accepted' else 'Rejected' end, q.hub, q.from_hub, null, null,
    nullif(concat_ws(': ', r.label, q.decision_text), ''), q.decided_by, null, q.hub, null, q.decided_at
  from referral_requests q
  left join lookup r on r.kind = 'referral_rejection' and r.value = q.rejection
  where q.status in (2, 3) and q.decided_at is not null
) e
left join staff s on s.id = e.staff
left join lookup h on h.kind = 'hub' and h.value = e.sender_hub
left join lookup u on u.kind = 'hub' and u.value = e.unread_by
