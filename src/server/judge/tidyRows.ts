import type { Body, Entity, Property } from '../../contract/types.ts'
import { isSet, type Values } from '../../contract/when.ts'

/** The body with rows of its repeats tidied: those without what must be kept go, and missing dates are today (YYYY-MM-DD). */
export function tidyRows(shape: Pick<Entity | Body, 'properties'>, body: Values, today: string): Values {
  const tidied = { ...body }
  for (const [name, property] of Object.entries(shape.properties)) {
    const rows = body[name]
    if (property.columns && Array.isArray(rows)) tidied[name] = tidy(rows, property, today)
  }
  return tidied
}

function tidy(rows: unknown[], { keep, columns = {} }: Property, today: string): unknown[] {
  const isKept = (row: unknown) => !isRow(row) || !keep || isSet(text(row[keep]))
  const dated = Object.entries(columns).flatMap(([name, column]) =>
    (column.default as unknown) === 'today' ? name : [],
  )
  return rows.filter(isKept).map((row) => {
    if (!isRow(row)) return row
    const missing = dated.filter((name) => !isSet(row[name]))
    return { ...row, ...Object.fromEntries(missing.map((name) => [name, today])) }
  })
}

function isRow(value: unknown): value is Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function text(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}
