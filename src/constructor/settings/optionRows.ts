import { newFieldName } from '../../contract/fieldName.ts'
import type { Option } from '../../contract/generated.ts'
import { FORM_LIMITS } from '../../contract/meta/formLimits.ts'

/** A choice as a row of the table, with the text of its cells. */
export interface OptionRow {
  /** Identifies the row, also after a move. */
  key: number
  /** The original choice; undefined for a new one. */
  option?: Option
  label: string
  weight: string
  hint: string
  isOffered: boolean
  isAlone: boolean
}
/** The text columns, in order. */
export const COLUMNS = ['label', 'weight', 'hint'] as const
export type Column = (typeof COLUMNS)[number]

export const MAX_HINT_LENGTH = 300

let lastKey = 0
const blank = (): OptionRow => ({
  key: ++lastKey,
  label: '',
  weight: '',
  hint: '',
  isOffered: true,
  isAlone: false,
})
const isBlank = ({ option, label, weight, hint }: OptionRow) =>
  !option && label === '' && weight === '' && hint === ''

/** Converts choices to rows, with a blank row at the end for a new choice. */
export function rowsOf(options: Option[]): OptionRow[] {
  const rows = options.map((option) => ({
    key: ++lastKey,
    option,
    label: option.label,
    weight: String(option.weight ?? ''),
    hint: option.hint ?? '',
    isOffered: option.active !== false,
    isAlone: option.exclusive === true,
  }))
  return withBlank(rows)
}

export function withCells(rows: OptionRow[], at: number, cells: Partial<OptionRow>): OptionRow[] {
  return withBlank(rows.with(at, { ...rows[at], ...cells }))
}

/** Pastes text copied from a spreadsheet into the cells from one on; lines beyond the last row become new rows. */
export function pasted(rows: OptionRow[], at: number, columns: readonly Column[], text: string): OptionRow[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const next = [...rows]
  for (const [i, line] of lines.entries()) {
    const cells = line.split('\t').slice(0, columns.length)
    const filled = Object.fromEntries(cells.map((cell, j) => [columns[j], unquoted(cell)]))
    next[at + i] = { ...(next[at + i] ?? blank()), ...filled }
  }
  return withBlank(next)
}

export function moved(rows: OptionRow[], at: number, by: number): OptionRow[] {
  const row = rows[at]
  return withBlank(rows.toSpliced(at, 1).toSpliced(at + by, 0, row))
}

/** Converts rows to choices. `problems` are messages by the key of a row; key 0 is for too many choices. */
export function optionsOf(rows: OptionRow[]): { options: Option[]; problems: Map<number, string> } {
  const problems = new Map<number, string>()
  const options: Option[] = []
  const taken = new Set(rows.flatMap(({ option }) => (option ? [String(option.value)] : [])))
  for (const row of rows) {
    if (isBlank(row)) continue
    const label = row.label.trim()
    if (label === '') problems.set(row.key, 'Give this choice words')
    else if (label.length > 300) problems.set(row.key, 'Shorten these words to 300 characters')
    else if (row.weight.trim() !== '' && !Number.isFinite(Number(row.weight)))
      problems.set(row.key, 'The weight must be a number, such as 2 or 0.5')
    const value = row.option?.value ?? newFieldName(label, taken)
    taken.add(String(value))
    options.push(asOption(row, value, label))
  }
  if (options.length > FORM_LIMITS.choices)
    problems.set(
      0,
      `There may be ${FORM_LIMITS.choices} choices, and these are ${options.length}; use a list instead`,
    )
  return { options, problems }
}

/** Converts a row to a choice, keeping attributes that the table does not show. */
function asOption(
  { option, weight, hint, isOffered, isAlone }: OptionRow,
  value: string | number,
  label: string,
): Option {
  const { weight: _, active: __, exclusive: ___, hint: ____, ...others } = option ?? {}
  return {
    ...others,
    value,
    label,
    ...(hint.trim() !== '' && { hint: hint.trim().slice(0, MAX_HINT_LENGTH) }),
    ...(weight.trim() !== '' && { weight: Number(weight) }),
    ...(isAlone && { exclusive: true as const }),
    ...(!isOffered && { active: false }),
  }
}

/** Makes sure that the last row is blank, for a new choice. */
function withBlank(rows: OptionRow[]): OptionRow[] {
  const last = rows.at(-1)
  return last && isBlank(last) ? rows : [...rows, blank()]
}

/** Unquotes a cell: spreadsheets enclose cells that contain quotation marks in quotation marks. */
function unquoted(cell: string): string {
  return /^".*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell
}
