import { execFile } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { loadContract } from '../../src/check/load.ts'
import { openDatabase } from '../../src/server/core/db.ts'
import { missingColumns, readTables } from '../../src/server/ops/migrate/compareEntities.ts'
import { migrate } from '../../src/server/ops/migrate/migrate.ts'
import { readMigrations, readSqlFiles } from '../../src/server/ops/migrate/migrationFiles.ts'
import { hashProblems, readHashes } from '../../src/server/ops/migrate/migrationHashes.ts'
import { stoppingStatements } from '../../src/server/ops/migrate/stoppingStatements.ts'
import { FULL, itInFull } from '../full.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { freshDatabase } from './database.ts'

const MIGRATIONS = 'src/server/ops/migrations'
const VIEWS = 'src/server/ops/views'

let database: Awaited<ReturnType<typeof freshDatabase>>
let copy: string
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(() => {
  copy = temporaryFolder('migration-')
  for (const name of ['src', 'schemas', 'screens', 'build.mjs', 'package.json'])
    cpSync(name, join(copy, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'), 'junction')
  return () => rmSync(copy, { recursive: true })
})

/** Runs `npm run migration` in the copy. */
function migration(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, NODE_ENV: undefined, DATABASE_URL: database.url }
  return new Promise((done) =>
    execFile('node', ['build.mjs', 'migration', ...args], { cwd: copy, env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    ),
  )
}

function change(file: string, before: string, after: string) {
  const text = readFileSync(join(copy, file), 'utf8')
  expect(text).toContain(before)
  writeFileSync(join(copy, file), text.replace(before, after))
}

const next = () =>
  String(Math.max(...readSqlFiles(MIGRATIONS).map(({ name }) => Number(name.slice(0, 3)))) + 1).padStart(
    3,
    '0',
  )

it('writes the next migration with its hash, which the check accepts and the start applies', async () => {
  change(
    'schemas/entities/client.json',
    '"known_as":',
    `"occupation": { "title": "Occupation", "type": ["string", "null"] },
    "met_on": { "title": "Met on", "type": "string", "format": "date" },
    "order": { "title": "Order", "type": "integer" },
    "introduced_by": { "title": "Introduced by", "type": ["integer", "null"], "ref": "client" },
    "known_as":`,
  )
  const columns = ['occupation', 'met_on', 'order', 'introduced_by']
  const { code, output } = await migration('work_of_clients')
  expect([code, output]).toEqual([0, expect.stringContaining(`${MIGRATIONS}/${next()}_work_of_clients.sql`)])
  const text = readFileSync(join(copy, MIGRATIONS, `${next()}_work_of_clients.sql`), 'utf8')
  expect(text).toBe(`-- kind: expand
-- step
alter table clients
  add occupation text,
  add met_on date not null default current_date,
  add "order" integer not null default 0,
  add introduced_by integer references clients;
-- step: concurrently
create index concurrently clients_introduced_by on clients (introduced_by);
`)
  const folder = join(copy, MIGRATIONS)
  expect(hashProblems(readSqlFiles(folder), readHashes(folder))).toEqual([])
  expect(await stoppingStatements(readMigrations(folder))).toEqual([])
  await migrate(database.url, { folders: { migrations: folder, views: join(copy, VIEWS) } })
  const { db, close } = openDatabase(database.url)
  const tables = await readTables(db)
  await close()
  expect([...tables.columns.get('clients')!.names]).toEqual(expect.arrayContaining(columns))
  expect(missingColumns(loadContract(copy).contract, tables)).toEqual([])
})

itInFull('writes a table that is missing, with a header to fill in', async () => {
  writeFileSync(
    join(copy, 'schemas/entities/boat.json'),
    `{ "$id": "boat", "title": "Boat", "type": "object", "additionalProperties": false, "table": "boats",
  "purpose": "To cross the river.", "retention": "For ever.",
  "properties": { "id": { "title": "ID", "type": "integer", "readOnly": true }, "name": { "title": "Name", "type": "string" } } }`,
  )
  const { code, output } = await migration('boats')
  expect([code, output]).toEqual([0, expect.stringContaining('create table boats')])
  expect(readFileSync(join(copy, MIGRATIONS, `${next()}_boats.sql`), 'utf8')).toMatch(
    /^-- kind: expand\n-- Say here .*\n.*\n-- step\ncreate table boats \(\n {2}id integer generated always as identity primary key,\n {2}name text not null default ''\n\);\n$/,
  )
})

const refused = [
  ['nothing differs', 'nothing', 'The tables have a column for every field of schemas/entities.'],
  ['it has no name', '', 'npm run migration -- NAME'],
  ['its name would need quotes', 'Work-of-clients', 'npm run migration -- NAME'],
]
it.each(FULL ? refused : refused.slice(0, 1))('writes no file if %s', async (_, name, message) => {
  const before = readSqlFiles(join(copy, MIGRATIONS)).length
  const { code, output } = await migration(...(name ? [name] : []))
  expect([code, output]).toEqual([1, expect.stringContaining(message)])
  expect(readSqlFiles(join(copy, MIGRATIONS))).toHaveLength(before)
})
