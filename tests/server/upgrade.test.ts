import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadContract } from '../../src/check/load.ts'
import { roleIds } from '../../src/contract/access.ts'
import type { Contract } from '../../src/contract/contract.ts'
import type { Property } from '../../src/contract/generated.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { type Db, openDatabase } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { fillDefaults } from '../../src/server/ops/demo/defaults.ts'
import { fillDemo } from '../../src/server/ops/demo/demo.ts'
import { missingColumns, readTables, type Tables } from '../../src/server/ops/migrate/compareEntities.ts'
import { migrate } from '../../src/server/ops/migrate/migrate.ts'
import { start } from '../../src/server/ops/start/start.ts'
import { contract } from '../loadedContract.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { freshDatabase } from './database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Db
let close: () => Promise<void>
let folder: string
let folders: { migrations: string; views: string }

/** A database of the first migration, with data in it. */
beforeAll(async () => {
  folder = temporaryFolder('advocacy-upgrade-')
  folders = { migrations: join(folder, 'migrations'), views: join(folder, 'views') }
  for (const [name, path] of Object.entries(folders))
    cpSync(join('src/server/ops', name), path, { recursive: true })
  database = await freshDatabase()
  ;({ db, close } = openDatabase(database.url))
  await fillDefaults(db)
  await fillDemo(db, {
    contract,
    clients: 30,
    password: 'advocacy-demo',
    passwordCost: 10,
    today: '2026-03-02',
  })
})
afterAll(async () => {
  await close?.()
  await database?.drop()
  rmSync(folder, { recursive: true })
})

const contractWith = (fields: Record<string, Property>) => {
  const { contract } = loadContract(process.cwd())
  Object.assign(contract.entities.client.properties, fields)
  return contract
}
const messagesOf = (contract: Contract, tables: Tables) =>
  missingColumns(contract, tables).map(({ message }) => message)
const all = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(db)).rows

describe('an entity with a field that the database has no column for', () => {
  it('is named with the field and the SQL to write, by the type of the field', async () => {
    const tables = await readTables(db)
    expect(missingColumns(loadContract(process.cwd()).contract, tables)).toEqual([])
    const contract = contractWith({
      shoe_size: { title: 'Shoe size', type: ['integer', 'null'] },
      order: { title: 'Order', type: 'string', default: "it's" as never },
      met_on: { title: 'Met on', type: ['string', 'null'], format: 'date' },
      pets: { title: 'Pets', type: 'array', items: { type: 'integer' } },
      rows: { title: 'Rows', type: 'array', columns: {} },
      hub: { title: 'Hub', type: ['integer', 'null'], ref: 'staff' },
      pet_count: { title: 'Pets', type: 'integer', readOnly: true },
    })
    const where = 'the table clients has no column'
    const messages = messagesOf(contract, tables)
    const write = 'Write a migration in src/server/ops/migrations with\n  alter table clients add'
    expect(messages).toEqual([
      `${where} shoe_size. ${write} shoe_size integer;`,
      `${where} order. ${write} "order" text not null default 'it''s';`,
      `${where} met_on. ${write} met_on date;`,
      `${where} pets. ${write} pets integer[] not null default '{}';`,
      `${where} rows. ${write} rows jsonb not null default '[]';`,
      `${where} hub. ${write} hub integer references staff;`,
      `${where} pet_count. ${write} pet_count integer not null default 0;\nor, where it is not ` +
        'stored but computed, a column pet_count in src/server/ops/views/client_record.sql.',
    ])
  })

  it('stops the start', async () => {
    await sql`alter table clients rename known_as to alias`.execute(db)
    const settings = readSettings({ DATABASE_URL: database.url, DEMO: '0', LOG_LEVEL: 'silent', PORT: '0' })
    await expect(start(settings)).rejects.toThrow(
      /^schemas\/entities\/client\.json:\d+:5 {2}the table clients has no column known_as\..*\n {2}alter table clients add known_as text;\n/,
    )
    await sql`alter table clients rename alias to known_as`.execute(db)
    await migrate(database.url, { folders })
  })

  it('of a view that names its columns is named with the file of the view', async () => {
    const { contract } = loadContract(process.cwd())
    contract.entities.clientRow.properties.phone = { title: 'Telephone', type: ['string', 'null'] }
    expect(messagesOf(contract, await readTables(db))).toEqual([
      'the view client_rows has no column phone. Write a column phone in src/server/ops/views/client_rows.sql.',
    ])
  })
})

