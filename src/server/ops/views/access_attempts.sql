select id, attempt_time, username, ip_address, user_agent, path_info, failures_since_start,
  coalesce(locked_until > now(), false) as locked_out, locked_until
from access_attempt
