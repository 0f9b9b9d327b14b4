import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { inject } from 'vitest'
import { type Db, openDatabase } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { today } from '../../src/server/core/today.ts'
import { fillDefaults } from '../../src/server/ops/demo/defaults.ts'
import { DEMO_CLIENTS, fillDemo } from '../../src/server/ops/demo/demo.ts'
import { contract } from '../loadedContract.ts'

interface FreshDatabase {
  url: string
  /** Drops the database and ends its open connections. */
  drop(): Promise<void>
}

/** A new, migrated, otherwise empty database for one test file. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const problem = inject('databaseProblem')
  if (problem) throw new Error(`There is no test database: ${problem}`)
  return copyOf(inject('template'))
}

/** A new database without a table. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  return copyOf('template0')
}

/** A new database as release 0.3.0 left it, with data of 30 clients; every upgrade test begins with it. */
export async function releaseDatabase(): Promise<FreshDatabase> {
  const database = await emptyDatabase()
  const dump = gunzipSync(readFileSync('tests/fixtures/release-0.3.0.sql.gz')).toString()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(dump)
  } finally {
    await client.end()
  }
  return database
}

/** A new database with the demo data, as the product fills it at its first start. */
export async function demoDatabase(): Promise<FreshDatabase> {
  return copyOf(await filledTemplate('demo', fillAsAtStart))
}

/** A new database as `fill` leaves one, which is the same for all files. */
export async function staffedDatabase(fill: (db: Db) => Promise<void>): Promise<FreshDatabase> {
  return copyOf(await filledTemplate('staffed', fill))
}

/** Name of a template that the first worker that needs it fills while the others wait. */
async function filledTemplate(what: string, fill: (db: Db) => Promise<void>): Promise<string> {
  const name = inject('template').replace('template_app', `template_${what}`)
  const client = new Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rows } = await client.query('select from pg_database where datname = $1', [name])
    if (rows.length > 0) return name
    const filled = await freshDatabase()
    const { db, close } = openDatabase(filled.url)
    try {
      await fill(db)
    } finally {
      await close()
    }
    // Renamed only once it is complete.
    await client.query(`alter database ${new URL(filled.url).pathname.slice(1)} rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

async function fillAsAtStart(db: Db): Promise<void> {
  const { DEMO_PASSWORD, TIME_ZONE } = readSettings({})
  await fillDefaults(db)
  await fillDemo(db, {
    contract,
    clients: DEMO_CLIENTS,
    password: DEMO_PASSWORD,
    passwordCost: 10,
    today: today(TIME_ZONE),
  })
}

async function copyOf(template: string): Promise<FreshDatabase> {
  const run = inject('template').replace('template_app', 't')
  const name = `${run}_${randomBytes(4).toString('hex')}`
  // Copying files is faster than writing them to the WAL, and test data need not survive a crash.
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(inject('databaseUrl'))
  url.pathname = name
  return { url: url.href, drop: () => onServer(`drop database if exists ${name} with (force)`) }
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
