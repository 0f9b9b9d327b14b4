import type { Client } from 'pg'
import type { RunningStep } from './stepRecords.ts'

/** Milliseconds between two lines about the progress of a step. */
export const PROGRESS_MS = 10_000
/** Seconds from which a step is announced. */
const LONG_SECONDS = 5

/** What a kind of step does to a table, and how fast at least on an ordinary machine. */
export interface RowRate {
  verb: string
  rowsPerSecond: number
}

/** Says before a long step how many rows it is about and how long that may take. */
export function announce(
  { title, step, report }: Pick<RunningStep, 'title' | 'step' | 'report'>,
  { verb, rowsPerSecond }: RowRate,
  rows: number,
  table = step.table,
): void {
  const seconds = rows / rowsPerSecond
  if (seconds < LONG_SECONDS) return
  const count = Math.round(rows).toLocaleString('en')
  report(
    `${title} ${verb} the table ${table} of ${count} rows, which may take ${duration(seconds)}. People can go on working.`,
  )
}

/** Seconds in words: "about 40 s" or "about 12 min". */
export function duration(seconds: number): string {
  return seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} min`
}

/** PostgreSQL's estimate of the rows of a table; 0 if it was never analysed. */
export async function estimatedRows(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    'select greatest(0, reltuples)::float8 as n from pg_class where oid = to_regclass($1)',
    [table],
  )
  return rows[0]?.n ?? 0
}
