import { sql } from 'kysely'
import type { Handler } from '../../core/call.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { pairOfCases } from './caseParts.ts'
import { compareClients } from './compareClients.ts'
import { compareCases, mergeCases } from './mergeCases.ts'
import { mergeClients } from './mergeClients.ts'
import { pairOf } from './pairOfClients.ts'
import { undoCaseMerge, whatStaysOfCase } from './undoCaseMerge.ts'
import { undoMerge, whatStays } from './undoMerge.ts'

export const compare: Handler = compareClients
export const merge: Handler = mergeClients
export const undo: Handler = undoMerge
export const since: Handler = whatStays
export const compareOfCases: Handler = compareCases
export const mergeOfCases: Handler = mergeCases
export const undoOfCases: Handler = undoCaseMerge
export const sinceOfCases: Handler = whatStaysOfCase

/** Finds the other client of a merge, so that its page can be opened. */
export const choose: Handler = async (call) => {
  const { other } = await validateBody(call, call.contract.bodies.mergeWith, call.body)
  const [mine, theirs] = await pairOf(call, other)
  return { id: mine.id, other: theirs.id }
}

/** Finds the other case of a merge. */
export const chooseCase: Handler = async (call) => {
  const { other } = await validateBody(call, call.contract.bodies.mergeWithCase, call.body)
  const [mine, theirs] = await pairOfCases(call, other)
  return { id: mine.id, other: theirs.id }
}

/** Remembers that two clients are not the same person. */
export const notSame: Handler = async (call) => {
  const [{ id }, { id: other }] = await pairOf(call, call.params.other)
  const { rows } = await sql`insert into not_same_person (client, other, by)
    values (${Math.min(id, other)}, ${Math.max(id, other)}, ${call.me.id}) on conflict do nothing returning id`.execute(
    call.db,
  )
  if (rows.length > 0) await auditPair(call, 'not the same', [id, other])
  return { id, other }
}

/** Withdraws that two clients are not the same person. */
export const maybeSame: Handler = async (call) => {
  const [{ id }, { id: other }] = await pairOf(call, call.params.other)
  const { rows } = await sql`delete from not_same_person
    where client = ${Math.min(id, other)} and other = ${Math.max(id, other)} returning id`.execute(call.db)
  if (rows.length > 0) await auditPair(call, 'maybe the same', [id, other])
  return { id, other }
}

async function auditPair(call: Parameters<Handler>[0], action: string, [id, other]: number[]): Promise<void> {
  for (const [record, to] of [
    [id, other],
    [other, id],
  ])
    await writeAuditEvent(call, { action, entity: 'client', record, changes: { other: { from: null, to } } })
}
