import { sql } from 'kysely'
import { EXPORTS_PER_MINUTE } from '../contract/limits.ts'
import type { Call } from './call.ts'
import type { Db } from './db.ts'
import { problem } from './problems.ts'

/** Throws the 429 where a person made a limited call too often within this minute, counted over all servers. */
export async function refuseTooOften(
  db: Db,
  { name, endpoint, me, exporting }: Pick<Call, 'name' | 'endpoint' | 'me' | 'exporting'>,
): Promise<void> {
  if (endpoint.perMinute) await count(db, me.id, name, endpoint.perMinute)
  if (exporting) await count(db, me.id, 'export', EXPORTS_PER_MINUTE)
}

/** Counts in one statement, so that parallel calls cannot pass the limit; the clock is the database's, which servers share. */
async function count(db: Db, staff: number, name: string, limit: number): Promise<void> {
  const { rows } = await sql<{ calls: number; seconds: number }>`
    insert into call_count as c (staff, name, minute, calls) values (${staff}, ${name}, date_trunc('minute', now()), 1)
    on conflict (staff, name) do update set minute = excluded.minute,
      calls = case when c.minute = excluded.minute then c.calls + 1 else 1 end
    returning calls, ceil(extract(epoch from minute + interval '1 minute' - now()))::int as seconds`.execute(
    db,
  )
  const [{ calls, seconds }] = rows
  if (calls <= limit) return
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`
  const refusal = problem('tooManyRequests', {
    message: `You have done this ${limit} times within a minute. Try again in ${wait}.`,
  })
  throw Object.assign(refusal, { headers: { 'retry-after': String(seconds) } })
}
