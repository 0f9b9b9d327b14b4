import { sql } from 'kysely'
import type { Client } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { refuseMerged } from '../../records/merged/mergedRecords.ts'
import { fetch } from '../../records/verbs/read.ts'

/**
 * The visible client of the path and another one; throws the 404 if the caller does not see both, and `merged` if the
 * other number leads to a visible one.
 */
export async function pairOf(call: Call, other: unknown): Promise<[Client, Client]> {
  const { client } = call.contract.entities
  const id = idOf(other)
  if (id === Number(call.params.id))
    throw fieldProblem({ other: ['This is the same record: choose another'] })
  await refuseMerged(call, 'client', id)
  return Promise.all([fetch(call, client, call.params.id), fetch(call, client, id)])
}

/** A number of a path or body as an id; throws the 404 for one that no record can have. */
export function idOf(number: unknown): number {
  if (!/^\d{1,9}$/.test(String(number))) throw problem('notFound')
  return Number(number)
}

/** True if somebody has decided that two clients are not the same person. */
export async function isNotSame(db: Db, one: number, other: number): Promise<boolean> {
  const { rows } = await sql`select from not_same_person
    where client = ${Math.min(one, other)} and other = ${Math.max(one, other)}`.execute(db)
  return rows.length > 0
}
