-- Errors of wrong rows.
select r.id * 1000::bigint + e.number as id, r.upload, r.row, excel_column((e.error ->> 'column')::int) as "column",
  u.headings ->> (e.error ->> 'column')::int as heading, e.error ->> 'value' as value, e.error ->> 'message' as message
from bulk_rows r
join bulk_uploads u on u.id = r.upload
cross join jsonb_array_elements(r.errors) with ordinality as e(error, number)
where r.state = 'wrong'
