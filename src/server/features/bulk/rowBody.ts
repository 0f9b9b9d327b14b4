import { choiceKey } from '../../../contract/compareKey.ts'
import { presetOf } from '../../../contract/decimal.ts'
import { isDay, takesOneChoice } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { canFillParams, fillParams } from '../../../contract/lookupCall.ts'
import { type ConditionContext, getIn, isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import type { DateOptions } from '../../records/files/cellDates.ts'
import { dayOfCell } from '../../records/files/cellDates.ts'
import { type Choices, parseCell } from '../../records/files/cells.ts'
import type { SheetCell, WrongCell } from '../../records/files/writtenCell.ts'
import { choicesOf, type Item, type LookupParams } from '../../records/lookups/choices.ts'
import type { CaseType } from '../cases/newRecord.ts'
import { meaningOf } from './columnQuestions.ts'
import { type Answers, nameOfQuestion } from './questions.ts'
import type { Target } from './targets.ts'
import type { RowError } from './upload.ts'

/** The case type, targets and columns by which rows are read. */
export interface RowReading {
  type: CaseType
  targets: Target[]
  /** Columns by the path of their target. */
  columns: Map<string, number>
  /** Answers to what is unclear in the file. */
  answers: Answers
  dates: DateOptions
}
/** The body of POST /case/ for a row, and the errors of cells that cannot be read. */
interface RowBody {
  body: Values
  errors: RowError[]
}

/** Maximum length of a value in a list of errors. */
const MAX_VALUE_LENGTH = 200
const MAX_CORRECTION_LENGTH = 4000

/**
 * Reads a row as the body of a new case. An empty cell gets the default of its field; defaults that depend on other
 * answers are left to the validation.
 */
export async function bodyOfRow(call: Call, cells: SheetCell[], reading: RowReading): Promise<RowBody> {
  const { type, targets, columns, answers, dates } = reading
  const day = today(call.settings.TIME_ZONE)
  const body = emptyBody(type)
  const errors: RowError[] = []
  // In the order of the forms, because a choice may depend on an answer before it.
  for (const { path, keys, field } of targets) {
    const column = columns.get(path)
    const written = column === undefined ? null : (cells[column] ?? null)
    const cell = meaningOf(written, field, (kind) => answers[nameOfQuestion(kind, column!)])
    if (cell === null) {
      const preset = defaultOf(field, day)
      if (preset !== undefined) setIn(body, keys, preset)
      continue
    }
    const add = (message: string) =>
      errors.push({ column: column!, value: displayed(written, field, dates), message })
    const choices = hasChoices(field) ? await choicesFor(call, field, keys, body) : NO_CHOICES
    const read = parseCell(cell, field, choices, dates)
    if ('wrong' in read) add(read.wrong)
    else if (isSet(read.value)) setIn(body, keys, read.value)
  }
  return { body, errors }
}

function emptyBody(type: CaseType): Values {
  return {
    service: type.service,
    case_type: type.id,
    case_type_version: type.version,
    client: {},
    case: { answers: {} },
    issue: { answers: {} },
    monitoring: {},
  }
}

function contextOf(body: Values): ConditionContext {
  const caseRecord = { ...(body.case as Values), service: body.service }
  return { record: caseRecord, with: { case: caseRecord, client: body.client as Values } }
}

/** Assigns the field errors of a new case to the columns of their values. */
export function errorsInColumns(
  errors: Record<string, string[]>,
  cells: SheetCell[],
  { targets, columns, dates }: RowReading,
): RowError[] {
  return Object.entries(errors).map(([path, [message]]) => {
    const target =
      targets.find((one) => one.path === path) ??
      targets.find((one) => one.path.startsWith(`${path}.`) || path.startsWith(`${one.path}.`))
    const column = target && columns.get(target.path)
    if (target && column === undefined)
      return { column: null, target: target.path, value: null, message: missingColumn(target, message) }
    const cell = column === undefined ? null : (cells[column] ?? null)
    return { column: column ?? null, value: displayed(cell, target?.field, dates), message }
  })
}

/** The message for a target without a column; if it has a default, that was invalid. */
function missingColumn({ heading, field }: Target, message: string): string {
  return field.attrs?.default === undefined ? `The file has no column '${heading}'` : message
}

/** A cell as text for a list; a date as in Britain. */
export function displayed(cell: SheetCell, field: Field | undefined, dates: DateOptions): string | null {
  const value = isWrongCell(cell) ? cell.value : cell
  if (value === null) return null
  const isDate =
    field !== undefined && isDay(field) && (typeof value === 'number' || WRITTEN_DATE.test(String(value)))
  const day = isDate ? dayOfCell(String(value), dates) : undefined
  return (day?.split('-').reverse().join('/') ?? String(value)).slice(0, MAX_VALUE_LENGTH)
}

/** A date as `writtenCell` writes it. */
const WRITTEN_DATE = /^\d{4}-\d\d-\d\d$/

export function isWrongCell(cell: SheetCell): cell is WrongCell {
  return isPlainObject(cell)
}

function defaultOf(field: Field, day: string): unknown {
  const preset = presetOf(field)
  return preset === 'today' ? day : preset
}

const NO_CHOICES: Choices = new Map()

function hasChoices({ attrs }: Field): boolean {
  return attrs?.options !== undefined || attrs?.lookup !== undefined
}

/** The field of a correction: a select of the target's choices by label, or else a text as in a cell. */
export async function correctionField(call: Call, type: CaseType, target: Target): Promise<Field> {
  const { field, keys, heading } = target
  const attrs = { required: true, help: 'It is put into each of these rows, which are then checked again' }
  const choices = takesOneChoice(field) && (await itemsFor(call, field, keys, emptyBody(type)))
  if (!choices)
    return {
      name: 'to',
      label: heading,
      type: 'text',
      attrs: { ...attrs, max_length: MAX_CORRECTION_LENGTH },
    }
  const options = choices
    .filter(({ active }) => active !== false)
    .map(({ label }) => ({ value: label, label }))
  return { name: 'to', label: heading, type: 'select', attrs: { ...attrs, options } }
}

/** The error of a text as the value of a target, without regard to the rest of the row. */
export async function valueError(
  call: Call,
  type: CaseType,
  { field, keys }: Target,
  text: string,
): Promise<string | undefined> {
  const choices = hasChoices(field) ? await choicesFor(call, field, keys, emptyBody(type)) : NO_CHOICES
  const read = parseCell(text, field, choices, { timeZone: call.settings.TIME_ZONE })
  return 'wrong' in read ? read.wrong : undefined
}

/** The choices of a field by label, filtered by the answers before it. */
async function choicesFor(call: Call, field: Field, keys: string[], body: Values): Promise<Choices> {
  const items = await itemsFor(call, field, keys, body)
  return items ? byLabel(items) : NO_CHOICES
}

async function itemsFor(
  call: Call,
  { attrs }: Field,
  keys: string[],
  body: Values,
): Promise<Item[] | undefined> {
  if (attrs?.options) return attrs.options as unknown as Item[]
  if (!attrs?.lookup) return undefined
  const read = call.choices ?? ((lookup: string, filters: LookupParams) => choicesOf(call, lookup, filters))
  if (!attrs.lookup_params) return read(attrs.lookup, {})
  const [part, at] = keys
  const answers = getIn(body, at === 'answers' ? [part, at] : [part]) as Values
  const conditionContext = { answers, ...contextOf(body) }
  const params = canFillParams(attrs.lookup_params, conditionContext)
    ? fillParams(attrs.lookup_params, conditionContext)
    : {}
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  return read(attrs.lookup, texts)
}

const choicesCache = new WeakMap<object, Choices>()

/** Active choices by the key of their label, cached by list. */
function byLabel(items: Item[]): Choices {
  const known = choicesCache.get(items)
  if (known) return known
  const offered = items.filter(({ active }) => active !== false).reverse()
  const choices: Choices = new Map(offered.map(({ label, value }) => [choiceKey(label), value]))
  choicesCache.set(items, choices)
  return choices
}

/** Sets the value at the keys of a target; they come from the contract and metas, never from the file. */
function setIn(body: Values, keys: string[], value: unknown): void {
  let at = body
  for (const key of keys.slice(0, -1)) {
    if (!Object.hasOwn(at, key)) at[key] = {}
    at = at[key] as Values
  }
  at[keys.at(-1)!] = value
}
