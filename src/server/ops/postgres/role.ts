import { Client, escapeLiteral } from 'pg'
import { type Address, SUPERUSER, urlOf } from './address.ts'

/** The role of the product: it owns the database but is no superuser, so it cannot read files or run programs. */
export const ROLE = 'casework'

/** Creates the database and the role if missing, and makes the role the owner of objects of an earlier release. */
export async function prepareDatabase(client: Client, address: Address, database: string): Promise<void> {
  const { rowCount: hasRole } = await client.query('select from pg_roles where rolname = $1', [ROLE])
  const password = address.password ? ` password ${escapeLiteral(address.password)}` : ''
  if (!hasRole) await client.query(`create role ${ROLE} login${password}`)
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  )
  if (rows.length === 0) await client.query(`create database ${database} owner ${ROLE}`)
  else if (rows[0].owner !== ROLE) await changeDatabaseOwner(client, address, database)
}

async function changeDatabaseOwner(client: Client, address: Address, database: string): Promise<void> {
  const inside = new Client({ connectionString: urlOf(address, database, SUPERUSER) })
  await inside.connect()
  try {
    await inside.query(CHANGE_OBJECT_OWNERS)
  } finally {
    await inside.end()
  }
  // Last, so that an interrupted change is repeated.
  await client.query(`alter database ${database} owner to ${ROLE}`)
}

/**
 * Replaces `reassign owned`, which refuses objects of the bootstrap superuser; leaves out column sequences and
 * extensions.
 */
const CHANGE_OBJECT_OWNERS = `do $$
declare one text;
begin
  for one in
    select format('alter %s %s owner to ${ROLE}',
        case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
        c.oid::regclass)
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and (d.deptype = 'e' or c.relkind = 'S' and d.deptype in ('a', 'i')))
    union all
    select format('alter routine %s owner to ${ROLE}', p.oid::regprocedure)
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select format('alter type %s owner to ${ROLE}', t.oid::regtype)
      from pg_type t
      where t.typnamespace = 'public'::regnamespace and t.typtype in ('d', 'e')
        and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
  loop
    execute one;
  end loop;
end $$`
