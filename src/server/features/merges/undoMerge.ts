import { sql } from 'kysely'
import { isEqual } from '../../../contract/isEqual.ts'
import type { Client } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { forgetForeignSeen } from '../../records/answersSeen/forgetSeen.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { MOVED_WITH_CLIENT } from '../../records/merged/clientReferences.ts'
import type { Mergeable } from '../../records/merged/mergedRecords.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'
import { lockRecords } from './lockRecords.ts'
import { storeFields } from './mergeClients.ts'
import { moveClientBack } from './moveClient.ts'
import type { Undo } from './moveRows.ts'
import { addedSince, type Stay } from './moves.ts'
import { idOf } from './pairOfClients.ts'
import { restoreRows } from './rows.ts'

/** A merge that can be undone. */
interface Merge<U extends Undo> {
  id: number
  at: Date
  undo: U
}

/**
 * Undoes a merge into the client of the path: the other one is back under its number with what it had. What was added
 * or changed since stays, and the reply names it.
 */
export const undoMerge: Handler = async (call) => {
  const { db, params } = call
  const { id } = await fetch(call, call.contract.entities.client, params.id)
  const old = idOf(params.other)
  const locked = { ids: [id], clients: [id], rowsOf: id }
  await lockRecords(db, { entity: 'client', ...locked, references: MOVED_WITH_CLIENT })
  const merge = await mergeOf<Undo>(call, 'client', id, old)
  const mine = await fetchAny(call, call.contract.entities.client, id)
  const stays = await staying(call, mine, merge)
  const { record, fields } = merge.undo
  await sql`select set_config('casework.fires', 'off', true)`.execute(db)
  await restoreRows(db, 'clients', [record])
  await moveClientBack(db, merge.undo, old)
  await forgetForeignSeen(db, [id, old])
  const columns = Object.fromEntries(
    Object.entries(fields)
      .filter(([name, { to }]) => isEqual((mine as Values)[name] ?? null, to))
      .map(([name, { from }]) => [name, from]),
  )
  await storeFields(call, mine, columns, {
    action: 'undo merge',
    changes: { merged_from: { from: old, to: null } },
  })
  await writeAuditEvent(call, {
    action: 'undo merge',
    entity: 'client',
    record: old,
    changes: { merged_into: { from: id, to: null } },
  })
  await sql`delete from merges where id = ${merge.id}`.execute(db)
  return { id, restored: old, stays: stays.map(({ label }) => label) }
}

/** What would stay with the client of the path if a merge into it were undone, as a list of texts. */
export const whatStays: Handler = async (call) => {
  const mine = await fetch(call, call.contract.entities.client, call.params.id)
  return staying(call, mine, await mergeOf<Undo>(call, 'client', mine.id, idOf(call.params.other)))
}

/** A merge into a record; throws if there is none that can be undone. */
export async function mergeOf<U extends Undo>(
  { db }: Call,
  entity: Mergeable,
  record: number,
  old: number,
): Promise<Merge<U>> {
  const { rows } = await sql<Omit<Merge<U>, 'undo'> & { undo: U | null }>`select id, at, undo from merges
    where entity = ${entity} and old = ${old} and ${sql.ref(entity)} = ${record}`.execute(db)
  const [merge] = rows
  if (!merge) throw problem('notFound')
  if (!merge.undo) throw problem('mergeForgotten')
  if (merge.undo.into !== record) throw problem('mergedSince')
  return { ...merge, undo: merge.undo }
}

/** What was added to a client since a merge, and what was changed since, as far as the caller sees it. */
async function staying(call: Call, mine: Client, merge: Merge<Undo>): Promise<Stay[]> {
  const { properties } = call.contract.entities.client
  const changed = Object.entries(merge.undo.fields)
    .filter(([name, { to }]) => !isEqual((mine as Values)[name] ?? null, to))
    .map(([name]) => ({ id: name, label: `${properties[name].title}, changed since` }))
  return [...(await addedSince(call, 'client', merge)), ...(await casesMergedSince(call, merge)), ...changed]
}

/** Cases that moved with the client and were merged since into a case of the client that remains. */
async function casesMergedSince({ db, me }: Call, { at, undo }: Merge<Undo>): Promise<Stay[]> {
  const cases = undo.moved['cases.client'] ?? []
  const { rows } = await sql<{ old: number }>`select m.old from merges m join cases k on k.id = m."case"
    where m.entity = 'case' and m.at > ${at} and m.old = any(${cases}::int[]) and k.id <> all(${cases}::int[])
      and ${visibleTo('case', me, 'k')} order by m.old`.execute(db)
  return rows.map(({ old }) => ({ id: `case ${old}`, label: `Case ${old}, merged since` }))
}
