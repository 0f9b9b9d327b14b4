-- Errors of wrong rows, grouped if several rows have the same.
select min(r.id * 1000::bigint + e.number) as id, r.upload, (e.error ->> 'column')::int as column_index,
  excel_column((e.error ->> 'column')::int) as "column",
  u.headings ->> (e.error ->> 'column')::int as heading, e.error ->> 'value' as value, e.error ->> 'message' as message,
  count(*)::int as rows, min(r.row) as first_row,
  coalesce(u.mapping ->> (e.error ->> 'column'), e.error ->> 'target') as target
from bulk_rows r
join bulk_uploads u on u.id = r.upload
cross join jsonb_array_elements(r.errors) with ordinality as e(error, number)
where r.state = 'wrong'
group by r.upload, u.headings, u.mapping, e.error ->> 'column', e.error ->> 'value', e.error ->> 'message', e.error ->> 'target'
