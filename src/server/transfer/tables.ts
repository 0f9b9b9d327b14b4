import type { Client } from 'pg'

/** A table of the product with what is copied of it: no column that the database computes. */
export interface CopiedTable {
  name: string
  columns: string[]
  /** Of a partitioned table; `bound` as `partition of` takes it. */
  partitions: { name: string; bound: string }[]
}

/** The tables of the product in the order of their names, partitions within theirs. */
export async function tablesOf(client: Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      (select coalesce(json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid))
          order by p.relname), '[]')
        from pg_inherits h join pg_class p on p.oid = h.inhrelid where h.inhparent = c.oid) as partitions
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`)
  return rows
}

/** What is of one database: its migrations, and what it has in an object storage. An imported one is another installation. */
const OWN = ['migration', 'installation', 'removed_contents']

/** Whether the rows of a table belong into an export. */
export function isCopied({ name }: CopiedTable): boolean {
  return !OWN.includes(name)
}
