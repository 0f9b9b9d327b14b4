select id, attempt_time, username, ip_address, user_agent, path_info, logout_time
from access_log where succeeded
