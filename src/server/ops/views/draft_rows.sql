select id, version, staff, kind, title, address,
  address || case when position('?' in address) > 0 then '&' else '?' end || 'draft=' || id as link,
  referral, payload, created_at, updated_at
from drafts
where updated_at > now() - interval '30 days'
