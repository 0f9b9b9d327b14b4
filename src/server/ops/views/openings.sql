-- Audit events of opened records of a client.
select a.id, a.at, a.staff, coalesce(nullif(trim(s.first_name || ' ' || s.last_name), ''), 'The system') as person,
  a.entity, a.record, a.client,
  coalesce(s.name_key, text_key('The system')) as person_key
from audit a
left join staff s on s.id = a.staff
where a.client is not null and a.action = 'open'
