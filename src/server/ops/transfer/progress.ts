import type { Client } from 'pg'

export interface Progress {
  /** 0 to 100. */
  percent: number
  table: string
  /** Written so far. */
  bytes: number
}

export interface TableSize {
  name: string
  bytes: number
  /** PostgreSQL's estimate; -1 if it has none. */
  rows: number
}

/** The size of each table with its partitions, files with their contents in the object storage. */
export async function tableSizes(client: Client): Promise<TableSize[]> {
  const { rows } = await client.query<TableSize>(`
    with part as (
      select coalesce(h.inhparent, c.oid) as oid, pg_table_size(c.oid) as bytes, c.reltuples
      from pg_class c left join pg_inherits h on h.inhrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    )
    select oid::regclass::text as name, sum(reltuples)::float as rows, (sum(bytes)
      + case oid::regclass::text when 'files'
          then (select coalesce(sum(size), 0) from files where storage_key is not null) else 0 end)::float as bytes
    from part group by oid`)
  return rows
}

/** Reports progress by the sizes of tables, and within one by its estimated number of rows. */
export function progressOf(sizes: TableSize[], report: (progress: Progress) => void) {
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0) || 1
  const weights = new Map(sizes.map((size) => [size.name, size]))
  let current = ''
  let done = 0
  let written = 0
  return {
    wrote(table: string, rows: number, bytes: number): void {
      if (table !== current) done += weights.get(current)?.bytes ?? 0
      current = table
      written += bytes
      const { bytes: weight = 0, rows: estimated = 0 } = weights.get(table) ?? {}
      const part = estimated > 0 ? Math.min(1, rows / estimated) : 0
      const percent = Math.min(99, Math.floor((100 * (done + weight * part)) / total))
      report({ percent, table, bytes: written })
    },
    end(bytes: number): void {
      report({ percent: 100, table: '', bytes })
    },
  }
}
