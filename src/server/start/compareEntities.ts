import { sql } from 'kysely'
import { isListing, parametersOf, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Endpoint, Entity, Property } from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Db } from '../db.ts'

/** What a database has: the columns of its tables and views by name, and the names that SQL needs in quotes. */
export interface Tables {
  columns: Map<string, { isView: boolean; names: Set<string> }>
  reserved: Set<string>
}

/** Reads which tables, views and columns there are. */
export async function readTables(db: Db): Promise<Tables> {
  const { rows } = await sql<{ name: string; isView: boolean; names: string[] }>`
    select c.relname as name, c.relkind = 'v' as "isView", array_agg(a.attname::text) as names
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')
    group by c.oid`.execute(db)
  const words = await sql<{
    word: string
  }>`select word from pg_get_keywords() where catcode in ('R', 'T')`.execute(db)
  return {
    columns: new Map(rows.map(({ name, isView, names }) => [name, { isView, names: new Set(names) }])),
    reserved: new Set(words.rows.map(({ word }) => word)),
  }
}

/**
 * A sentence for each column that the contract needs and the database lacks: of fields with the SQL or the view to
 * write, and of what lists filter by.
 */
export function missingColumns(contract: Contract, tables: Tables): string[] {
  const { entities, endpoints } = contract
  const ofFields = Object.values(entities).flatMap((entity) =>
    Object.entries(entity.properties).flatMap(([name, property]) => {
      const words = missingColumn(entity, name, property, tables, entities)
      return words ? [`${entity.$id}.${name}: ${words}`] : []
    }),
  )
  const ofFilters = Object.entries(endpoints).flatMap(([call, endpoint]) => {
    const { verb, entity = '' } = verbOf(endpoint) ?? {}
    const read = entities[entity]?.view ?? entities[entity]?.table
    const names = read && tables.columns.get(read)?.names
    if (!isListing(verb) || !names) return []
    return filterColumns(contract, endpoint)
      .filter((name) => !names.has(name))
      .map((name) => `${call}: ${read} has no column ${name} to filter by${suggest(name, names) || '.'}`)
  })
  return [...ofFields, ...ofFilters]
}

/** Columns that a list's `where` and its parameters compare. */
function filterColumns(contract: Contract, endpoint: Endpoint): string[] {
  const parameters = Object.entries(parametersOf(contract, endpoint)).filter(([, { match }]) => match)
  return [...Object.keys(endpoint.where ?? {}), ...parameters.map(([name, { column }]) => column ?? name)]
}

function missingColumn(
  { table, view }: Entity,
  name: string,
  property: Property,
  { columns, reserved }: Tables,
  entities: Contract['entities'],
): string | undefined {
  if (!table || property.computed) return undefined
  const has = (relation: string) => columns.get(relation)?.names.has(name) ?? false
  if (!columns.has(table)) return `there is no table or view ${table}.`
  const isTable = columns.get(table)?.isView === false
  const read = view ?? table
  const isComputed = property.readOnly && view !== undefined
  if (has(read) && (has(table) || isComputed)) return undefined
  const column = reserved.has(name) ? `"${name}"` : name
  const add = `alter table ${table} add ${column} ${sqlTypeOf(property, entities)};`
  const select = `a column ${column} in src/server/views/${read}.sql`
  if (!isTable) return `the view ${table} has no column ${name}. Write ${select}.`
  if (has(table)) return `the view ${view} has no column ${name}. Write ${select}.`
  const orView = isComputed ? `\nor, where it is not stored but computed, ${select}.` : ''
  return `the table ${table} has no column ${name}. Write a migration in src/server/migrations with\n  ${add}${orView}`
}

const STORED: Partial<Record<string, { type: string; empty: string }>> = {
  string: { type: 'text', empty: "''" },
  date: { type: 'date', empty: 'current_date' },
  'date-time': { type: 'timestamptz', empty: 'now()' },
  integer: { type: 'integer', empty: '0' },
  number: { type: 'numeric', empty: '0' },
  boolean: { type: 'boolean', empty: 'false' },
  object: { type: 'jsonb', empty: "'{}'" },
}

/** The column type of a property, with a default that fills the rows that are there where it may not be null. */
function sqlTypeOf(property: Property, entities: Contract['entities']): string {
  const types = [property.type ?? 'string'].flat()
  const stored = storedAs(property, types.find((type) => type !== 'null') ?? 'string')
  const parent = property.ref && entities[property.ref]?.table
  // Rows that are there name no parent, so the column is filled before it can be "not null".
  if (parent) return `${stored.type} references ${parent}`
  return types.includes('null') ? stored.type : `${stored.type} not null default ${stored.empty}`
}

function storedAs({ columns, format, items, default: given }: Property, type: string) {
  const initial = given as unknown
  if (type === 'array') {
    if (columns || !items) return { type: 'jsonb', empty: "'[]'" }
    const item = STORED[String((items as Property).type)]?.type ?? 'jsonb'
    return item === 'jsonb' ? { type: 'jsonb', empty: "'[]'" } : { type: `${item}[]`, empty: "'{}'" }
  }
  const stored = STORED[format ?? type]!
  const isLiteral = ['number', 'boolean'].includes(typeof initial)
  if (isLiteral) return { ...stored, empty: String(initial) }
  if (typeof initial !== 'string' || initial === 'today') return stored
  return { ...stored, empty: `'${initial.replaceAll("'", "''")}'` }
}
