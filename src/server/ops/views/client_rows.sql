select id, first_name, last_name, first_name || ' ' || last_name as name, dob, postcode, status, created_by, search,
  array[digits(nhs_number)] as nhs_digits, array[digits(phone), digits(mobile)] as phone_digits,
  search_key, name_key, split_part(name_key, chr(1), 2) collate "C" as first_name_key, array[phone_key(phone), phone_key(mobile)] as phone_keys, code_key(postcode) collate "C" as postcode_key, dod
from clients
