import { presetOf } from '../../contract/decimal.ts'
import type { Field } from '../../contract/generated.ts'
import { canFillParams, fillParams } from '../../contract/lookupCall.ts'
import { type ConditionContext, getIn, isPlainObject, isSet, type Values } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import { dayOfCell } from '../files/cellDates.ts'
import type { SheetCell, WrongCell } from '../files/readWorkbook.ts'
import { type Choices, parseCell } from '../lookups/cells.ts'
import type { Item } from '../lookups/choices.ts'
import type { CaseType } from '../newCase/newRecord.ts'
import { today } from '../today.ts'
import type { Target } from './targets.ts'
import type { RowError } from './upload.ts'

/** What rows are read by. */
export interface RowReading {
  type: CaseType
  targets: Target[]
  /** Columns by the path of their target. */
  columns: Map<string, number>
  date1904: boolean
}
/** The body of POST /case/ that a row stands for, and the cells that cannot be read. */
export interface RowBody {
  body: Values
  errors: RowError[]
}

/** Longest value that a list of mistakes shows. */
const LONGEST = 200

/**
 * Reads a row as the body of a new case. A value that is missing is what its field begins as; what follows other answers
 * is left to the validation.
 */
export async function bodyOfRow(call: Call, cells: SheetCell[], reading: RowReading): Promise<RowBody> {
  const { type, targets, columns, date1904 } = reading
  const timeZone = call.settings.TIME_ZONE
  const day = today(timeZone)
  const body: Values = {
    service: type.service,
    case_type: type.id,
    case_type_version: type.version,
    client: {},
    case: { answers: {} },
    issue: { answers: {} },
    monitoring: {},
  }
  const errors: RowError[] = []
  // In the order of the forms, because a choice may depend on an answer before it.
  for (const { path, keys, field } of targets) {
    const column = columns.get(path)
    const cell = column === undefined ? null : (cells[column] ?? null)
    if (cell === null) {
      const preset = defaultOf(field, day)
      if (preset !== undefined) setIn(body, keys, preset)
      continue
    }
    const add = (message: string) =>
      errors.push({ column: column!, value: displayed(cell, field, date1904), message })
    if (isWrongCell(cell)) {
      add(`${field.label} ${cell.wrong}`)
      continue
    }
    const choices = hasChoices(field) ? await choicesFor(call, field, keys, body) : NO_CHOICES
    const read = parseCell(cell, field, choices, { date1904, timeZone })
    if ('wrong' in read) add(read.wrong)
    else if (isSet(read.value)) setIn(body, keys, read.value)
  }
  return { body, errors }
}

/** What stands around the answers of a row. */
function aroundAnswers(body: Values): ConditionContext {
  const caseRecord = { ...(body.case as Values), service: body.service }
  return { record: caseRecord, with: { case: caseRecord, client: body.client as Values } }
}

/** Field errors of a new case as mistakes in the columns that its values came from. */
export function errorsInColumns(
  errors: Record<string, string[]>,
  cells: SheetCell[],
  { targets, columns, date1904 }: RowReading,
): RowError[] {
  return Object.entries(errors).map(([path, [message]]) => {
    const target =
      targets.find((one) => one.path === path) ??
      targets.find((one) => one.path.startsWith(`${path}.`) || path.startsWith(`${one.path}.`))
    const column = target && columns.get(target.path)
    const cell = column === undefined ? null : (cells[column] ?? null)
    return { column: column ?? null, value: displayed(cell, target?.field, date1904), message }
  })
}

/** A cell as people see it in a list: of a date not the number that Excel stores. */
export function displayed(cell: SheetCell, field: Field | undefined, date1904: boolean): string | null {
  const value = isWrongCell(cell) ? cell.value : cell
  if (value === null) return null
  const day =
    field?.type === 'date' && typeof value === 'number' ? dayOfCell(String(value), date1904) : undefined
  return (day?.split('-').reverse().join('/') ?? String(value)).slice(0, LONGEST)
}

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

/** The choices of a field by their label, as the answers before it narrow them. */
async function choicesFor(call: Call, { attrs }: Field, keys: string[], body: Values): Promise<Choices> {
  if (attrs?.options) return byLabel(attrs.options as unknown as Item[])
  if (!attrs?.lookup || !call.choices) return NO_CHOICES
  if (!attrs.lookup_params) return byLabel(await call.choices(attrs.lookup, {}))
  const [part, at] = keys
  const answers = getIn(body, at === 'answers' ? [part, at] : [part]) as Values
  const conditionContext = { answers, ...aroundAnswers(body) }
  const params = canFillParams(attrs.lookup_params, conditionContext)
    ? fillParams(attrs.lookup_params, conditionContext)
    : {}
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  return byLabel(await call.choices(attrs.lookup, texts))
}

const labelled = new WeakMap<object, Choices>()

/** Choices that are offered, by their label in small letters; the same list is gone through once. */
function byLabel(items: Item[]): Choices {
  const known = labelled.get(items)
  if (known) return known
  const offered = items.filter(({ active }) => active !== false).reverse()
  const choices: Choices = new Map(offered.map(({ label, value }) => [label.toLowerCase(), value]))
  labelled.set(items, choices)
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
