import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import { takesSeveralChoices } from '../../../contract/fieldTypes.ts'
import type { Field, Group, Property } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { definitionUses } from './definitionUses.ts'
import { formUses } from './formUses.ts'

/** A use of an item: the number of records by table and field, or of published forms, automations or deadlines. */
export interface Use {
  id: string
  label: string
  table: string
  field: string
  count: number
}
/** A place where items of a list can be chosen, with the condition that one is chosen. */
interface Place {
  label: string
  table: string
  field: string
  from: Sql
  where: (value: number) => Sql
}

/**
 * Exact numbers of the records that use an item in columns, rows within records, answers and other lists, and of the
 * published forms, automations and deadlines that use it.
 */
export async function lookupUsage(call: Call, kind: string, value: number): Promise<Use[]> {
  return [
    ...(await recordUses(call, kind, value)),
    ...(await formUses(call.db, kind, value)),
    ...(await definitionUses(call.db, kind, value)),
  ]
}

async function recordUses(call: Call, kind: string, value: number): Promise<Use[]> {
  const places = [
    ...(await columnPlaces(call, kind)),
    ...itemPlaces(call.contract, kind),
    ...(await answerPlaces(call, kind)),
  ]
  if (places.length === 0) return []
  const counts = places.map(
    ({ from, where }, i) => sql`select ${i}::int as i, count(*)::int as n from ${from} where ${where(value)}`,
  )
  const { rows } = await sql<{
    i: number
    n: number
  }>`${sql.join(counts, sql` union all `)} order by i`.execute(call.db)
  return rows
    .filter(({ n }) => n > 0)
    .map(({ i, n }) => {
      const { table, field, label } = places[i]
      const words = `${label}: ${n.toLocaleString('en-GB')} ${n === 1 ? 'record' : 'records'}`
      return { id: `${table}.${field}`, label: words, table, field, count: n }
    })
}

/** Columns of tables with a lookup, by their entities. Views are left out: they would count a record twice. */
async function columnPlaces({ contract, db }: Call, kind: string): Promise<Place[]> {
  const { rows } = await sql<{ name: string }>`select c.table_name || '.' || c.column_name as name
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and t.table_schema = current_schema()`.execute(db)
  const known = new Set(rows.map(({ name }) => name))
  const places = new Map<string, Place>()
  for (const { title, table, properties } of Object.values(contract.entities)) {
    for (const [field, property] of Object.entries(properties)) {
      const key = `${table}.${field}`
      const where = table && known.has(key) && !places.has(key) && columnHas(kind, field, property)
      if (where)
        places.set(key, {
          label: `${title}, ${property.title}`,
          table,
          field,
          from: sql`${sql.table(table)}`,
          where,
        })
    }
  }
  return [...places.values()]
}

function columnHas(kind: string, field: string, property: Property): Place['where'] | undefined {
  const column = sql.ref(field)
  const isList = [property.type].flat().includes('array')
  if (property.lookup === kind)
    return (value) => (isList ? sql`${value} = any(${column})` : sql`${column} = ${value}`)
  const inside = Object.entries(property.columns ?? {}).filter(([, { lookup }]) => lookup === kind)
  if (inside.length === 0) return undefined
  return (value) => anyOf(inside.map(([name]) => contains(column, [{ [name]: value }])))
}

/** Attributes of other lists that reference items of this one. */
function itemPlaces({ lookups, entities }: Contract, kind: string): Place[] {
  const lists = Object.entries(lookups).map(([name, { title, item }]) => ({ name, title, item }))
  const files = { name: 'file', title: entities.managedFile.title, item: entities.managedFile.properties }
  return [...lists, files].flatMap(({ name, title, item = {} }) =>
    Object.entries(item)
      .filter(([, { lookup }]) => lookup === kind)
      .map(([field, property]) => ({
        label: `${title}, ${property.title}`,
        table: `lookup.${name}`,
        field,
        from: sql`lookup`,
        where: (value: number) => {
          const isList = [property.type].flat().includes('array')
          return sql`kind = ${name} and ${contains(sql`attrs`, { [field]: isList ? [value] : value })}`
        },
      })),
  )
}

const METAS = {
  case_meta: {
    table: 'cases',
    label: 'Case',
    from: sql`cases r join case_types t on t.id = r.case_type`,
  },
  issue_meta: {
    table: 'issues',
    label: 'Issue',
    from: sql`issues r join cases k on k.id = r."case" join case_types t on t.id = k.case_type`,
  },
} as const

/** Answers to fields of the published case types; a field that several case types share is one place. */
async function answerPlaces({ db }: Call, kind: string): Promise<Place[]> {
  const { rows } = await sql<{
    id: number
    case_meta: Group[]
    issue_meta: Group[]
  }>`select id, case_meta, issue_meta from case_types`.execute(db)
  const places = new Map<string, { place: Place; types: number[] }>()
  for (const row of rows) {
    for (const [meta, { table, label, from }] of Object.entries(METAS)) {
      for (const field of row[meta as keyof typeof METAS].flatMap((group) => group.fields)) {
        const shapes = shapesOf(field, kind)
        if (shapes.length === 0) continue
        const key = `${table}.${field.name} ${JSON.stringify(shapes.map((shape) => shape(0)))}`
        const types = places.get(key)?.types ?? []
        types.push(row.id)
        const where = (value: number) =>
          sql`t.id = any(${types}::int[]) and ${anyOf(
            shapes.flatMap((shape) => [
              contains(sql`r.answers`, shape(value)),
              contains(sql`r.hidden_answers`, hiddenShape(shape(value))),
            ]),
          )}`
        const at = `answers.${field.name}`
        places.set(key, {
          types,
          place: { label: `${label}, ${field.label}`, table, field: at, from, where },
        })
      }
    }
  }
  return [...places.values()].map(({ place }) => place)
}

/** The JSON that answers with an item contain: its value, a list with it, or a row with it. */
function shapesOf({ name, type, attrs, fields = [] }: Field, kind: string): ((value: number) => object)[] {
  if (attrs?.lookup === kind && !attrs.options)
    return [(value) => ({ [name]: takesSeveralChoices({ type }) ? [value] : value })]
  return fields.flatMap((column) =>
    shapesOf(column, kind).map((shape) => (value: number) => ({ [name]: [shape(value)] })),
  )
}

/** The JSON that contains the same as a hidden answer, which may come back. */
function hiddenShape(shape: object): object {
  return Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, { value }]))
}

function contains(column: Sql, value: object): Sql {
  return sql`${column} @> ${JSON.stringify(value)}::jsonb`
}

function anyOf(conditions: Sql[]): Sql {
  return sql`(${sql.join(conditions, sql` or `)})`
}
