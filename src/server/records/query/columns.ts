import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import { asWriter, readsMore } from '../../access/principals.ts'
import { scoped } from '../../access/scope.ts'
import type { Caller } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { COMPUTED, isOfOthersWork } from './computed.ts'
import { WITHHELD_COLUMNS } from './withheldAnswers.ts'

/** Column that the {id} of a path is compared with. */
export function keyOf(entity: Entity): string {
  return entity.key ?? 'id'
}

/** The view or table that an entity is read from. */
export function readFrom(entity: Entity): Sql {
  return sql.table(entity.view ?? entity.table!)
}

/** The columns of an entity, of the alias r, with those that are computed for the caller. */
export function columnsOf(entity: Entity, me: Caller): Sql {
  const columns = Object.entries(entity.properties).map(([name, { computed }]) => {
    if (isOfOthersWork(entity, name, me)) return sql`null as ${sql.ref(name)}`
    const withheld = Object.hasOwn(WITHHELD_COLUMNS, entity.$id)
      ? WITHHELD_COLUMNS[entity.$id][name]
      : undefined
    if (withheld) return sql`${withheld(me, 'r')} as ${sql.ref(name)}`
    return computed ? computedColumn(entity, me, name) : sql.ref(`r.${name}`)
  })
  return sql.join(columns)
}

/** A column that is computed for the caller, of the alias r. */
export function computedColumn(entity: Entity, me: Caller, name: string): Sql {
  const value = name === MAY_CHANGE ? mayChange(entity, me) : COMPUTED[entity.$id][name](me, 'r')
  return sql`${value} as ${sql.ref(name)}`
}

/** Property of entities with actions: whether the caller may make them, as far as it depends on the record. */
const MAY_CHANGE = 'may_change'

/** True for a row that is in the caller's scope in calls that write, too; false also where a column of it is null. */
function mayChange(entity: Entity, me: Caller): Sql {
  return readsMore(me) ? sql`coalesce(${scoped(entity, asWriter(me))}, false)` : sql`true`
}

/** A value as pg binds it: objects, and arrays of objects, as JSON text. */
export function bind(value: unknown): unknown {
  if (value === undefined) return null
  const json =
    value !== null &&
    typeof value === 'object' &&
    (!Array.isArray(value) || value.some((v) => typeof v === 'object'))
  return json && !(value instanceof Date) ? JSON.stringify(value) : value
}

/** The row with its lists of objects as JSON text: `bind` cannot tell an empty one from an array. */
export function listsAsJson({ properties }: Entity, row: Row): Row {
  const isList = (name: string, value: unknown) => properties[name]?.columns && Array.isArray(value)
  const written = Object.entries(row).map(([name, value]) => [
    name,
    isList(name, value) ? JSON.stringify(value) : value,
  ])
  return Object.fromEntries(written)
}

/** `insert into table (…) values (…) returning key` for one row. */
export function insertRow(table: string, row: Row, key = 'id'): Sql {
  return insertRows(table, [row], key)
}

/** Like `insertRow` for several rows, whose keys ascend in their order; a column that a row lacks takes its default. */
export function insertRows(table: string, rows: Row[], key = 'id'): Sql {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const valuesOf = (row: Row) =>
    sql`(${sql.join(names.map((name) => (Object.hasOwn(row, name) ? sql`${bind(row[name])}` : sql`default`)))})`
  return sql`insert into ${sql.table(table)} (${sql.join(names.map((n) => sql.ref(n)))})
    values ${sql.join(rows.map(valuesOf))} returning ${sql.ref(key)} as id`
}

/** The list `a = …, b = …` of an `update … set`. */
export function assignments(row: Row): Sql {
  return sql.join(Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${bind(value)}`))
}
