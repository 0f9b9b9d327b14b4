import { holdsRows } from './fieldTypes.ts'
import type { Field } from './generated.ts'
import { mostRows } from './repeatLimits.ts'
import { todayDependentColumns } from './todayDependent.ts'
import { evaluateRow, keepEvaluation, withRow } from './visible.ts'
import { type ConditionContext, pick, type Values } from './when.ts'

/** Visible fields by name, and the condition context with their answers. */
export interface VisibleState {
  fields: Map<string, Field>
  conditionContext: ConditionContext
}

/**
 * Rows of a repeat and of nested ones with their visible columns, without calculated ones that depend on today, which
 * are not stored.
 */
export function visibleRows(field: Field, value: unknown, conditionContext: ConditionContext): unknown {
  if (!holdsRows(field)) return value
  const columns = field.fields ?? []
  const todayDependent = todayDependentColumns(columns)
  return mapRows(field, value, (sentRow) => {
    const { fields, values } = evaluateRow(columns, sentRow, conditionContext)
    const inRow = withRow(conditionContext, values)
    const stored = new Set(fields.map((f) => f.name).filter((name) => !todayDependent.has(name)))
    const row = pick(values, (name) => name === 'row' || stored.has(name))
    for (const column of fields)
      if (holdsRows(column) && column.name in row)
        row[column.name] = visibleRows(column, row[column.name], inRow)
    keepEvaluation(sentRow, row, columns, conditionContext)
    return row
  })
}

function mapRows(field: Field, value: unknown, how: (row: Values, i: number) => Values): unknown {
  if (!holdsRows(field) || !Array.isArray(value)) return value
  // Rows beyond the limit are refused for their number, so they are not processed.
  const most = mostRows(field)
  return value.map((row, i) => (i < most && row !== null && typeof row === 'object' ? how(row, i) : row))
}
