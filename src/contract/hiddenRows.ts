import { holdsRows } from './fieldTypes.ts'
import type { Field } from './generated.ts'
import { mostRows } from './repeatLimits.ts'
import { evaluateRow, withRow } from './visible.ts'
import { type ConditionContext, isPlainObject, isSet, type Values } from './when.ts'

/**
 * Answers that count together with hidden ones, as a form edits them: the hidden columns of a row go into the row with
 * the same id. An answer that counts wins over a hidden one.
 */
export function withHidden(answers: Values, hidden: Values): Values {
  const merged = { ...hidden, ...answers }
  for (const [name, value] of Object.entries(answers))
    if (Object.hasOwn(hidden, name)) merged[name] = rowsWithHidden(value, hidden[name])
  return merged
}

function rowsWithHidden(rows: unknown, hidden: unknown): unknown {
  if (!Array.isArray(rows) || !Array.isArray(hidden)) return rows
  const hiddenRow = finderOf(hidden)
  return rows.map((row, i) => {
    const found = isPlainObject(row) ? hiddenRow(row, i) : undefined
    return found ? withHidden(row, found) : row
  })
}

/** The rows of a repeat before and during a change; those of `visible` and `candidates` have the same order. */
interface ChangedRows {
  /** The rows after the change with their visible columns. */
  visible: unknown
  /** The same rows with all their columns. */
  candidates: unknown
  stored: unknown
  /** The hidden columns of the stored rows. */
  hidden: unknown
}
interface RowContext {
  conditionContext: ConditionContext
  /** True if the change brings hidden answers back. */
  bringsBack: boolean
  /** The same columns and context without conditions on the user; undefined if there are no such conditions. */
  anybody?: { fields: Field[]; conditionContext: ConditionContext }
  isValid: (field: Field, value: unknown) => boolean
}

/**
 * Splits the rows of a visible repeat: `rows` have the columns that count, `hidden` those that do not, by row ids. A row
 * without an id gets one if it has hidden columns. The hidden columns of a row that is removed go with it.
 */
export function splitRows(
  field: Field,
  { visible, candidates, stored, hidden }: ChangedRows,
  context: RowContext,
): { rows: unknown; hidden: Values[] } {
  if (!Array.isArray(visible) || !Array.isArray(candidates)) return { rows: visible, hidden: [] }
  const [storedRow, hiddenRow] = [finderOf(stored), finderOf(hidden)]
  const ids = new Set(visible.map((row) => (isPlainObject(row) ? row.row : undefined)))
  const most = mostRows(field)
  const columns = new Map((field.fields ?? []).map((column) => [column.name, column]))
  const hiddenRows: Values[] = []
  const rows = visible.map((row, i) => {
    const candidate = candidates[i]
    if (i >= most || !isPlainObject(row) || !isPlainObject(candidate)) return row
    const split = splitRow(
      field.fields ?? [],
      columns,
      {
        visible: row,
        candidate,
        stored: storedRow(row, i) ?? {},
        hidden: hiddenRow(row, i) ?? {},
      },
      context,
    )
    if (Object.keys(split.hidden).length === 0) return split.row
    const id = row.row ?? unusedId(ids, i)
    ids.add(id)
    hiddenRows.push({ row: id, ...split.hidden })
    return { ...split.row, row: id }
  })
  return { rows, hidden: hiddenRows }
}

interface ChangedRow {
  visible: Values
  candidate: Values
  stored: Values
  hidden: Values
}

function splitRow(
  fields: Field[],
  columns: Map<string, Field>,
  { visible, candidate, stored, hidden }: ChangedRow,
  context: RowContext,
): { row: Values; hidden: Values } {
  const { conditionContext, bringsBack, anybody, isValid } = context
  const { names, values } = evaluateRow(fields, candidate, conditionContext)
  const forAnybody = anybody && evaluateRow(anybody.fields, candidate, anybody.conditionContext)
  const row = { ...visible }
  const hiddenColumns: Values = {}
  for (const name of new Set([...Object.keys(stored), ...Object.keys(hidden), ...Object.keys(candidate)])) {
    if (name === 'row') continue
    const column = columns.get(name)
    // Of a nested repeat some columns may be hidden and others count.
    const known =
      isSet(hidden[name]) && Array.isArray(stored[name])
        ? rowsWithHidden(stored[name], hidden[name])
        : (hidden[name] ?? stored[name])
    if (column?.attrs?.calc) continue
    if (column && names.has(name)) {
      if (!holdsRows(column) || !Array.isArray(visible[name])) {
        if (!bringsBack && !isSet(visible[name]) && isSet(hidden[name])) hiddenColumns[name] = hidden[name]
        continue
      }
      const split = splitRows(
        column,
        {
          visible: visible[name],
          candidates: values[name],
          stored: stored[name],
          hidden: hidden[name],
        },
        {
          ...context,
          conditionContext: withRow(conditionContext, values),
          anybody: anybody && {
            fields: anybody.fields.find((one) => one.name === name)?.fields ?? [],
            conditionContext: withRow(anybody.conditionContext, forAnybody!.values),
          },
        },
      )
      row[name] = split.rows
      if (split.hidden.length > 0) hiddenColumns[name] = split.hidden
    } else if (column && forAnybody?.names.has(name) && isSet(stored[name])) row[name] = stored[name]
    else {
      const typed = candidate[name]
      const isTyped = bringsBack && column && typed !== known && isSet(typed) && column.attrs?.is_on !== false
      const value = isTyped && isValid(column, typed) ? typed : known
      if (isSet(value)) hiddenColumns[name] = value
    }
  }
  return { row, hidden: hiddenColumns }
}

function unusedId(ids: Set<unknown>, index: number): string {
  let id = `r${index}`
  while (ids.has(id)) id += 'r'
  return id
}

/** Finds the row with the same `row` id; a row without an id is matched by its index. */
function finderOf(all: unknown): (row: Values, i: number) => Values | undefined {
  const rows = (Array.isArray(all) ? all : []).map((one) => (isPlainObject(one) ? one : undefined))
  const byId = new Map<unknown, Values>()
  for (const row of rows) if (row?.row !== undefined && !byId.has(row.row)) byId.set(row.row, row)
  return ({ row: id }, i) => {
    if (id !== undefined) return byId.get(id)
    return rows[i]?.row === undefined ? rows[i] : undefined
  }
}
