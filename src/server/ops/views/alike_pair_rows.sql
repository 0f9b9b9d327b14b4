-- Pairs of clients who are likely one person, with their differences; without pairs that are marked as two people.
select p.id, p.client, a.first_name || ' ' || a.last_name as client_name, a.dob as client_dob, a.dod as client_dod,
  p.other, b.first_name || ' ' || b.last_name as other_name, b.dob as other_dob, b.dod as other_dod,
  p.score, p.certainty, array_to_string(p.reasons, ', ') as reasons, p.found_at,
  a.name_key as client_name_key, b.name_key as other_name_key
from alike_pairs p join clients a on a.id = p.client join clients b on b.id = p.other
where not exists (select from not_same_person n where n.client = p.client and n.other = p.other)
