select id, first_name, last_name, first_name || ' ' || last_name as name, dob, postcode, status, created_by, search,
  array[digits(nhs_number)] as nhs_digits, array[digits(phone), digits(mobile)] as phone_digits
from clients
