import { sql } from 'kysely'
import { isEqual } from '../../../contract/isEqual.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { type Changes, writeAuditEvent } from '../../records/audit/audit.ts'
import { moveDrafts } from '../../records/drafts/draftReferences.ts'
import { MOVED_WITH_CASE, OWN_STATE_OF_CASE } from '../../records/merged/caseReferences.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch, read } from '../../records/verbs/read.ts'
import { update } from '../../records/verbs/update.ts'
import { refuseHeld } from '../automations/refuseHeld.ts'
import { bodiesOf, type CaseParts, fieldsOfCase, pairOfCases, partsOf, storedRow } from './caseParts.ts'
import { chosenColumns, differencesOf } from './choices.ts'
import { becomesActive, comparisonOf } from './comparison.ts'
import { lockRecords } from './lockRecords.ts'
import { moveRows, type Undo } from './moveRows.ts'
import { labelOf, movesOf } from './moves.ts'
import { jsonOf } from './rows.ts'

/** The page on which a person merges two cases of a client. */
export const compareCases: Handler = async (call) => {
  const pair = await pairOfCases(call, call.params.other)
  for (const { id } of pair) await read({ ...call, params: { id } }, call.contract.entities.case)
  const [mine, theirs] = pair
  const [movesOfMine, moves] = await Promise.all([
    movesOf(call, 'case', mine.id),
    movesOf(call, 'case', theirs.id),
  ])
  return {
    ...(await comparisonOf(call, await fieldsOfCase(call, mine.id), mine, theirs, moves)),
    about: labelOf('issues', movesOfMine),
    other_about: labelOf('issues', moves),
    not_same: false,
    likeness: null,
    reasons: '',
  }
}

/** What an undo of a merge of cases needs besides. */
export interface CaseUndo extends Undo {
  monitoring: Row
  /** The case that remains before the merge, and its version after it. */
  before: Row
  version: number
}

/** Merges another case of the client into that of the path. */
export const mergeCases: Handler = async (call) => {
  const { db, contract } = call
  const body = await validateBody(call, contract.bodies.merge, call.body)
  const [{ id, client }, { id: old }] = await pairOfCases(call, body.other)
  const locked = { ids: [id, old], clients: [client], rowsOf: old, references: MOVED_WITH_CASE }
  await lockRecords(db, { entity: 'case', ...locked })
  const [mine, theirs] = await pairOfCases(call, old)
  await refuseHeld({ ...call, params: { id: old } })
  if (mine.version !== body.version || theirs.version !== body.other_version) throw problem('conflict')
  const differences = await differencesOf(db, await fieldsOfCase(call, id), mine, theirs)
  const values = chosenColumns(differences, body.choices)
  await sql`select set_config('casework.fires', 'off', true)`.execute(db)
  await writeAuditEvent(call, {
    action: 'merge',
    entity: 'case',
    record: old,
    changes: { merged_into: { from: null, to: id } },
  })
  const before = await storedRow(call, 'cases', id)
  const monitoring = await storedRow(call, 'case_monitoring', old)
  const deleted: Undo['deleted'] = {}
  for (const table of OWN_STATE_OF_CASE)
    deleted[table] = await jsonOf(
      db,
      sql`delete from ${sql.table(table)} t where t."case" = ${old} and t.issue is null returning to_jsonb(t) as row`,
    )
  // Read before its issues move, because a trigger then changes its counts.
  const record = await storedRow(call, 'cases', old)
  const moved = await moveRows(db, MOVED_WITH_CASE, { from: old, to: id })
  moved.drafts = await moveDrafts(db, 'case', { from: old, to: id })
  await sql`delete from cases where id = ${old}`.execute(db)
  // A case with active work is not retired.
  const isActive = becomesActive(mine.values, theirs.values)
  if (isActive) await sql`update cases set status = ${STATUS.active} where id = ${id}`.execute(db)
  await saveValues(call, id, values)
  const fields = await changesOf(call, mine, [...Object.keys(values), ...(isActive ? ['status'] : [])])
  const { status } = fields
  const version = await countUp(call, id, 'merge', {
    ...(status && { status }),
    merged_from: { from: null, to: old },
  })
  const undo: CaseUndo = { record, into: id, fields, moved, deleted, monitoring, before, version }
  await sql`insert into merges (entity, old, client, "case", by, undo)
    values ('case', ${old}, ${client}, ${id}, ${call.me.id}, ${JSON.stringify(undo)})`.execute(db)
  return { id, merged_from: [old] }
}

/** The fields that have another value now. The form may have dropped the answer to a question that it hides. */
async function changesOf(call: Call, { id, values: before }: CaseParts, paths: string[]): Promise<Changes> {
  const { values } = await partsOf(call, await fetch(call, call.contract.entities.case, id))
  const changes = paths.map(
    (path) => [path, { from: before[path] ?? null, to: values[path] ?? null }] as const,
  )
  return Object.fromEntries(changes.filter(([, { from, to }]) => !isEqual(from, to)))
}

/** Saves chosen values as a person would, so that they are validated by the form. */
async function saveValues(call: Call, id: number, values: Values): Promise<void> {
  const { case: ofCase, monitoring } = bodiesOf(values)
  const { entities } = call.contract
  if (Object.keys(ofCase).length > 0) await update({ ...call, params: { id }, body: ofCase }, entities.case)
  if (Object.keys(monitoring).length > 0)
    await update({ ...call, params: { id }, body: monitoring }, entities.caseMonitoring)
}

/** Increments the version of a case, with an audit event; returns it. */
export async function countUp(call: Call, id: number, action: string, changes: Changes): Promise<number> {
  const { rows } = await sql<{ version: number }>`update cases set version = version + 1, updated_at = now()
    where id = ${id} returning version`.execute(call.db)
  const [{ version }] = rows
  await writeAuditEvent(call, { action, entity: 'case', record: id, version, changes })
  return version
}
