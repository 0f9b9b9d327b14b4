select q.person ->> 'first_name' as first_name, q.person ->> 'last_name' as last_name,
  nullif(trim(concat_ws(' ', q.person ->> 'first_name', q.person ->> 'last_name')), '') as person_name,
  (q.person ->> 'dob')::date as person_dob,
  h.label as hub_label, coalesce(f.label, case when q.self_referral then 'Self-referral' end,
    nullif(concat_ws(', ', q.referrer ->> 'referrer_name', q.referrer ->> 'referrer_organisation'), '')) as from_hub_label,
  s.label as service_label, t.label as case_type_label, r.label as rejection_label,
  nullif(trim(o.first_name || ' ' || o.last_name), '') as taken_by_name,
  nullif(trim(d.first_name || ' ' || d.last_name), '') as decided_by_name,
  nullif(trim(c.first_name || ' ' || c.last_name), '') as created_by_name,
  q.created_at::date as sent_on, a.label as council_area_label,
  q.*,
  name_key(q.person ->> 'first_name', q.person ->> 'last_name') as person_name_key, o.name_key as taken_by_name_key, c.name_key as created_by_name_key,
  d.name_key as decided_by_name_key,
  (q.person ->> 'dod')::date as person_dod
from referral_requests q
left join lookup h on h.kind = 'hub' and h.value = q.hub
left join lookup f on f.kind = 'hub' and f.value = q.from_hub
left join lookup s on s.kind = 'services' and s.value = q.service
left join lookup r on r.kind = 'referral_rejection' and r.value = q.rejection
left join case_types t on t.id = q.case_type
left join staff o on o.id = q.taken_by
left join staff d on d.id = q.decided_by
left join staff c on c.id = q.created_by
left join lookup a on a.kind = 'council_area' and a.value = q.council_area
