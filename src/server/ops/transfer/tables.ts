import type { Client } from 'pg'

/** A table of the product with the columns to copy, without generated ones. */
export interface CopiedTable {
  name: string
  columns: string[]
  /** Partitions of a partitioned table; `bound` is the clause after `partition of`. */
  partitions: { name: string; bound: string }[]
}

/** The tables of the product by name, without partitions as tables of their own. */
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

/**
 * Tables that belong to one installation and are not exported; an import makes another installation. The rows of
 * audit_moving are in audit_other too until they are moved. Those of client_access and case_access follow from others;
 * jobs has leases; sign-ons and challenges of passkeys that have begun end in minutes, and so do
 * used logout tokens.
 */
const NOT_COPIED = [
  'migration',
  'migration_step',
  'built_view',
  'installation',
  'removed_contents',
  'audit_moving',
  'audit_outbox',
  'audit_stream',
  'client_access',
  'case_access',
  'automation_changes',
  'jobs',
  'mail_outbox',
  'openid_request',
  'openid_logout_token',
  'passkey_challenge',
  'sign_in_step',
]

/** True if the rows of a table are exported. */
export function isCopied({ name }: CopiedTable): boolean {
  return !NOT_COPIED.includes(name)
}
