import fs from 'node:fs'
import path from 'node:path'
import { isListing, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Entity } from '../../contract/generated.ts'
import { locate, type Problem } from '../../contract/locate.ts'
import { suggest } from '../../contract/suggest.ts'
import { valueProblem } from '../../contract/valueProblem.ts'
import { fieldProblem } from './fields.ts'
import { sqlNames, VIEWS } from './sqlNames.ts'

type Report = (file: string, at: string[], message: string) => void
/** Error of a column that neither an entity nor the SQL of its table or view names. */
type ColumnProblem = (entity: Entity, column: string) => string | undefined

/**
 * Reports unknown columns in the conditions and filters of lists and in the keys of entities, and fixed values that a
 * column never has. The start compares the columns with the database itself.
 */
export function columnProblems(root: string, contract: Contract): Problem[] {
  const problems = new Map<string, Problem>()
  const report: Report = (file, at, message) => {
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    const key = JSON.stringify([file, at])
    // A filter that several calls have is reported once.
    if (!problems.has(key)) problems.set(key, { file, ...locate(text, at, true), message })
  }
  const namesOf = sqlNames(root)
  const columnProblem: ColumnProblem = (entity, column) => {
    const relation = entity.view ?? entity.table!
    const fields = Object.keys(entity.properties)
    if (fields.includes(column) || namesOf(relation).has(column)) return undefined
    return `${relation} has no column '${column}'${suggest(column, [...fields, ...namesOf(relation)])}`
  }
  for (const entity of Object.values(contract.entities)) {
    checkRelations(root, entity, namesOf, report)
    checkKeys(entity, columnProblem, report)
  }
  for (const call of Object.keys(contract.endpoints)) checkList(contract, call, columnProblem, report)
  return [...problems.values()]
}

/** Reports a table that no migration or view makes, and a view without a file. */
function checkRelations(
  root: string,
  { $id, table, view }: Entity,
  namesOf: (relation: string) => Set<string>,
  report: Report,
): void {
  const file = `schemas/entities/${$id}.json`
  if (table && namesOf(table).size === 0)
    report(file, ['table'], `no migration or view makes a table '${table}'`)
  if (view && !fs.existsSync(path.join(root, VIEWS, `${view}.sql`)))
    report(file, ['view'], `${VIEWS}/${view}.sql does not exist`)
}

function checkKeys(entity: Entity, columnProblem: ColumnProblem, report: Report): void {
  const file = `schemas/entities/${entity.$id}.json`
  const keyProblem: ColumnProblem = (_, key) =>
    entity.table
      ? columnProblem(entity, key)
      : fieldProblem({ name: entity.$id, fields: entity.properties }, [key])
  for (const key of ['key', 'scopeKey'] as const) {
    const problem = entity[key] && keyProblem(entity, entity[key])
    if (problem) report(file, [key], problem)
  }
  for (const [name, { sortBy }] of Object.entries(entity.properties)) {
    const problem = entity.table && sortBy && columnProblem(entity, sortBy)
    if (problem) report(file, ['properties', name, 'sortBy'], problem)
  }
}

function checkList(contract: Contract, call: string, columnProblem: ColumnProblem, report: Report): void {
  const endpoint = contract.endpoints[call]
  const file = `schemas/endpoints/${call.split('.')[0]}.json`
  const found = verbOf(endpoint)
  // The rows of a handler are those that it replies.
  const entity = contract.entities[found?.entity ?? endpoint.reply ?? '']
  if (!isListing(found?.verb) && endpoint.where)
    report(file, [call, 'where'], `'where' is for lists only, and ${call} is not one`)
  if (!entity?.table || (found && !isListing(found.verb))) return
  for (const [column, value] of Object.entries((isListing(found?.verb) && endpoint.where) || {})) {
    const property = entity.properties[column]
    const isFilled = value === 'me' || value === '{id}'
    const problem =
      columnProblem(entity, column) ?? (property && !isFilled && valueProblem(column, property, value))
    if (problem) report(file, [call, 'where', column], problem)
  }
  for (const group of [...(endpoint.query ?? []), ...(endpoint.filters ?? [])])
    checkFilters(contract, group, { call, entity }, columnProblem, report)
}

function checkFilters(
  { query }: Contract,
  group: string,
  { call, entity }: { call: string; entity: Entity },
  columnProblem: ColumnProblem,
  report: Report,
): void {
  for (const [name, { match, column }] of Object.entries(query[group] ?? {})) {
    const problem = match && columnProblem(entity, column ?? name)
    const at = column === undefined ? [group, name] : [group, name, 'column']
    if (problem) report('schemas/query.json', at, `${problem} (${call} filters by it)`)
  }
}
