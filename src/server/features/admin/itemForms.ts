import { sql } from 'kysely'
import { editableFields } from '../../../contract/entity.ts'
import { normaliseValues } from '../../../contract/fieldTypes.ts'
import type { Entity, Field } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, hasFieldErrors, prefixed, problem, refuse } from '../../core/problems.ts'
import { changesSince } from '../../records/audit/audit.ts'
import { attachFiles } from '../../records/files/attachFiles.ts'
import { saveFile } from '../../records/files/saveFile.ts'
import { withParentsOf } from '../../records/lookups/parentLists.ts'
import { unknownKeyErrors } from '../../records/validate/unknownKeys.ts'
import { validateBody, validateChange } from '../../records/validate/validateBody.ts'
import { conflictsOf, keysOf } from '../../records/verbs/conflict.ts'
import { type CalendarEffect, calendarDryRun, isCalendarList } from '../automations/calendarImpact.ts'
import { addItem, changeItem, itemAt, type ListItem, lockItems, placeItem } from './items.ts'
import { asNew, modelOf } from './models.ts'
import { fieldsOf, formOf } from './shapes.ts'

const APP = 'core'

/** The empty form of a list. */
export async function blank(call: Call) {
  const type = String(call.params.type)
  const empty = formOf(APP, type, asNew(modelOf(call.contract, type)))
  return { ...empty, fields: withParentsOf(call.contract, type, empty.fields) }
}

/** The form of one item. Its status is read-only: a button retires it, after a check of where it is used. */
export async function form(call: Call) {
  const { type, model, id } = requestedItem(call)
  const adminForm = formOf(APP, type, model, await itemAt(call, type, model, id))
  const isStatus = ({ name }: { name: string }) => name === 'status'
  const asReadOnly = (field: Field): Field => ({ ...field, attrs: { ...field.attrs, read_only: true } })
  return {
    ...adminForm,
    fields: withParentsOf(call.contract, type, adminForm.fields).map((field) =>
      isStatus(field) ? asReadOnly(field) : field,
    ),
  }
}

export async function add(call: Call) {
  call.params.id = await insertItem(call)
  call.reply.code(201)
  return form(call)
}

/** Changes the sent fields of an item and returns its form; throws a conflict if others changed them meanwhile. */
export async function change(call: Call) {
  await updateItem(call)
  return form(call)
}

/** What adding or changing an item would do to open deadlines, in lines; nothing is saved. */
export const addEffects: Handler = (call) => effectsOf(call, insertItem)
export const changeEffects: Handler = (call) => effectsOf(call, updateItem)

async function effectsOf(call: Call, save: (call: Call) => Promise<unknown>): Promise<CalendarEffect[]> {
  if (!isCalendarList(requestedItem(call).type)) return []
  return (await calendarDryRun(call, () => save(call))).effects
}

async function insertItem(call: Call): Promise<number> {
  const { type, model } = requestedItem(call)
  await lockItems(call)
  const { values: sent, at } = await readSent(call, model)
  const values = await validateBody(call, asNew(model), sent, at)
  const id = await withErrorsAt(at, () => addItem(call, type, model, values))
  await attachFiles(call, { entity: model.$id, record: id, at }, fieldsOf(model), values)
  if (values.order) await placeItem(call, type, id, Number(values.order))
  return id
}

async function updateItem(call: Call): Promise<void> {
  const { type, model, id } = requestedItem(call)
  await lockItems(call)
  const before = await itemAt(call, type, model, id)
  const sent = await readSent(call, model)
  await refuseConflict(call, before, sent)
  const values = await withErrorsAt(sent.at, () => validateChange(call, model, before, sent.values))
  // Without an order, the item stays where it is.
  if (values.order === null) delete values.order
  const owner = { entity: model.$id, record: id, at: sent.at }
  await attachFiles(call, owner, fieldsOf(model), { ...before, ...values }, before)
  await withErrorsAt(sent.at, () => changeItem(call, type, model, { before, values }))
  if ('file' in values) await dropFile(call, before.file, values.file)
  if (values.order) await placeItem(call, type, id, Number(values.order))
}

function requestedItem({ contract, params }: Call) {
  const type = String(params.type)
  return { type, model: modelOf(contract, type), id: Number(params.id) }
}

/** Prefixes field errors with the path of the values in the body. */
async function withErrorsAt<T>(at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { statusCode, body } = error as { statusCode?: number; body?: Record<string, string[]> }
    if (statusCode === 400 && body && hasFieldErrors(body)) throw fieldProblem(prefixed(at, body))
    throw error
  }
}

async function refuseConflict(call: Call, before: ListItem, { values, version, at }: Sent): Promise<void> {
  if (version === undefined || version === before.version) return
  if (!Number.isInteger(version)) throw fieldProblem({ version: ['Version must be a whole number'] })
  const { model, id } = requestedItem(call)
  const fields = editableFields(model)
  const conflicts = conflictsOf(
    normaliseValues(fields, values),
    before,
    await changesSince(call, model.$id, id, Number(version)),
    keysOf(new Map(fields.map((field) => [field.name, field]))),
  )
  if (Object.keys(conflicts).length === 0) return
  const named = Object.entries(conflicts).map(([name, conflict]) => [at ? `${at}.${name}` : name, conflict])
  throw problem('conflict', { fields: Object.fromEntries(named), current: await form(call) })
}

/** The body of an admin form: its values, the version they are based on, and their path in the body. */
interface Sent {
  values: Values
  version: unknown
  at: string
}

/** Reads `{data, version?}`, or the parts of a multipart form: a file and texts. */
async function readSent(call: Call, model: Entity): Promise<Sent> {
  if (call.request.isMultipart()) return readParts(call, model)
  const { data, version, ...others } = call.body
  refuse(unknownKeyErrors(Object.keys(others), () => "The values belong under 'data'"))
  if (data === null || typeof data !== 'object' || Array.isArray(data))
    throw fieldProblem({ data: ['Data must be a group of values'] })
  const { version: nestedVersion, ...values } = data as Values
  return { values, version: version ?? nestedVersion, at: 'data' }
}

async function readParts(call: Call, model: Entity): Promise<Sent> {
  const { field = 'file' } = call.file ?? {}
  if (field !== 'file') throw fieldProblem({ [field]: ['A file must be sent as "file"'] })
  const file = call.file && (await saveFile(call, call.file))
  const { clear_only, version, ...texts } = call.body as Record<string, string>
  const values: Values = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, valueOfText(model, name, text)]),
  )
  if (file) values.file = file.id
  else if (isYes(clear_only ?? '')) values.file = null
  return { values, version: version === undefined ? undefined : Number(version), at: '' }
}

/** Converts a text of a multipart form to the type of its property. */
function valueOfText({ properties }: Entity, name: string, text: string): unknown {
  const types = [properties[name]?.type].flat()
  if (text.trim() === '') return null
  if (types.includes('boolean')) return isYes(text) ? 'yes' : 'no'
  if (types.includes('array')) return text.split(',').map(Number)
  return types.includes('integer') ? Number(text) : text
}

function isYes(text: string): boolean {
  return /^(true|yes|on|1)$/i.test(text.trim())
}

/** Deletes the previous file of a record that has another or none now. */
async function dropFile({ db }: Call, before: unknown, after: unknown): Promise<void> {
  if (before && before !== after) await sql`delete from files where id = ${before}`.execute(db)
}
