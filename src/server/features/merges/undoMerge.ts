import { sql } from 'kysely'
import { isEqual } from '../../../contract/applyChanges.ts'
import { pluralise } from '../../../contract/pluralise.ts'
import type { Client } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'
import { lockRecords } from './lockRecords.ts'
import { storeFields } from './mergeClients.ts'
import { moveBack, restoreRows, type Undo } from './moveRows.ts'
import { idOf } from './pairOfClients.ts'

/** A merge into the client of the path. */
interface Merge {
  id: number
  at: Date
  undo: Undo
}

/**
 * Undoes a merge into the client of the path: the other one is back under its number with what it had. What was added or
 * changed since stays, and the reply names it.
 */
export const undoMerge: Handler = async (call) => {
  const { db, params } = call
  const { id } = await fetch(call, call.contract.entities.client, params.id)
  const old = idOf(params.other)
  await lockRecords(call, [id], id)
  const merge = await mergeOf(call, id, old)
  const mine = await fetchAny(call, call.contract.entities.client, id)
  const stays = await staying(call, mine, merge)
  const { client, fields, deleted, pairs } = merge.undo
  await sql`select set_config('casework.fires', 'off', true)`.execute(db)
  await restoreRows(db, 'clients', [client])
  await moveBack(db, merge.undo, old)
  await sql`delete from not_same_person where id = any(${pairs}::int[])`.execute(db)
  await restoreRows(db, 'work_notices', deleted.work_notices ?? [])
  await restoreRows(db, 'not_same_person', await whereBothExist(call, deleted.not_same_person ?? []))
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
  return staying(call, mine, await mergeOf(call, mine.id, idOf(call.params.other)))
}

/** Takes a merge into a client; throws if there is none that can be undone. */
async function mergeOf({ db }: Call, client: number, old: number): Promise<Merge> {
  const { rows } = await sql<Omit<Merge, 'undo'> & { undo: Undo | null }>`select id, at, undo from merges
    where entity = 'client' and old = ${old} and client = ${client}`.execute(db)
  const [merge] = rows
  if (!merge) throw problem('notFound')
  if (!merge.undo) throw problem('mergeForgotten')
  if (merge.undo.into !== client) throw problem('mergedSince')
  return { ...merge, undo: merge.undo }
}

/** What was added to a client since a merge, and the fields that were changed since, as far as the caller sees them. */
async function staying(
  { db, me, contract }: Call,
  mine: Client,
  { at, undo: { fields, moved } }: Merge,
): Promise<{ id: string; label: string }[]> {
  const cases = moved['cases.client'] ?? []
  const { rows } = await sql<Record<'cases' | 'risks' | 'communication' | 'tasks', number>>`select
    (select count(*)::int from cases k where k.client = ${mine.id} and k.created_at > ${at}
      and k.id <> all(${cases}::int[]) and ${visibleTo('case', me, 'k')}) as cases,
    (select count(*)::int from risks r where r.client = ${mine.id} and r.created_at > ${at}) as risks,
    (select count(*)::int from communication_issues r where r.client = ${mine.id} and r.created_at > ${at}) as communication,
    (select count(*)::int from tasks t where t.client = ${mine.id} and t.created_at > ${at}
      and t."case" is null and ${visibleTo('task', me, 't')}) as tasks`.execute(db)
  const [counts] = rows
  const added = [
    ['cases', 'case'],
    ['risks', 'risk'],
    ['communication', 'communication issue'],
    ['tasks', 'task'],
  ] as const
  const changed = Object.entries(fields)
    .filter(([name, { to }]) => !isEqual((mine as Values)[name] ?? null, to))
    .map(([name]) => ({
      id: name,
      label: `${contract.entities.client.properties[name].title}, changed since`,
    }))
  return [
    ...added
      .filter(([name]) => counts[name] > 0)
      .map(([name, noun]) => ({ id: name, label: `${pluralise(counts[name], noun)}, added since` })),
    ...changed,
  ]
}

/** Pairs of clients that both exist. */
async function whereBothExist({ db }: Call, pairs: Values[]): Promise<Values[]> {
  const ids = pairs.flatMap(({ client, other }) => [client, other])
  const { rows } = await sql<{ id: number }>`select id from clients where id = any(${ids}::int[])`.execute(db)
  const known = new Set<unknown>(rows.map(({ id }) => id))
  return pairs.filter(({ client, other }) => known.has(client) && known.has(other))
}
