import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { isListing, parametersOf, type Verb, verbOf } from '../../../contract/call.ts'
import type { Contract } from '../../../contract/contract.ts'
import type { Endpoint, Entity, Property } from '../../../contract/generated.ts'
import { locate, type Problem } from '../../../contract/locate.ts'
import { suggest } from '../../../contract/suggest.ts'
import type { Db } from '../../core/db.ts'
import { rootFolder } from '../../core/rootFolder.ts'
import { sqlTypeOf } from './sqlTypeOf.ts'

/** Columns of the tables and views of a database by name, and the keywords that SQL needs in quotes. */
export interface Tables {
  columns: Map<string, { isView: boolean; names: Set<string> }>
  reserved: Set<string>
}

/** Reads the tables, views and columns of a database. */
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
 * Reports what the contract needs and the database lacks: tables and views, columns of fields and of filters, with the
 * SQL or the view to write, and what a verb changes.
 */
export function missingColumns(contract: Contract, tables: Tables): Problem[] {
  const { entities, endpoints } = contract
  const ofEntities = Object.values(entities).flatMap((entity) => {
    const report = reporter(`schemas/entities/${entity.$id}.json`)
    const relation = missingRelation(entity, tables)
    if (relation) return [report([relation.key], relation.message)]
    return Object.entries(entity.properties).flatMap(([name, property]) => {
      const message = missingColumn(entity, name, property, tables, entities)
      return message ? [report(['properties', name], message)] : []
    })
  })
  const ofCalls = Object.entries(endpoints).flatMap(([call, endpoint]) => {
    const report = reporter(`schemas/endpoints/${call.split('.')[0]}.json`)
    const { verb, entity: name = '' } = verbOf(endpoint) ?? {}
    const entity = entities[name]
    if (!verb || !entity?.table || missingRelation(entity, tables)) return []
    const message = impossibleChange(verb, entity.table, tables)
    if (message) return [report([call, 'does'], `'${endpoint.does}' ${message}`)]
    const read = entity.view ?? entity.table
    const names = tables.columns.get(read)!.names
    return (isListing(verb) ? filterColumns(contract, endpoint) : [])
      .filter(({ column }) => !names.has(column))
      .map(({ key, column }) =>
        report([call, key], `${read} has no column ${column} to filter by${suggest(column, names) || '.'}`),
      )
  })
  return [...ofEntities, ...ofCalls]
}

/** A column that a table of the database lacks. */
export interface MissingColumn {
  table: string
  column: string
  type: string
  /** Table of the record whose id the column holds. */
  parent?: string
}

/** What a migration could add to the tables of a database: columns of fields, and whole tables. */
export function missingParts(
  { entities }: Contract,
  tables: Tables,
): { columns: MissingColumn[]; tables: { table: string; columns: MissingColumn[] }[] } {
  const columns: MissingColumn[] = []
  const created: { table: string; columns: MissingColumn[] }[] = []
  for (const entity of Object.values(entities)) {
    const { table, properties } = entity
    if (!table) continue
    const isWhole = !tables.columns.has(table)
    const missing = Object.entries(properties).flatMap(([name, property]) => {
      const isLacking = isWhole ? !property.computed : lacksColumn(entity, name, property, tables)
      if (!isLacking) return []
      const parent = property.ref && entities[property.ref]?.table
      return [{ table, column: inSql(name, tables), type: sqlTypeOf(property, entities), parent }]
    })
    if (isWhole) created.push({ table, columns: missing })
    else columns.push(...missing)
  }
  return { columns, tables: created }
}

/** True if a field lacks a column of its table that only a migration can add. */
function lacksColumn(
  { table = '', view }: Entity,
  name: string,
  property: Property,
  tables: Tables,
): boolean {
  const relation = tables.columns.get(table)!
  const isComputed = property.computed || (property.readOnly && view !== undefined)
  return !relation.isView && !isComputed && !relation.names.has(name)
}

function inSql(name: string, { reserved }: Tables): string {
  return reserved.has(name) ? `"${name}"` : name
}

/** Makes problems of a file of the project. */
function reporter(file: string) {
  return (path: string[], message: string): Problem => {
    const place = join(rootFolder(), file)
    const text = existsSync(place) ? readFileSync(place, 'utf8') : ''
    return { file, ...locate(text, path, true), message }
  }
}

/** Columns in a list's `where` and its parameters, with the key of the call that they come from. */
function filterColumns(contract: Contract, endpoint: Endpoint): { key: string; column: string }[] {
  const parameters = Object.entries(parametersOf(contract, endpoint)).filter(([, { match }]) => match)
  return [
    ...Object.keys(endpoint.where ?? {}).map((column) => ({ key: 'where', column })),
    ...parameters.map(([name, { column }]) => ({ key: 'query', column: column ?? name })),
  ]
}

/** The table or view of an entity that does not exist. */
function missingRelation({ table, view }: Entity, { columns }: Tables) {
  const write = (name: string) => `Write its query in src/server/ops/views/${name}.sql`
  if (table && !columns.has(table)) {
    const create = `a migration in src/server/ops/migrations with\n  create table ${table} (…);`
    return { key: 'table', message: `there is no table or view ${table}. ${write(table)}, or ${create}` }
  }
  if (view && !columns.has(view)) return { key: 'view', message: `there is no view ${view}. ${write(view)}.` }
  return undefined
}

/** Columns that a verb sets besides those of the body. */
const SET_COLUMNS: Partial<Record<Verb, string[]>> = {
  create: [],
  update: [],
  remove: [],
  retire: ['status', 'version', 'updated_at'],
  unretire: ['status', 'version', 'updated_at'],
}

/** Reason why a verb cannot change the rows of a table. */
function impossibleChange(verb: Verb, table: string, { columns }: Tables): string | undefined {
  const needed = SET_COLUMNS[verb]
  const { isView, names } = columns.get(table)!
  if (needed && isView) return `changes rows, but ${table} is a view.`
  const missing = needed?.find((name) => !names.has(name))
  return missing && `sets the column ${missing}, which the table ${table} does not have.`
}

function missingColumn(
  { table, view }: Entity,
  name: string,
  property: Property,
  tables: Tables,
  entities: Contract['entities'],
): string | undefined {
  const { columns } = tables
  if (!table || property.computed) return undefined
  const has = (relation: string) => columns.get(relation)?.names.has(name) ?? false
  const isTable = columns.get(table)?.isView === false
  const read = view ?? table
  const isComputed = property.readOnly && view !== undefined
  if (has(read) && (has(table) || isComputed)) return undefined
  const column = inSql(name, tables)
  const add = `alter table ${table} add ${column} ${sqlTypeOf(property, entities)};`
  const select = `a column ${column} in src/server/ops/views/${read}.sql`
  if (!isTable) return `the view ${table} has no column ${name}. Write ${select}.`
  if (has(table)) return `the view ${view} has no column ${name}. Write ${select}.`
  const orView = isComputed ? `\nor, where it is not stored but computed, ${select}.` : ''
  return `the table ${table} has no column ${name}. Write a migration in src/server/ops/migrations with\n  ${add}${orView}`
}
