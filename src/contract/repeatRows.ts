import type { Field } from './generated.ts'
import { mostRows } from './repeatLimits.ts'
import { columnsOfToday, evaluateRow, withRow } from './visible.ts'
import { type ConditionContext, pick, type Values } from './when.ts'

/** Visible fields by name, and what conditions can reach among them. */
export interface Seen {
  fields: Map<string, Field>
  conditionContext: ConditionContext
}

/** Rows as somebody sent them, and what their columns see. */
interface GivenRows {
  rows: unknown
  conditionContext: ConditionContext
}

/** Visible rows of a repeat with those stored columns that were hidden before the change and still are. */
export function withKeptColumns(
  field: Field,
  visible: unknown,
  { rows, conditionContext }: GivenRows,
  stored: unknown,
  seenBefore: Seen,
): unknown {
  const columns = field.fields ?? []
  return mapRows(field, visible, (row, i) => {
    const old = storedRow(stored, row, i)
    if (!old) return row
    const before = seenBefore.fields.has(field.name)
      ? evaluateRow(columns, old, seenBefore.conditionContext)
      : { fields: [], values: {} }
    const now = evaluateRow(columns, (rows as Values[])[i], conditionContext)
    const visibleOnce = new Set([...before.fields, ...now.fields].map((f) => f.name))
    const kept = { ...pick(old, (name) => !visibleOnce.has(name)), ...row }
    const seenInRow = {
      fields: new Map(before.fields.map((f) => [f.name, f])),
      conditionContext: withRow(seenBefore.conditionContext, before.values),
    }
    for (const column of columns) {
      const { name, type } = column
      if (type !== 'repeat' || !(name in row)) continue
      const given = { rows: now.values[name], conditionContext: withRow(conditionContext, now.values) }
      kept[name] = withKeptColumns(column, row[name], given, old[name], seenInRow)
    }
    return kept
  })
}

/** The stored row of the same `row` id; rows without an id are told apart by their position. */
function storedRow(stored: unknown, { row: id }: Values, i: number): Values | undefined {
  const rows = Array.isArray(stored) ? (stored as (Values | null)[]) : []
  return (id === undefined ? [rows[i]] : rows).find((one) => one && one.row === id) ?? undefined
}

/** Rows of a repeat, and of those within, with their visible columns only, those calculated that are stored. */
export function visibleRows(field: Field, value: unknown, conditionContext: ConditionContext): unknown {
  if (field.type !== 'repeat') return value
  const columns = field.fields ?? []
  const ofToday = columnsOfToday(columns)
  return mapRows(field, value, (given) => {
    const { fields, values } = evaluateRow(columns, given, conditionContext)
    const stored = new Set(fields.map((f) => f.name).filter((name) => !ofToday.has(name)))
    const row = pick(values, (name) => name === 'row' || stored.has(name))
    for (const column of fields)
      if (column.type === 'repeat' && column.name in row)
        row[column.name] = visibleRows(column, row[column.name], withRow(conditionContext, values))
    return row
  })
}

function mapRows(field: Field, value: unknown, how: (row: Values, i: number) => Values): unknown {
  if (field.type !== 'repeat' || !Array.isArray(value)) return value
  // More rows than there may be are refused for their number, so they need not be looked at.
  const most = mostRows(field)
  return value.map((row, i) => (i < most && row !== null && typeof row === 'object' ? how(row, i) : row))
}
