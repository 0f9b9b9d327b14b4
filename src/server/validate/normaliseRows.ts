import type { Body, Entity, Property } from '../../contract/generated.ts'
import { isPlainObject, isSet, type Values } from '../../contract/when.ts'

/** The body with rows of its repeats tidied: those without what must be kept go, and missing dates are today (YYYY-MM-DD). */
export function normaliseRows(shape: Pick<Entity | Body, 'properties'>, body: Values, today: string): Values {
  const normalised = { ...body }
  for (const [name, property] of Object.entries(shape.properties)) {
    const rows = body[name]
    if (property.columns && Array.isArray(rows)) normalised[name] = normalise(rows, property, today)
  }
  return normalised
}

function normalise(rows: unknown[], { keep, columns = {} }: Property, today: string): unknown[] {
  const isComplete = (row: unknown) => !isPlainObject(row) || !keep || isSet(text(row[keep]))
  const dated = Object.entries(columns).flatMap(([name, column]) =>
    (column.default as unknown) === 'today' ? name : [],
  )
  return rows.filter(isComplete).map((row) => {
    if (!isPlainObject(row)) return row
    const missing = dated.filter((name) => !isSet(row[name]))
    return { ...row, ...Object.fromEntries(missing.map((name) => [name, today])) }
  })
}

function text(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}
