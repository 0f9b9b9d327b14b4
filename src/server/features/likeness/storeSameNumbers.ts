import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** Most other clients of one NHS number, as the trigger has it. */
const MAX_OTHERS = 20

/**
 * Stores which of some clients have the NHS number of another one. A trigger does when a number is saved, but of two
 * numbers that are saved at once neither transaction sees the other.
 */
export async function storeSameNumbers(db: Db, ids: number[]): Promise<void> {
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
