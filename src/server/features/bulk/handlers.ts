import { sql } from 'kysely'
import { visibleTo } from '../../access/scope.ts'
import type { Handler } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { fileOf } from '../../records/files/multipart.ts'
import { workbookReply } from '../../records/files/workbookReply.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { caseTypeOf } from '../cases/newRecord.ts'
import { annotatedSheet } from './annotatedSheet.ts'
import { columnsForm, readColumns } from './columnsForm.ts'
import { duplicatesOf, matchesOfRow } from './duplicates.ts'
import { leaveRowsOut } from './leaveRowsOut.ts'
import { chooseColumns } from './readUpload.ts'
import { targetsOf } from './targets.ts'
import { templateFor } from './template.ts'
import { countRows, setUpload, startJob, UNDO_DAYS } from './upload.ts'
import {
  addUpload,
  lockUpload,
  readAgain,
  recheck,
  refuseUnless,
  replyWith,
  startWork,
  visibleUpload,
} from './uploadOfCall.ts'

/**
 * Creates an upload for each spreadsheet of cases. A job reads and validates it and, unless `check` is true, adds its
 * valid rows.
 */
export const upload: Handler = async (call) => {
  fileOf(call)
  const { check, case_type: sent } = call.body
  const case_type = sent === undefined || sent === '' ? null : Number(sent)
  if (case_type !== null) await caseTypeOf(call, { case_type })
  const ids: number[] = []
  for (const file of call.files!)
    ids.push(await addUpload(call, file, { case_type, apply_unasked: check !== 'true' }))
  return replyWith(call, ids)
}

/** The form that assigns a field to each column of an upload. */
export const columns: Handler = async (call) => columnsForm(call, await visibleUpload(call))

/** Saves the fields of the columns, or one decision for all rows that wait for one. */
export const change: Handler = async (call) => {
  const { columns: sent, decision } = await validateBody(call, call.contract.bodies.bulkChange, call.body)
  const upload = await lockUpload(call)
  const { id } = upload
  if (sent !== undefined) {
    refuseUnless(upload.state, ['mapping', 'ready'])
    await setUpload(call.db, id, { acting: call.me.id })
    const { case_type, mapping, answers, complete } = await readColumns(
      call,
      upload,
      sent as Record<string, unknown>,
    )
    if (case_type !== undefined)
      await chooseColumns(call, call.db, { ...upload, case_type, mapping: {}, acting: call.me.id })
    else {
      await setUpload(call.db, id, { mapping: JSON.stringify(mapping), answers: JSON.stringify(answers) })
      if (answers.encoding !== upload.answers.encoding) await readAgain(call, id)
      else if (complete) {
        await leaveRowsOut(call.db, id, answers)
        await recheck(call, id)
      } else await setUpload(call.db, id, { state: 'mapping' })
    }
  }
  if (decision) {
    refuseUnless(upload.state, ['ready', 'done'])
    const state = decision === 'skip' ? 'skipped' : 'ready'
    await sql`update bulk_rows set decision = ${decision}, state = ${state}
      where upload = ${id} and state = 'duplicate'
        and (${decision} <> 'same' or same_as is not null)`.execute(call.db)
    await countRows(call.db, id)
  }
  startWork(call)
  return columnsForm(call, await visibleUpload(call))
}

