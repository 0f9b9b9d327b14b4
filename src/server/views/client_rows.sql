select id, first_name, last_name, first_name || ' ' || last_name as name, dob, postcode, status, created_by, search
from clients
