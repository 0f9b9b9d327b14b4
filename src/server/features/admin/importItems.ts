import type { Entity } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import type { Call, Handler } from '../../core/call.ts'
import { hasFieldErrors, problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { formatValue, type Labels } from '../../records/audit/formatValue.ts'
import { lookupLabels } from '../../records/audit/lookupLabels.ts'
import type { DateOptions } from '../../records/files/cellDates.ts'
import { parseCell } from '../../records/files/cells.ts'
import { fileOf } from '../../records/files/multipart.ts'
import { readSheet, type Sheet } from '../../records/files/readSheet.ts'
import { columnsOf, letterOf, type SheetColumn, type SheetError } from '../../records/files/sheetColumns.ts'
import { validateBody, validateChange } from '../../records/validate/validateBody.ts'
import { calendarDryRun } from '../automations/calendarImpact.ts'
import { addItem, allItems, changeItem, type ListItem, lockItems } from './items.ts'
import { FILES, modelOf } from './models.ts'

type State = 'added' | 'changed' | 'unchanged'
interface ImportedRow {
  row: number
  id: number
  label: string
  state: State
  /** Values before and after, of the columns of the sheet. */
  before: Values
  after: Values
}
interface Outcome {
  columns: SheetColumn[]
  imported: ImportedRow[]
  errors: SheetError[]
}
/** The error of `importRow`; `duplicate` is the id of an item with the same label and values. */
interface Refusal {
  statusCode?: number
  body?: Record<string, string[]>
  duplicate?: number
}
interface ImportContext {
  call: Call
  kind: string
  model: Entity
}

/** Previews the items that a sheet would add and change, its errors, and what it would do to open deadlines. */
export const previewSheet: Handler = async (call) => {
  const context = await openSheet(call)
  const { result, effects } = await calendarDryRun(call, () => run(context))
  return { ...(await describe(call, result)), effects }
}

/** Imports a sheet; throws its errors, if any, and then changes nothing. */
export const applySheet: Handler = async (call) => {
  const context = await openSheet(call)
  const outcome = await run(context)
  const plan = await describe(call, outcome)
  if (plan.errors.length > 0) throw problem('badSheet', { errors: plan.errors })
  const changes = Object.fromEntries(
    Object.entries(plan.counts).map(([name, to]) => [name, { from: null, to }]),
  )
  await writeAuditEvent(call, { action: 'import', entity: context.model.$id, record: null, changes })
  return plan
}

async function openSheet(call: Call): Promise<ImportContext & { sheet: Sheet }> {
  const kind = String(call.params.type)
  const model = modelOf(call.contract, kind)
  if (kind === FILES) throw problem('badRequest', { message: 'Files are uploaded one by one' })
  const { content, name = '' } = fileOf(call)
  const sheet = await readSheet(content, name)
  await lockItems(call)
  return { call, kind, model, sheet }
}

async function run({ sheet, ...context }: ImportContext & { sheet: Sheet }): Promise<Outcome> {
  const { columns, errors } = await columnsOf(context.call, context.model, sheet[0] ?? [])
  const imported: ImportedRow[] = []
  if (errors.length > 0) return { columns, imported, errors }
  const items = await allItems(context.call, context.kind, context.model)
  const known = new Map(items.map((item) => [item.id, item]))
  const seen = new Set<number>()
  const dates = { timeZone: context.call.settings.TIME_ZONE }
  for (const [i, cells] of sheet.entries()) {
    if (i === 0 || !cells.some(isSet)) continue
    const row = i + 1
    const { id, values, wrong } = readRow(columns, cells, dates)
    if (wrong.length > 0) errors.push(...wrong.map((one) => ({ ...one, row })))
    else if (id !== undefined && (!known.has(id) || seen.has(id)))
      errors.push({
        row,
        column: letterFor(columns, 'id'),
        message: known.has(id) ? `ID ${id} is there twice` : `there is no ID ${id}`,
      })
    else {
      if (id !== undefined) seen.add(id)
      const before = id === undefined ? undefined : known.get(id)
      const result = await importRow(context, before, values).catch((error: unknown) =>
        fieldMessages(error, imported),
      )
      if (Array.isArray(result))
        errors.push(...result.map(([name, message]) => ({ row, column: letterFor(columns, name), message })))
      else imported.push({ row, ...result, before: before ?? {}, after: values })
    }
  }
  return { columns, imported, errors }
}

/** The values of a row by field; an empty id, order or status is omitted, so that it stays unchanged. */
function readRow(columns: SheetColumn[], cells: unknown[], dates: DateOptions) {
  const values: Values = {}
  const wrong: Omit<SheetError, 'row'>[] = []
  for (const { index, letter, field, choices } of columns) {
    const read = parseCell(cells[index], field, choices, dates)
    if ('wrong' in read) wrong.push({ column: letter, message: read.wrong })
    else if (isSet(read.value) || !['id', 'order', 'status'].includes(field.name))
      values[field.name] = read.value
  }
  const { id, ...others } = values
  return { id: id as number | undefined, values: others, wrong }
}

async function importRow({ call, kind, model }: ImportContext, before: ListItem | undefined, sent: Values) {
  if (!before) {
    const values = await validateBody(call, model, sent)
    const id = await addItem(call, kind, model, values)
    return { id, label: String(values.label), state: 'added' as const }
  }
  const values = await validateChange(call, model, before, sent)
  const isChanged = await changeItem(call, kind, model, { before, values })
  const state: State = isChanged ? 'changed' : 'unchanged'
  return { id: before.id, label: String(values.label ?? before.label), state }
}

/** Field errors as pairs of a field and its first message; any other error is rethrown. */
function fieldMessages(error: unknown, imported: ImportedRow[]): [string, string][] {
  const { statusCode, body, duplicate } = error as Refusal
  if (statusCode !== 400 || !body || !hasFieldErrors(body)) throw error
  const other = imported.find(({ id }) => id === duplicate)
  // The id of an item that this import added means nothing to people: name its row instead.
  if (other) return [['label', `Row ${other.row} of this sheet is the same`]]
  return Object.entries(body).map(([name, [message]]) => [name, message])
}

function letterFor(columns: SheetColumn[], name: string): string {
  return columns.find(({ field }) => field.name === name.split('.')[0])?.letter ?? letterOf(0)
}

/** The outcome with changes in words. */
async function describe(call: Call, { columns, imported, errors }: Outcome) {
  const fields = columns.map(({ field }) => field).filter(({ name }) => name !== 'id')
  const values = imported.flatMap(({ before, after }) =>
    fields.flatMap((field) => [before, after].map((one) => [field, one[field.name]] as const)),
  )
  const labels = await lookupLabels(call, values as Parameters<typeof lookupLabels>[1])
  const rows = imported.map(({ before, after, ...row }) => ({
    ...row,
    changes: row.state === 'unchanged' ? [] : changesOf(fields, before, after, labels),
  }))
  const count = (state: State) => rows.filter((row) => row.state === state).length
  const counts = { added: count('added'), changed: count('changed'), unchanged: count('unchanged') }
  return { counts, rows, errors }
}

function changesOf(fields: SheetColumn['field'][], before: Values, after: Values, labels: Labels) {
  return fields
    .filter(({ name }) => name in after && !isEqual(before[name] ?? null, after[name] ?? null))
    .map((field) => ({
      field: field.name,
      label: field.label,
      from: formatValue(before[field.name], field, labels),
      to: formatValue(after[field.name], field, labels),
    }))
    .filter(({ from, to }) => from !== to)
}