/** Saves the decision whether the person of a row is an existing client. */
export const decide: Handler = async (call) => {
  const { contract, db, params } = call
  const { decision, client } = await validateBody(call, contract.bodies.bulkDecision, call.body)
  const row = await fetch(call, contract.entities.bulkRow, params.id)
  const upload = await lockUpload(call, row.upload)
  refuseUnless(upload.state, ['ready', 'done'])
  const { rows } = await sql<{
    state: string
    is_match: boolean
    decision: string | null
    same_as: number | null
  }>`select state, decision, same_as, ${client ?? null}::int in (select m.client from ${matchesOfRow} m) as is_match
    from bulk_rows r where id = ${row.id}`.execute(db)
  const isOpen = rows[0].state === 'duplicate' || (rows[0].decision !== null && rows[0].state !== 'added')
  if (!isOpen) throw problem('uploadState', { message: 'There is nothing to decide about this row' })
  if (decision === 'use') {
    // The same answer for a match that the caller may not see, so that nobody learns the number of one.
    const isVisible = sql`select from clients c where c.id = ${client} and ${visibleTo('client', call.me, 'c')}`
    if (!rows[0].is_match || (await isVisible.execute(db)).rows.length === 0)
      throw fieldProblem({ client: ['Client must be one who may be the same'] })
  }
  if (decision === 'same' && rows[0].same_as === null)
    throw fieldProblem({ decision: ['No earlier row has the same person'] })
  const state = decision === 'skip' ? 'skipped' : 'ready'
  await sql`update bulk_rows set decision = ${decision}, chosen = ${decision === 'use' ? client : null}, state = ${state}
    where id = ${row.id}`.execute(db)
  await countRows(db, upload.id)
  return fetch(call, contract.entities.bulkRow, row.id)
}

/** Adds the cases of the rows that are ready. */
export const apply: Handler = async (call) => {
  const { id, state } = await lockUpload(call)
  refuseUnless(state, ['ready', 'done'])
  const { rows } =
    await sql`select 1 from bulk_rows where upload = ${id} and state = 'ready' limit 1`.execute(call.db)
  if (rows.length === 0) throw problem('uploadState', { message: 'No row is ready to be added' })
  await setUpload(call.db, id, { acting: call.me.id })
  await startJob(call.db, id, 'applying', 'ready')
  startWork(call)
  return fetch(call, call.contract.entities.bulkUpload, id)
}

/** Deletes the cases that an upload added, except those that were changed since. */
export const undo: Handler = async (call) => {
  const { id, state, applied_at } = await lockUpload(call)
  refuseUnless(state, ['done', 'failed'])
  if (applied_at && Date.now() - applied_at.getTime() > UNDO_DAYS * 86_400_000)
    throw problem('uploadState', { message: `An upload can be undone for ${UNDO_DAYS} days` })
  await setUpload(call.db, id, { acting: call.me.id })
  await startJob(call.db, id, 'undoing', 'added')
  startWork(call)
  return fetch(call, call.contract.entities.bulkUpload, id)
}

/** Progress of an upload's job, with its rate in rows per second and the seconds left. */
export const progress: Handler = async (call) => {
  await fetch(call, call.contract.entities.bulkUpload, call.params.id)
  const { rows } = await sql`select id, state, total, done, rate,
      case when rate > 0 then ceil((total - done) / rate)::int end as seconds_left
    from (select id, state, job_total as total, least(job_done, job_total) as done,
        case when job_done > 0 then
          round((job_done / greatest(extract(epoch from now() - job_started_at), 0.1))::numeric, 1)::float8 end as rate
      from bulk_uploads where id = ${call.params.id}) u`.execute(call.db)
  return rows[0]
}

/** Rows whose person may be an existing client, each once for every such client. */
export const duplicates: Handler = async (call) => duplicatesOf(call, await visibleUpload(call))

/** The wrong rows of an upload as a spreadsheet, each with its errors. */
export const file: Handler = async (call) => {
  const upload = await visibleUpload(call)
  const content = await annotatedSheet(call, upload)
  await writeAuditEvent(call, { action: 'export', entity: 'bulkUpload', record: upload.id })
  return workbookReply(call, `wrong-rows-${upload.id}`, content)
}

/** An empty spreadsheet for a case type. */
export const template: Handler = async (call) => {
  const type = await caseTypeOf(call, { case_type: call.query.case_type })
  const targets = targetsOf(call.contract, type, call.me)
  return workbookReply(call, `cases-${type.id}`, await templateFor(call, type, targets))
}
