select a.id, trim(a.first_name || ' ' || a.last_name) as name, a.username, a.email, a.groups, a.status, a.hub,
  a.line_manager, trim(m.first_name || ' ' || m.last_name) as line_manager_name,
  (select count(*) from issues i where i.advocate = a.id and i.is_opened and i.status = 1)::int as open_issues,
  (select count(*) from issues i join cases k on k.id = i."case"
    where i.advocate = a.id and i.is_opened and i.status = 1 and k.is_urgent = 'yes')::int as urgent_issues,
  is_employed(a.status) and is_caseworker(a.groups) as is_caseworker,
  a.search, a.status = 4 as on_leave,
  a.name_key, m.name_key as line_manager_name_key, a.search_key
from staff a
left join staff m on m.id = a.line_manager
