import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { type Candidate, candidatesFor } from './candidates.ts'
import { matchesAmong } from './findAlike.ts'

interface Context {
  db: Db
  /** Ends the work after the current batch; the next run begins again. */
  ending?: AbortSignal
  /** Only clients that were saved since; undefined: all. */
  since?: Date
}

/** Clients that are compared in a transaction. */
const BATCH = 100
/** Maximum number of pairs of one client, and of all. */
const MAX_PER_CLIENT = 20
const MAX_PAIRS = 5000

/**
 * Compares the clients that were saved since the last run with all others and stores who is likely the same person.
 * Pairs that are alike no longer are deleted, and beyond the maximum the least alike ones. Equal NHS numbers are stored
 * too.
 */
export async function storePairs({ db, ending, since }: Context): Promise<void> {
  for (let last = 0; !ending?.aborted; ) {
    const { rows } =
      await sql<Candidate>`select id, first_name, last_name, known_as, dob, nhs_number, phone, mobile, postcode
      from clients where id > ${last} and updated_at >= coalesce(${since ?? null}::timestamptz, '-infinity')
      order by id limit ${BATCH}`.execute(db)
    if (rows.length === 0) break
    await storePairsOf(db, rows)
    last = rows.at(-1)!.id
  }
  await sql`delete from alike_pairs where id in (select id from alike_pairs order by score desc, id offset ${MAX_PAIRS})`.execute(
    db,
  )
}

async function storePairsOf(db: Db, clients: Candidate[]): Promise<void> {
  const candidates = await candidatesFor(db, clients, { condition: sql`true`, isThorough: false })
  const others = candidates.filter(({ place, id }) => clients[place].id !== id)
  const counts = new Map<number, number>()
  const pairs = matchesAmong(clients, others).flatMap(({ place, id, ...likeness }) => {
    const own = clients[place].id
    const count = (counts.get(own) ?? 0) + 1
    counts.set(own, count)
    if (count > MAX_PER_CLIENT) return []
    return [{ client: Math.min(own, id), other: Math.max(own, id), ...likeness }]
  })
  const ids = clients.map(({ id }) => id)
  await db.transaction().execute(async (tx) => {
    await sql`delete from alike_pairs where client = any(${ids}::int[]) or other = any(${ids}::int[])`.execute(
      tx,
    )
    // A client that was purged meanwhile is left out.
    await sql`insert into alike_pairs (client, other, score, certainty, reasons)
      select distinct on (p.client, p.other) p.client, p.other, p.score, p.certainty, p.reasons
      from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p(client int, other int, score double precision, certainty text, reasons text[])
      where exists (select from clients c where c.id = p.client for key share)
        and exists (select from clients c where c.id = p.other for key share)
      on conflict (client, other) do nothing`.execute(tx)
    await storeSameNumbers(tx, ids)
  })
}

/** Maximum number of other clients with the same NHS number, as in the trigger. */
const MAX_OTHERS = 20

/**
 * Stores which of some clients have the NHS number of another one. A trigger does when a number is saved, but of two
 * numbers that are saved at once neither transaction sees the other.
 */
async function storeSameNumbers(db: Db, ids: number[]): Promise<void> {
  await sql`insert into same_nhs_numbers (client, other)
    select p.client, p.other from clients c cross join lateral (
      -- With offset 0 they are found by their numbers: PostgreSQL expects so many that it would walk all clients instead.
      select same.id from (
        select o.id from clients o where array[digits(o.nhs_number)] && array[nhs_digits(c.nhs_number)] and o.id <> c.id
        offset 0 for key share
      ) same
      order by same.id limit ${MAX_OTHERS}
    ) o cross join lateral (values (c.id, o.id), (o.id, c.id)) p(client, other)
    where c.id = any(${ids}::int[]) for key share of c on conflict do nothing`.execute(db)
}
