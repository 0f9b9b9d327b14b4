-- Files that administrators provide for everybody.
select f.id, l.label, f.name, s.label as service_label, f.size
from lookup l
join files f on f.id = (l.attrs ->> 'file')::int
left join lookup s on s.kind = 'services' and s.value = (l.attrs ->> 'service')::int
where l.kind = 'file' and l.active and l.attrs @> '{"downloadable": true}'
