import type { Field } from './generated.ts'
import { mostRows } from './repeatLimits.ts'
import { evaluateRow, keepEvaluation, todayDependentColumns, withRow } from './visible.ts'
import { type ConditionContext, isPlainObject, pick, type Values } from './when.ts'

/** Visible fields by name, and the condition context with their answers. */
export interface VisibleState {
  fields: Map<string, Field>
  conditionContext: ConditionContext
}

/** Rows as sent, and the condition context of their columns. */
interface SentRows {
  rows: unknown
  conditionContext: ConditionContext
}

/** Adds to the visible rows of a repeat those stored columns that were hidden before the change and still are. */
export function withHiddenColumns(
  field: Field,
  visible: unknown,
  { rows, conditionContext }: SentRows,
  stored: unknown,
  visibleBefore: VisibleState,
): unknown {
  const columns = field.fields ?? []
  const storedRow = finderOf(stored)
  return mapRows(field, visible, (row, i) => {
    const old = storedRow(row, i)
    if (!old) return row
    const before = visibleBefore.fields.has(field.name)
      ? evaluateRow(columns, old, visibleBefore.conditionContext)
      : { fields: [], values: {} }
    const now = evaluateRow(columns, (rows as Values[])[i], conditionContext)
    const visibleOnce = new Set([...before.fields, ...now.fields].map((f) => f.name))
    const merged = { ...pick(old, (name) => !visibleOnce.has(name)), ...row }
    const visibleInRow = {
      fields: new Map(before.fields.map((f) => [f.name, f])),
      conditionContext: withRow(visibleBefore.conditionContext, before.values),
    }
    for (const column of columns) {
      const { name, type } = column
      if (type !== 'repeat' || !(name in row)) continue
      const sentRows = { rows: now.values[name], conditionContext: withRow(conditionContext, now.values) }
      merged[name] = withHiddenColumns(column, row[name], sentRows, old[name], visibleInRow)
    }
    return merged
  })
}

/** Finds the stored row with the same `row` id; a row without an id is matched by its index. */
function finderOf(stored: unknown): (row: Values, i: number) => Values | undefined {
  const rows = (Array.isArray(stored) ? stored : []).map((one) => (isPlainObject(one) ? one : undefined))
  const byId = new Map<unknown, Values>()
  for (const row of rows) if (row?.row !== undefined && !byId.has(row.row)) byId.set(row.row, row)
  return ({ row: id }, i) => {
    if (id !== undefined) return byId.get(id)
    return rows[i]?.row === undefined ? rows[i] : undefined
  }
}

/**
 * Rows of a repeat and of nested ones with their visible columns, without calculated ones that depend on today, which
 * are not stored.
 */
export function visibleRows(field: Field, value: unknown, conditionContext: ConditionContext): unknown {
  if (field.type !== 'repeat') return value
  const columns = field.fields ?? []
  const todayDependent = todayDependentColumns(columns)
  return mapRows(field, value, (sentRow) => {
    const { fields, values } = evaluateRow(columns, sentRow, conditionContext)
    const inRow = withRow(conditionContext, values)
    const stored = new Set(fields.map((f) => f.name).filter((name) => !todayDependent.has(name)))
    const row = pick(values, (name) => name === 'row' || stored.has(name))
    for (const column of fields)
      if (column.type === 'repeat' && column.name in row)
        row[column.name] = visibleRows(column, row[column.name], inRow)
    keepEvaluation(sentRow, row, columns, conditionContext)
    return row
  })
}

function mapRows(field: Field, value: unknown, how: (row: Values, i: number) => Values): unknown {
  if (field.type !== 'repeat' || !Array.isArray(value)) return value
  // Rows beyond the limit are refused for their number, so they are not processed.
  const most = mostRows(field)
  return value.map((row, i) => (i < most && row !== null && typeof row === 'object' ? how(row, i) : row))
}
