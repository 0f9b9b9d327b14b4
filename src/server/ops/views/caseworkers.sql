-- People who can be assigned an issue. A person without contracts has all of them here.
with hubs as materialized (select value, label, searchable(label) as search, search_key(label) as search_key from lookup where kind = 'hub')
select w.id, w.name, w.team, w.open || case when w.open = 1 then ' open issue' else ' open issues' end as workload,
  w.leave, w.search, w.status, w.services,
  coalesce(nullif(w.contracts, '{}'), array(select l.value from lookup l where l.kind = 'contracts')) as contracts,
  w.search_key, w.name_key
from (
  select a.id, trim(a.first_name || ' ' || a.last_name) as name,
    nullif(concat_ws(', ', h.label, 'team of ' || trim(m.first_name || ' ' || m.last_name)), '') as team,
    (select count(*) from issues i where i.advocate = a.id and i.is_opened and i.status = 1) as open,
    leave_words(a.status, a.leave_from, a.leave_to, nullif(trim(v.first_name || ' ' || v.last_name), '')) as leave,
    concat_ws(' ', a.search, h.search, 'team of ' || m.search) as search,
    concat_ws(' ', a.search_key, h.search_key, 'team of ' || m.search_key) as search_key, a.name_key,
    a.status, a.services, a.contracts
  from staff a
  left join staff m on m.id = a.line_manager
  left join staff v on v.id = a.covered_by
  left join hubs h on h.value = a.hub
  where is_employed(a.status) and is_caseworker(a.groups)
) w
