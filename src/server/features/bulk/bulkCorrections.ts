import { sql } from 'kysely'
import { isSet } from '../../../contract/when.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { fileOf } from '../../records/files/multipart.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { caseTypeOf } from '../cases/newRecord.ts'
import { correctionField, valueError } from './rowBody.ts'
import { type Target, targetsOf } from './targets.ts'
import { setUpload, type Upload } from './upload.ts'
import {
  addUpload,
  idOf,
  lockUpload,
  recheck,
  refuseUnless,
  replyWith,
  startWork,
  visibleUpload,
} from './uploadOfCall.ts'

/** Uploads the corrected rows of an upload; once read, they replace its wrong rows. */
export const correctRows: Handler = async (call) => {
  const { id, case_type, state } = await lockUpload(call)
  refuseUnless(state, ['ready', 'done'])
  const added = await addUpload(call, fileOf(call), { case_type, apply_unasked: false, replaces: id })
  return replyWith(call, [added])
}

/** The form of a correction: the right value of a target. */
export const correctionForm: Handler = async (call) => {
  const upload = await visibleUpload(call, idOf(call.params.upload))
  const { type, target } = await targetOf(call, upload, call.params.target)
  return { id: upload.id, name: target.heading, fields: [await correctionField(call, type, target)] }
}

/**
 * Replaces the same wrong value in a column of all wrong rows, or adds a column with one value for all rows. Validates
 * again all rows that are neither added nor skipped.
 */
export const correct: Handler = async (call) => {
  const { contract, db } = call
  const {
    column: sent = null,
    target: path = null,
    value = null,
    message = null,
    to,
  } = await validateBody(call, contract.bodies.bulkCorrection, call.body)
  const upload = await lockUpload(call, idOf(call.params.upload))
  const { id, state } = upload
  refuseUnless(state, ['ready', 'done'])
  const isNewColumn = sent === null
  const { type, target } = await targetOf(call, upload, isNewColumn ? path : upload.mapping[Number(sent)])
  const error = isSet(to) ? await valueError(call, type, target, String(to)) : undefined
  if (error) throw fieldProblem({ to: [error] })
  const column = sent ?? (await addColumn(call, upload, target))
  const same = JSON.stringify([{ column, value, ...(message !== null && { message }) }])
  const isCorrected = isNewColumn
    ? sql`state in ('wrong', 'duplicate', 'ready')`
    : sql`state = 'wrong' and errors @> ${same}::jsonb`
  const padded = sql`cells || case when jsonb_array_length(cells) > ${column}::int then '[]'::jsonb
    else (select coalesce(jsonb_agg(null::text), '[]') from generate_series(jsonb_array_length(cells), ${column}::int)) end`
  const { numAffectedRows } = await sql`update bulk_rows
    set cells = jsonb_set(${padded}, array[${column}::text], ${JSON.stringify(to ?? null)}::jsonb), state = 'waiting', errors = '[]'
    where upload = ${id} and ${isCorrected}`.execute(db)
  if (!numAffectedRows) throw fieldProblem({ value: ['No wrong row has this value there'] })
  await setUpload(db, id, { acting: call.me.id })
  await recheck(call, id)
  startWork(call)
  return fetch(call, contract.entities.bulkUpload, id)
}

/** Adds a column for a target that the file lacks, and returns its index. */
async function addColumn({ db }: Call, upload: Upload, { path, heading }: Target): Promise<number> {
  const { id, headings, mapping } = upload
  if (Object.values(mapping).includes(path))
    throw fieldProblem({ target: ['The file has this column already'] })
  await setUpload(db, id, {
    headings: JSON.stringify([...headings, heading]),
    mapping: JSON.stringify({ ...mapping, [headings.length]: path }),
  })
  return headings.length
}

/** The case type of an upload, and the field that `path` names as the target of a column. */
async function targetOf(call: Call, { case_type }: Upload, path: unknown) {
  const type = await caseTypeOf(call, { case_type })
  const target = targetsOf(call.contract, type, call.me).find((one) => one.path === path)
  if (!target) throw fieldProblem({ target: ['There is no such column'] })
  return { type, target }
}
