import type { Field } from '../../contract/generated.ts'
import { changesSince } from '../audit/audit.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { attachFiles } from '../files/attachFiles.ts'
import { fieldProblem, prefixed, problem } from '../problems.ts'
import { conflictsOf } from '../validate/conflict.ts'
import { validateBody, validateChange } from '../validate/validateBody.ts'
import { dropFile, readSent, type Sent } from './adminBody.ts'
import { addItem, changeItem, itemAt, lockItems, placeItem } from './items.ts'
import { asNew, modelOf } from './models.ts'
import { fieldsOf, formOf } from './shapes.ts'

const APP = 'core'

/** The empty form of a list. */
export async function blank(call: Call) {
  const type = String(call.params.type)
  return formOf(APP, type, asNew(modelOf(call.contract, type)))
}

/** The form of one item; it is retired by a button, which says first where it is used. */
export async function form(call: Call) {
  const { type, model, id } = requestedItem(call)
  const adminForm = formOf(APP, type, model, await itemAt(call, type, model, id))
  const isStatus = ({ name }: { name: string }) => name === 'status'
  const asReadOnly = (field: Field): Field => ({ ...field, attrs: { ...field.attrs, read_only: true } })
  return {
    ...adminForm,
    fields: adminForm.fields.map((field) => (isStatus(field) ? asReadOnly(field) : field)),
  }
}

/** Adds an item and answers its form. */
export async function add(call: Call) {
  const { type, model } = requestedItem(call)
  await lockItems(call)
  const { values: sent, at } = await readSent(call, model)
  const values = await validateBody(call, asNew(model), sent, at)
  const id = await withErrorsAt(at, () => addItem(call, type, model, values))
  await attachFiles(call, { entity: model.$id, record: id, at }, fieldsOf(model), values)
  if (values.order) await placeItem(call, type, id, Number(values.order))
  call.reply.code(201)
  call.params.id = id
  return form(call)
}

/** Changes what was sent of an item and answers its form; what others changed since its version is a conflict. */
export async function change(call: Call) {
  const { type, model, id } = requestedItem(call)
  await lockItems(call)
  const before = await itemAt(call, type, model, id)
  const sent = await readSent(call, model)
  await refuseConflict(call, before, sent)
  const values = await withErrorsAt(sent.at, () => validateChange(call, model, before, sent.values))
  // Who takes the place away leaves the item where it is.
  if (values.order === null) delete values.order
  const owner = { entity: model.$id, record: id, at: sent.at }
  await attachFiles(call, owner, fieldsOf(model), { ...before, ...values }, before)
  await withErrorsAt(sent.at, () => changeItem(call, type, model, { before, values }))
  if ('file' in values) await dropFile(call, before.file, values.file)
  if (values.order) await placeItem(call, type, id, Number(values.order))
  return form(call)
}

function requestedItem({ contract, params }: Call) {
  const type = String(params.type)
  return { type, model: modelOf(contract, type), id: Number(params.id) }
}

/** Field errors stand where the values stood. */
async function withErrorsAt<T>(at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { statusCode, body } = error as { statusCode?: number; body?: Record<string, string[]> }
    if (statusCode === 400 && body && !('code' in body)) throw fieldProblem(prefixed(at, body))
    throw error
  }
}

async function refuseConflict(call: Call, before: Row, { values, version, at }: Sent): Promise<void> {
  if (version === undefined || version === before.version) return
  if (!Number.isInteger(version)) throw fieldProblem({ version: ['Version must be a whole number'] })
  const { model, id } = requestedItem(call)
  const fields = conflictsOf(values, before, await changesSince(call, model.$id, id, Number(version)))
  if (Object.keys(fields).length === 0) return
  const named = Object.entries(fields).map(([name, conflict]) => [at ? `${at}.${name}` : name, conflict])
  throw problem('conflict', { fields: Object.fromEntries(named), current: await form(call) })
}
