select i.id, i."case", k.client, c.first_name || ' ' || c.last_name as client_name, c.search as client_search, c.postcode,
  i.service, s.label as service_label, i.contract, n.label as contract_label, i.hub,
  y.label as issue_type_label, i.advocate, nullif(trim(a.first_name || ' ' || a.last_name), '') as advocate_name,
  k.is_urgent, i.start_date, i.close_date, i.is_opened,
  case when i.is_opened then 'Open' else 'Closed' end as state, i.status, i.created_by,
  i.last_contact, i.next_step, i.next_due,
  case when i.next_due < current_date then 'Overdue' when i.next_due is not null then 'Due' end as next_state,
  i.advocate is null or i.allocation_asked is not null as needs_allocation,
  i.allocation_asked ->> 'note' as allocation_note, (i.allocation_asked ->> 'at')::date as allocation_asked_on,
  nullif(trim(q.first_name || ' ' || q.last_name), '') as allocation_asked_by_name,
  coalesce(i.last_contact, i.start_date) as quiet_since, k.is_urgent is not distinct from 'yes' as urgent,
  c.name_key as client_name_key,
  a.name_key as advocate_name_key,
  code_key(c.postcode) collate "C" as postcode_key,
  coalesce(upper(s.attrs ->> 'code'), s.label) as service_short,
  q.name_key as allocation_asked_by_name_key,
  c.dod as client_dod,
  case
    when not i.is_opened then 5
    when exists (select from deadlines d where d."case" = i."case" and coalesce(d.issue, i.id) = i.id and d.is_open
      and deadline_state(d, current_date) = 'late') then 1
    when i.next_due < current_date then 2
    when exists (select from deadlines d where d."case" = i."case" and coalesce(d.issue, i.id) = i.id and d.is_open
      and deadline_state(d, current_date) = 'soon') then 3
    else 4
  end as pressing
from issues i
join cases k on k.id = i."case"
join clients c on c.id = k.client
left join lookup s on s.kind = 'services' and s.value = i.service
left join lookup n on n.kind = 'contracts' and n.value = i.contract
left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
left join staff a on a.id = i.advocate
left join staff q on q.id = (i.allocation_asked ->> 'by')::int
