-- People who can be line managers (`is_offered`), and all others, so that former ones are found by id.
select a.id, trim(a.first_name || ' ' || a.last_name) as name, h.label as hub_label, a.search,
  is_employed(a.status) and is_overseer(a.groups) as is_offered,
  a.search_key, a.name_key
from staff a
left join lookup h on h.kind = 'hub' and h.value = a.hub
