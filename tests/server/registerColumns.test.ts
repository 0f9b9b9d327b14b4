import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeServer } from './context.ts'

const context = describeServer()
const FILE = 'tests/fixtures/columns-of-nobody.txt'

/** Lines of the file: "table.column" or "table.*", and why it is nobody's data. */
const nobodys = () =>
  new Map(
    readFileSync(FILE, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, name, reason = ''] = line.match(/^(\S+): (.*)$/) ?? [line, line]
        return [name, reason] as const
      }),
  )

/** Columns of all tables, without partitions, generated ones and keys. */
async function columnsOfDatabase(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select c.relname || '.' || a.attname as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname not in ('id', 'version')
    order by 1`.execute(context.db)
  return rows.map(({ name }) => name)
}

/** Columns that entities of the register store: those of their table, also where a view of ours reads it. */
async function columnsOfRegister(): Promise<Set<string>> {
  const { rows } = await sql<{ of_view: string; of_table: string; name: string }>`select view_name as of_view,
      table_name as of_table, column_name as name from information_schema.view_column_usage
    where view_schema = 'public' and table_schema = 'public'`.execute(context.db)
  const known = Object.values(context.contract.entities).filter(({ purpose }) => purpose)
  return new Set(
    known.flatMap(({ table = '', properties }) => {
      const names = Object.keys(properties)
      const own = names.map((name) => `${table}.${name}`)
      const below = rows.filter(({ of_view, name }) => of_view === table && names.includes(name))
      return [...own, ...below.map(({ of_table, name }) => `${of_table}.${name}`)]
    }),
  )
}

it('every column of the database is in the register of data, or is nobody’s data for a reason', async () => {
  const [columns, register, lines] = [await columnsOfDatabase(), await columnsOfRegister(), nobodys()]
  const isNamed = (name: string) => lines.has(name) || lines.has(name.replace(/\..*/, '.*'))
  expect(columns.filter((name) => !register.has(name) && !isNamed(name))).toEqual([])
  for (const [name, reason] of lines) expect(reason, name).toMatch(/\w/)
  const isThere = (name: string) =>
    columns.some((column) => column === name || column.replace(/\..*/, '.*') === name)
  expect([...lines.keys()].filter((name) => !isThere(name))).toEqual([])
})
