import type { Contract } from '../../../contract/contract.ts'
import { type MissingColumn, missingParts, type Tables } from './compareEntities.ts'

const HEADER_OF_TABLE =
  '-- Say here whose rows a person sees, their audit, what purge, merge and export-data do with them, how long they stay,\n' +
  '-- who may write them, and what limits their number.'

/**
 * The text of a migration that adds the columns and tables which the contract needs and the database lacks; undefined
 * if it lacks none. The previous release works with all of it.
 */
export function newMigration(contract: Contract, tables: Tables): string | undefined {
  const parts = missingParts(contract, tables)
  const created = parts.tables.map(({ table, columns }) => createTable(table, columns))
  const altered = [...new Set(parts.columns.map(({ table }) => table))].map((table) =>
    alterTable(
      table,
      parts.columns.filter((one) => one.table === table),
    ),
  )
  const statements = [...created, ...altered]
  if (statements.length === 0) return undefined
  const references = [...parts.tables.flatMap(({ columns }) => columns), ...parts.columns].filter(
    ({ parent }) => parent,
  )
  const header = created.length > 0 ? [HEADER_OF_TABLE] : []
  const steps = [['-- step', ...statements], ...references.map(indexStep)]
  return [['-- kind: expand', ...header], ...steps].map((lines) => `${lines.join('\n')}\n`).join('')
}

function createTable(table: string, columns: MissingColumn[]): string {
  const lines = columns.map(({ column, type }) =>
    column === 'id' ? 'id integer generated always as identity primary key' : `${column} ${type}`,
  )
  return `create table ${table} (\n  ${lines.join(',\n  ')}\n);`
}

function alterTable(table: string, columns: MissingColumn[]): string {
  const adds = columns.map(({ column, type }) => `add ${column} ${type}`)
  return adds.length === 1
    ? `alter table ${table} ${adds[0]};`
    : `alter table ${table}\n  ${adds.join(',\n  ')};`
}

/** Without an index, deleting a parent and listing its rows would read the whole table. */
function indexStep({ table, column }: MissingColumn): string[] {
  const name = `${table}_${column.replaceAll('"', '')}`
  return ['-- step: concurrently', `create index concurrently ${name} on ${table} (${column});`]
}
