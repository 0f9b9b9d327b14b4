-- The directory: people at work or on leave. It only has what any of them may know of the others.
select a.id, trim(a.first_name || ' ' || a.last_name) as name, a.groups, a.hub, a.phone,
  a.status = 4 as on_leave, a.services, a.search, a.search_key, a.name_key
from staff a
where is_employed(a.status)
