import { sql } from 'kysely'
import { isEqual } from '../../../contract/isEqual.ts'
import type { Call, Handler } from '../../core/call.ts'
import { moveAnswersOf } from '../../records/answerMigrations/moveAnswers.ts'
import { changeTranslation } from '../../records/answerMigrations/translateChanges.ts'
import { type Changes, writeAuditEvent } from '../../records/audit/audit.ts'
import { isDraftOf, moveDrafts } from '../../records/drafts/draftReferences.ts'
import { MOVED_WITH_CASE } from '../../records/merged/caseReferences.ts'
import { assignments } from '../../records/query/columns.ts'
import { fetch } from '../../records/verbs/read.ts'
import { bodiesOf, type CaseParts, fieldsOfCase, partsOf, storedRow } from './caseParts.ts'
import { lockRecords } from './lockRecords.ts'
import { type CaseUndo, countUp } from './mergeCases.ts'
import { moveBack } from './moveRows.ts'
import { addedSince, type Stay } from './moves.ts'
import { idOf } from './pairOfClients.ts'
import { restoreRows } from './rows.ts'
import { mergeOf } from './undoMerge.ts'

/** Undoes a merge into the case of the path; what was added or changed since stays, and the reply names it. */
export const undoCaseMerge: Handler = async (call) => {
  const { db, params } = call
  const { id, client } = await fetch(call, call.contract.entities.case, params.id)
  const old = idOf(params.other)
  const locked = { ids: [id], clients: [client!], rowsOf: id, references: MOVED_WITH_CASE }
  await lockRecords(db, { entity: 'case', ...locked })
  await moveAnswersOf(db, 'case', id)
  const { id: merge, at, undo } = await caseMergeOf(call, id, old)
  const mine = await partsOf(call, await fetch(call, call.contract.entities.case, id))
  const stays = await staying(call, mine, { at, undo })
  await sql`select set_config('casework.fires', 'off', true)`.execute(db)
  await restoreRows(db, 'cases', [{ ...undo.record, client }])
  // The trigger has added an empty one.
  await sql`delete from case_monitoring where "case" = ${old}`.execute(db)
  await restoreRows(db, 'case_monitoring', [undo.monitoring])
  const issues = await moveBack(db, MOVED_WITH_CASE, undo, old)
  const isOfIssue = isDraftOf('issue', sql`${issues}::text[]`)
  const isMoved = sql`(id = any(${undo.moved.drafts ?? []}::int[]) or ${isOfIssue})`
  await moveDrafts(db, 'case', { from: id, to: old }, isMoved)
  // The trigger counts the issues of the case that an issue comes to, not of the one that it leaves.
  await sql`update issues set is_opened = is_opened where "case" = ${id}`.execute(db)
  // The client may have been merged since.
  for (const [table, rows] of Object.entries(undo.deleted))
    await restoreRows(
      db,
      table,
      rows.map((row) => ({ ...row, client })),
    )
  const restored = await restoreValues(call, mine, undo)
  // A publication may have taken answers along since.
  for (const one of [id, old]) await moveAnswersOf(db, 'case', one)
  await countUp(call, id, 'undo merge', { ...restored, merged_from: { from: old, to: null } })
  await writeAuditEvent(call, {
    action: 'undo merge',
    entity: 'case',
    record: old,
    changes: { merged_into: { from: id, to: null } },
  })
  await sql`delete from merges where id = ${merge}`.execute(db)
  return { id, restored: old, stays: stays.map(({ label }) => label) }
}

/** What would stay with the case of the path if a merge into it were undone, as a list of texts. */
export const whatStaysOfCase: Handler = async (call) => {
  const row = await fetch(call, call.contract.entities.case, call.params.id)
  const merge = await caseMergeOf(call, row.id, idOf(call.params.other))
  return staying(call, await partsOf(call, row), merge)
}

/** A merge of cases with the fields that it changed, by the names and values that the form has now. */
async function caseMergeOf(call: Call, id: number, old: number) {
  const merge = await mergeOf<CaseUndo>(call, 'case', id, old)
  const translate = await changeTranslation(call.db, 'case', id)
  return { ...merge, undo: { ...merge.undo, fields: translate(merge.undo.fields, merge.at) } }
}

/** The fields that still have the value of the merge. */
function unchanged({ values }: CaseParts, { fields }: CaseUndo): string[] {
  return Object.keys(fields).filter((path) => isEqual(values[path] ?? null, fields[path].to ?? null))
}

/**
 * Gives the case back what it had, where nobody has changed it since. Returns the changes of the case, not its
 * monitoring.
 */
async function restoreValues(call: Call, mine: CaseParts, undo: CaseUndo): Promise<Changes> {
  const { db, contract } = call
  const { before, fields } = undo
  const values = Object.fromEntries(unchanged(mine, undo).map((path) => [path, fields[path].from]))
  const { case: columns, monitoring } = bodiesOf(values)
  const answers =
    mine.version === undo.version
      ? before.answers
      : // Those too that the caller does not see.
        { ...((await storedRow(call, 'cases', mine.id)).answers as object), ...(columns.answers as object) }
  const validationColumns = [
    'hidden_answers',
    'answers_seen',
    'invalid_fields',
    'validated_version',
    'counted_version',
    'case_type_version',
  ]
  const stored = {
    ...columns,
    answers: withoutNulls(answers as object),
    // The answers were validated all together, so the results only fit if nothing has changed since.
    ...(mine.version === undo.version &&
      Object.fromEntries(
        validationColumns.flatMap((name) => (name in before ? [[name, before[name]]] : [])),
      )),
  }
  await sql`update cases set ${assignments(stored)} where id = ${mine.id}`.execute(db)
  const names = Object.keys(contract.entities.caseMonitoring.properties)
  if (Object.keys(monitoring).some((name) => names.includes(name)))
    await sql`update case_monitoring set ${assignments(monitoring)}, version = version + 1
      where "case" = ${mine.id}`.execute(db)
  const ofCase = unchanged(mine, undo).filter((path) => !path.startsWith('monitoring.'))
  return Object.fromEntries(ofCase.map((path) => [path, { from: fields[path].to, to: fields[path].from }]))
}

function withoutNulls(answers: object): object {
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== null))
}

/** What was added to a case since a merge, and the fields that were changed since, as far as the caller sees them. */
async function staying(call: Call, mine: CaseParts, merge: { at: Date; undo: CaseUndo }): Promise<Stay[]> {
  const isUnchanged = unchanged(mine, merge.undo)
  const fields = [
    ...(await fieldsOfCase(call, mine.id)),
    { name: 'status', label: call.contract.entities.case.properties.status.title },
  ]
  const changed = fields.filter(({ name }) => name in merge.undo.fields && !isUnchanged.includes(name))
  return [
    ...(await addedSince(call, 'case', merge)),
    ...changed.map(({ name, label }) => ({ id: name, label: `${label}, changed since` })),
  ]
}