it('names what a list filters by and its view has no column for', async () => {
  const { contract } = loadContract(process.cwd())
  contract.endpoints['reports.allocations'].where = { is_open: true }
  contract.query.byService.service.column = 'services'
  const wrong = missingColumns(contract, await readTables(db)).map(printProblem)
  expect(wrong).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^schemas\/endpoints\/reports\.json:\d+:\d+ {2}issue_rows has no column is_open to filter by; did you mean 'is_opened'\?$/,
      ),
      expect.stringMatching(
        /^schemas\/endpoints\/caseTypes\.json:\d+:\d+ {2}case_type_rows has no column services to filter by; did you mean 'service'\?$/,
      ),
    ]),
  )
})

it('names once a table or view that is not there, and a change that a verb cannot make', async () => {
  const { contract } = loadContract(process.cwd())
  const { entities, endpoints } = contract
  entities.signpost.view = 'signpost_figures'
  entities.bulkError.table = 'mistakes'
  endpoints['activities.create'].does = 'retire activity'
  endpoints['clients.update'].does = 'update clientRow'
  const wrong = missingColumns(contract, await readTables(db)).map(printProblem)
  const place = (file: string) => new RegExp(`^schemas/${file}\\.json:\\d+:\\d+  `)
  expect(wrong).toEqual([
    expect.stringMatching(place('entities/bulkError')),
    expect.stringMatching(place('entities/signpost')),
    expect.stringMatching(place('endpoints/activities')),
    expect.stringMatching(place('endpoints/clients')),
  ])
  expect(wrong.map((words) => words.replace(/^\S+ +/, ''))).toEqual([
    'there is no table or view mistakes. Write its query in src/server/ops/views/mistakes.sql, or a migration in src/server/ops/migrations with\n  create table mistakes (…);',
    'there is no view signpost_figures. Write its query in src/server/ops/views/signpost_figures.sql.',
    "'retire activity' sets the column status, which the table activities does not have.",
    "'update clientRow' changes rows, but client_rows is a view.",
  ])
})

describe('a database made by the first migration', () => {
  const rowsOf = (table: string) => all(`select * from ${table} order by id`)

  it('keeps its data through an expand and a contract migration, and the views show the new columns', async () => {
    const before = {
      clients: await rowsOf('clients'),
      audit: await rowsOf('audit'),
      seen: await rowsOf('client_record'),
    }
    expect(before.clients).toHaveLength(30)
    const contract = contractWith({ shoe_size: { title: 'Shoe size', type: ['integer', 'null'] } })
    const [words] = messagesOf(contract, await readTables(db))
    // What the start tells people to write is written as it stands.
    const [, alter] = words.split('\n')
    writeFileSync(join(folders.migrations, '998_shoe_size.sql'), `-- kind: expand\n${alter}\n`)
    expect(await migrate(database.url, { folders })).toEqual(['998_shoe_size'])
    expect(missingColumns(contract, await readTables(db))).toEqual([])
    const withSize = (rows: Record<string, unknown>[]) => rows.map((row) => ({ ...row, shoe_size: null }))
    expect(await rowsOf('clients')).toEqual(withSize(before.clients))
    expect(await rowsOf('client_record')).toEqual(withSize(before.seen))

    writeFileSync(
      join(folders.migrations, '999_fewer.sql'),
      '-- kind: contract\nalter table clients drop shoe_size;\n',
    )
    expect(await migrate(database.url, { folders })).toEqual(['999_fewer'])
    expect(await rowsOf('client_record')).toEqual(before.seen)
    expect(await rowsOf('audit')).toEqual(before.audit)
  })
})

describe('the audit', () => {
  it('has a partition for each year that begins soon, and refuses no other year', async () => {
    await sql`select add_audit_years(), add_audit_years()`.execute(db)
    await sql`insert into audit (at, action, entity) values ('1999-05-05', 'test', 'x'), (now(), 'test', 'x'),
      (now() + interval '1 year', 'test', 'x'), ('2999-05-05', 'test', 'x')`.execute(db)
    const year = new Date().getUTCFullYear()
    expect(
      await all("select tableoid::regclass::text as part from audit where action = 'test' order by at"),
    ).toEqual(['audit_before', `audit_${year}`, `audit_${year + 1}`, 'audit_other'].map((part) => ({ part })))
  })
})

describe('the names of roles in SQL', () => {
  const { roles } = loadContract(process.cwd()).contract
  it.each(['caseworker', 'overseer'])('is_%s holds the roles of the contract', async (name) => {
    const ids = roles.roles.map(({ id }) => id)
    const rows = await all(`select id from unnest(array[${ids}]) id where is_${name}(array[id]) order by id`)
    expect(rows.map(({ id }) => id)).toEqual(roleIds(roles, `${name}s`).sort((a, b) => a - b))
  })
})
