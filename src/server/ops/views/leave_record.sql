select a.id, a.version, a.leave_from, a.leave_to, a.covered_by,
  leave_words(a.status, a.leave_from, a.leave_to, nullif(trim(v.first_name || ' ' || v.last_name), '')) as words,
  nullif(trim(v.first_name || ' ' || v.last_name), '') as covered_by_name, trim(a.first_name || ' ' || a.last_name) as name,
  a.hub, a.line_manager
from staff a
left join staff v on v.id = a.covered_by
