select a.id, a.version, a.username, a.first_name, a.last_name, a.email, a.phone, a.groups, a.status, a.hub, a.line_manager,
  a.services, a.contracts, a.partner_organisation, a.leave_from, a.leave_to, a.created_at,
  trim(a.first_name || ' ' || a.last_name) as name,
  nullif(trim(m.first_name || ' ' || m.last_name), '') as line_manager_name,
  (select count(*) from issues i where i.advocate = a.id and i.is_opened and i.status = 1)::int as open_issues,
  case when a.password_hash is null then 'no' else 'yes' end as has_password,
  -- Set by the call, which knows the caller.
  false as is_me,
  (select max(l.attempt_time) from access_log l where l.username = lower(a.username) and l.succeeded) as signed_in_at,
  a.name_key, m.name_key as line_manager_name_key,
  -- Set by the call, too.
  null::jsonb as left_work, null::text as left_words, null::text as left_page,
  a.covered_by
from staff a
left join staff m on m.id = a.line_manager
