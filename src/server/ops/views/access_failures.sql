select id, attempt_time, username, ip_address, user_agent, path_info, locked_out
from access_log where not succeeded
