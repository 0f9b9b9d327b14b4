import { newFieldName } from '../../contract/fieldName.ts'
import type { Option } from '../../contract/generated.ts'
import { MOST } from '../../contract/meta/formLimits.ts'

/** A choice as a row of the table: its cells as they were typed. */
export interface OptionRow {
  /** Of this row wherever it is moved. */
  key: number
  /** As it was before; none of a new one. */
  option?: Option
  label: string
  weight: string
  isOffered: boolean
  isAlone: boolean
}
/** The columns that are typed into, in their order. */
export const COLUMNS = ['label', 'weight'] as const
export type Column = (typeof COLUMNS)[number]

let lastKey = 0
const blank = (): OptionRow => ({ key: ++lastKey, label: '', weight: '', isOffered: true, isAlone: false })
const isBlank = ({ option, label, weight }: OptionRow) => !option && label === '' && weight === ''

/** The choices as rows, and a blank one to go on in. */
export function rowsOf(options: Option[]): OptionRow[] {
  const rows = options.map((option) => ({
    key: ++lastKey,
    option,
    label: option.label,
    weight: String(option.weight ?? ''),
    isOffered: option.active !== false,
    isAlone: option.exclusive === true,
  }))
  return withBlank(rows)
}

export function withCells(rows: OptionRow[], at: number, cells: Partial<OptionRow>): OptionRow[] {
  return withBlank(rows.with(at, { ...rows[at], ...cells }))
}

/** Fills the cells from one on with those that were copied from a spreadsheet; rows beyond the last are new. */
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

/** The choices that rows say, or what is wrong with them: words by the key of a row, and under 0 what all are too many for. */
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
      problems.set(row.key, 'What it weighs must be a number, such as 2 or 0.5')
    const value = row.option?.value ?? newFieldName(label, taken)
    taken.add(String(value))
    options.push(asOption(row, value, label))
  }
  if (options.length > MOST.choices)
    problems.set(
      0,
      `There may be ${MOST.choices} choices, and these are ${options.length}; use a list instead`,
    )
  return { options, problems }
}

/** Keeps what the table does not show of a choice. */
function asOption(
  { option, weight, isOffered, isAlone }: OptionRow,
  value: string | number,
  label: string,
): Option {
  const { weight: _, active: __, exclusive: ___, ...others } = option ?? {}
  return {
    ...others,
    value,
    label,
    ...(weight.trim() !== '' && { weight: Number(weight) }),
    ...(isAlone && { exclusive: true as const }),
    ...(!isOffered && { active: false }),
  }
}

/** The last row is a blank one, to go on in. */
function withBlank(rows: OptionRow[]): OptionRow[] {
  const last = rows.at(-1)
  return last && isBlank(last) ? rows : [...rows, blank()]
}

/** A spreadsheet puts a cell with quotation marks in it between others. */
function unquoted(cell: string): string {
  return /^".*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell
}
