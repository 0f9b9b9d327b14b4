import { sql } from 'kysely'
import { nameKey } from '../../../contract/compareKey.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Person } from './person.ts'

const MAX_ELSEWHERE = 10

/**
 * Ids of clients out of the caller's scope with the same whole name and date of birth. Anything less would reveal who
 * is a client.
 */
export async function knownElsewhere({ db, me }: Call, person: Person): Promise<number[]> {
  const { first_name, last_name, dob } = person
  if (!first_name || !last_name || !dob) return []
  const { rows } = await sql<{ id: number }>`select c.id from clients c
    where c.name_key = ${nameKey(first_name, last_name)} and c.dob = ${dob}::date and not ${visibleTo('client', me, 'c')}
    order by c.id desc limit ${MAX_ELSEWHERE}`.execute(db)
  return rows.map(({ id }) => id)
}
