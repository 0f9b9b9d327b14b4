-- kind: expand
-- Names the parent list of each shared list whose items all belong to items of one other list.

with parents as (
  select (i.attrs ->> 'shared_list')::int as list, min((p.attrs ->> 'shared_list')::int) as parent
  from lookup i
  join lookup p on p.kind = 'shared_list_item' and p.value = (i.attrs ->> 'shared_list_item')::int
  where i.kind = 'shared_list_item'
  group by 1
  having count(distinct p.attrs ->> 'shared_list') = 1
)
update lookup l set attrs = l.attrs || jsonb_build_object('parent_list', parents.parent)
from parents
where l.kind = 'shared_list' and l.value = parents.list and parents.parent <> parents.list
  and not exists (select 1 from parents other where other.list = parents.parent and other.parent = parents.list);
