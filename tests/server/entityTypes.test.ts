import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase, type Tx } from '../../src/server/core/db.ts'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { demoDatabase } from './database.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const demo = await demoDatabase()
  drop = demo.drop
  database = openDatabase(demo.url)
})
afterAll(async () => {
  await database?.close()
  await drop?.()
})

const code = readFileSync('src/contract/types/entities.ts', 'utf8')

/** The members of a generated type, by name. */
function membersOf(type: string): Map<string, string> {
  const [, body] = code.match(new RegExp(`^export type ${type} = \\{\\n(.*?)^\\}`, 'ms'))!
  return new Map([...body.matchAll(/^ {2}(\w+)\??: (.*)$/gm)].map(([, name, of]) => [name, of]))
}

const types = membersOf('EntityRows')
/** Entities with a table, and their members that are columns of it. */
const tables = Object.values(contract.entities)
  .filter(({ table }) => table)
  .map(({ $id, table, view, properties }) => ({
    name: $id,
    readFrom: view ?? table!,
    members: [...membersOf(types.get($id)!)].filter(([name]) => !properties[name].computed),
  }))

/** What pg returns of a column, as the generated types write it. */
const OF_COLUMNS: Record<string, RegExp> = {
  bool: /^boolean/,
  date: /^(string|'.*')/,
  float8: /^number/,
  int2: /^(number|\d)/,
  int4: /^(number|\d)/,
  int8: /^(number|\d)/,
  json: /^(Values|\{.*\}\[\]|\w+\[\])/,
  jsonb: /^(Values|\{.*\}\[\]|\w+\[\])/,
  text: /^(string|'.*')/,
  timestamptz: /^Date/,
  varchar: /^(string|'.*')/,
  _int4: /^number\[\]/,
  _text: /^(string|\('.*'\)|'.*')\[\]/,
}

describe('the generated type of each row', () => {
  it.each(tables)('$name has the columns and nulls of $readFrom', async ({ readFrom, members }) => {
    const { rows } = await sql<{ name: string; type: string; nullable: boolean }>`
      select column_name as name, udt_name as type,
        is_nullable = 'YES' and is_generated = 'NEVER' and table_name not in (select viewname from pg_views) as nullable
      from information_schema.columns where table_name = ${readFrom}`.execute(database.db)
    const columns = new Map(rows.map((row) => [row.name, row]))
    const wrong = members.filter(([name, type]) => {
      const column = columns.get(name)
      return !column || !OF_COLUMNS[column.type]?.test(type) || (column.nullable && !type.endsWith('| null'))
    })
    expect(wrong.map(([name, type]) => [name, type, columns.get(name)])).toEqual([])
  })

  // PostgreSQL does not know which columns of a view can be null, so each column of a table that can be is null once.
  itInFull('has the nulls of its view, whichever column of a table is null', async () => {
    const readers = await readersOf()
    const found = new Set<string>()
    const columns = await nullableColumns()
    for (const { table, column } of columns.filter((one) => readers.has(one.table)))
      await database
        .slowTransaction(async (tx) => {
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = null`.execute(tx)
          for (const name of await nullsOf(tx, readers.get(table)!)) found.add(name)
          throw ROLLBACK
        })
        .catch((error) => {
          // 23: a check or a trigger refuses it.
          if (error !== ROLLBACK && !error.code?.startsWith('23')) throw error
        })
    expect([...found]).toEqual([])
  })
})

const ROLLBACK = new Error('rollback')
type Table = (typeof tables)[number]

/** The columns of tables that can be null. */
async function nullableColumns() {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns join information_schema.tables
      using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_nullable = 'YES' and is_generated = 'NEVER'`.execute(
    database.db,
  )
  return rows
}

/** Entities by the tables that their views read. */
async function readersOf(): Promise<Map<string, Table[]>> {
  const { rows } = await sql<{ table: string; views: string[] }>`with recursive used as (
      select view_name as view, table_name as "table" from information_schema.view_table_usage
      union select u.view, v.table_name from used u join information_schema.view_table_usage v on v.view_name = u."table")
    select "table", array_agg(view::text) as views from used group by 1`.execute(database.db)
  return new Map(
    rows.map(({ table, views }) => [table, tables.filter(({ readFrom }) => views.includes(readFrom))]),
  )
}

/** The members of entities that are null in a row although their type is not. */
async function nullsOf(tx: Tx, read: Table[]): Promise<string[]> {
  const found = read.map(async ({ name, readFrom, members }) => {
    const required = members.filter(([, type]) => !type.endsWith('| null')).map(([column]) => column)
    const nulls = required.map((column) => sql`bool_or(${sql.ref(column)} is null) as ${sql.ref(column)}`)
    const { rows } = await sql<
      Record<string, boolean>
    >`select ${sql.join(nulls)} from ${sql.table(readFrom)}`.execute(tx)
    return required.filter((column) => rows[0][column]).map((column) => `${name}.${column}`)
  })
  return (await Promise.all(found)).flat()
}
