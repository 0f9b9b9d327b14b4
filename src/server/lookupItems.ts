import { sql } from 'kysely'
import type { FieldErrors } from '../contract/judge.ts'
import { same } from '../contract/settle.ts'
import type { Field } from '../contract/types.ts'
import { isSet, type Values } from '../contract/when.ts'
import type { Db } from './db.ts'
import { prefixed, refuse } from './problems.ts'

interface Wanted {
  path: string
  label: string
  kind: string
  value: number
}

/** Kinds whose items are rows of another table. */
const TABLES: Record<string, string> = { staff: 'staff', case_type: 'case_types' }

/** Refuses choices that their lookup does not have, or retired ones that were not stored before; fixed options likewise. */
export async function refuseUnknownItems(
  db: Db,
  fields: Field[],
  values: Values,
  stored: Values,
  at = '',
): Promise<void> {
  const wanted: Wanted[] = []
  const errors: FieldErrors = {}
  for (const field of fields) {
    if (!isSet(values[field.name]) || same(values[field.name], stored[field.name])) continue
    collect(field, values[field.name], stored[field.name], field.name, wanted, errors)
  }
  const known = await knownItems(db, wanted)
  for (const { path, label, kind, value } of wanted) {
    if (!known.has(`${kind}:${value}`)) errors[path] = [`${label} must be one of the choices`]
  }
  refuse(prefixed(at, errors))
}

function collect(
  field: Field,
  value: unknown,
  before: unknown,
  path: string,
  wanted: Wanted[],
  errors: FieldErrors,
): void {
  const { attrs, label, fields = [] } = field
  if (field.type === 'repeat' && Array.isArray(value)) {
    for (const [i, row] of value.entries()) {
      for (const column of fields) {
        const cell = (row as Values)[column.name]
        const old = Array.isArray(before) ? (before as Values[]).map((r) => r?.[column.name]) : undefined
        if (isSet(cell)) collect(column, cell, old, `${path}.${i}.${column.name}`, wanted, errors)
      }
    }
  }
  const fresh = [value].flat().filter((one) => ![before].flat(2).includes(one))
  if (attrs?.lookup) {
    for (const one of fresh) wanted.push({ path, label, kind: attrs.lookup, value: Number(one) })
  } else if (
    attrs?.options &&
    fresh.some((one) => attrs.options!.find((o) => o.value === one)?.active === false)
  ) {
    errors[path] = [`${label}: this choice is no longer offered`]
  }
}

async function knownItems(db: Db, wanted: Wanted[]): Promise<Set<string>> {
  const known = new Set<string>()
  const inLookup = wanted.filter((w) => !TABLES[w.kind] && w.kind !== 'role')
  if (inLookup.length > 0) {
    const { rows } = await sql<{ kind: string; value: number }>`select l.kind, l.value from lookup l
      join unnest(${inLookup.map((w) => w.kind)}::text[], ${inLookup.map((w) => w.value)}::int[]) as w(kind, value) using (kind, value)
      where l.active`.execute(db)
    for (const { kind, value } of rows) known.add(`${kind}:${value}`)
  }
  for (const [kind, table] of Object.entries(TABLES)) {
    const ids = wanted.filter((w) => w.kind === kind).map((w) => w.value)
    if (ids.length === 0) continue
    const { rows } = await sql<{
      id: number
    }>`select id from ${sql.table(table)} where id = any(${ids}::int[])`.execute(db)
    for (const { id } of rows) known.add(`${kind}:${id}`)
  }
  return known
}
