-- Accounts and network addresses that are locked out now.
select id, coalesce(username, 'From this address') as who, coalesce(username, 'the address ' || ip_address) as label,
  ip_address, failures_since_start, locked_until
from access_attempt
where locked_until > now()
