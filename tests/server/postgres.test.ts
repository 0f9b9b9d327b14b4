import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { StartProblem } from '../../src/server/core/startProblem.ts'
import { PATIENCE_MS } from '../../src/server/http/patience.ts'
import { migrate } from '../../src/server/ops/migrate/migrate.ts'
import { findRunning, readPidFile } from '../../src/server/ops/postgres/running.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/server/ops/postgres/start.ts'
import { itInFull } from '../full.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

interface Copy {
  process: ChildProcess
  url?: string
  adopted?: boolean
  problem?: string
}

// A second copy of the app: it starts PostgreSQL, says how that went and waits to be killed.
const source = `
  import { startPostgres } from './src/server/ops/postgres/start.ts'
  startPostgres(process.argv[2], { patience: Number(process.argv[3]) }).then(
    ({ url, adopted }) => console.log(JSON.stringify({ url, adopted })),
    ({ message }) => console.log(JSON.stringify({ problem: message })))`

// Below the project, so that the bundle finds node_modules.
const bundle = resolve('.cache', `postgres-test-${process.pid}.mjs`)
const copies: ChildProcess[] = []
const databases: EmbeddedPostgres[] = []
let root: string
let folder: string

beforeAll(async () => {
  root = temporaryFolder('advocacy-postgres-')
  await build({
    stdin: { contents: source, resolveDir: process.cwd() },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
})

beforeEach(() => {
  folder = join(mkdtempSync(join(root, 'case-')), 'data', 'postgres')
})

afterAll(async () => {
  for (const copy of copies) copy.kill('SIGKILL')
  await Promise.all(databases.map((database) => database.stop()))
  rmSync(bundle, { force: true })
  rmSync(root, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedPostgres> {
  const database = await startPostgres(folder)
  databases.push(database)
  return database
}

async function startCopy(patience = PATIENCE_MS): Promise<Copy> {
  const args = [bundle, folder, String(patience)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  copies.push(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  return { process: child, ...JSON.parse(line) }
}

async function kill(copy: Copy): Promise<void> {
  copy.process.kill('SIGKILL')
  if (copy.process.signalCode === null) await once(copy.process, 'exit')
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Writes to table `note` and kills the server meanwhile; returns how many rows were acknowledged. */
async function writeUntilKilled(url: string, killOwner = async () => {}): Promise<number> {
  await query(url, 'create table note (id int)')
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  let acknowledged = 0
  const killBoth = async () => {
    await killOwner()
    process.kill(readPidFile(folder)!.pid, 'SIGKILL')
  }
  try {
    for (;;) {
      await client.query('insert into note values ($1)', [acknowledged])
      acknowledged++
      if (acknowledged === 100) void killBoth()
    }
  } catch {
    return acknowledged
  }
}

async function countNotes(url: string): Promise<number> {
  const [{ count }] = await query(url, 'select count(*)::int from note')
  return count as number
}

test('a second start finds what the first one left, and stop ends the server', async () => {
  const first = await start()
  const { address } = readPidFile(folder)!
  await query(first.url, 'create table note as select 1 as id')
  await Promise.all([first.stop(), first.stop()])
  expect(existsSync(join(folder, 'postmaster.pid'))).toBe(false)
  expect(existsSync(address.socketFolder!)).toBe(false)
  await first.stop()
  const second = await start()
  expect(first.adopted || second.adopted).toBe(false)
  expect(await countNotes(second.url)).toBe(1)
  await second.stop()
})

test('the server is private, durable and writes dates in UTC', async () => {
  const { url, stop } = await start()
  const names = ['fsync', 'listen_addresses', 'ssl', 'TimeZone', 'server_encoding', 'max_connections']
  const shown = await query(url, `select name, setting from pg_settings where name = any('{${names}}')`)
  expect(Object.fromEntries(shown.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: 'on',
    listen_addresses: '',
    ssl: 'off',
    TimeZone: 'UTC',
    server_encoding: 'UTF8',
    max_connections: '40',
  })
  await query(url, "select 'a name'::int").catch(() => {})
  expect(readFileSync(`${folder}.log`, 'utf8')).not.toContain('a name')
  await stop()
})

test('the product works as a role that is not a superuser, also on what an earlier release made as one', async () => {
  const first = await start()
  await query(first.superuserUrl, 'alter database advocacy owner to app')
  await migrate(first.superuserUrl)
  await first.stop()
  const second = await start()
  const others = `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace
      and relowner <> 'casework'::regrole
    union all select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
      and proowner <> 'casework'::regrole
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all select oid::regtype::text from pg_type where typnamespace = 'public'::regnamespace and typtype = 'd'
      and typowner <> 'casework'::regrole`
  expect(await query(second.url, others)).toEqual([])
  expect(await migrate(second.url)).toEqual([])
  await query(
    second.url,
    'alter table clients add shoe_size text; create view shoes as select shoe_size from clients',
  )
  await expect(query(second.url, "copy (select 1) to program 'true'")).rejects.toThrow('permission denied')
  await expect(query(second.url, 'set session_replication_role = replica')).rejects.toThrow(
    'permission denied',
  )
  await second.stop()
})

test('a server that outlived its owner is adopted', async () => {
  const owner = await startCopy()
  await query(owner.url!, 'create table note as select 1 as id')
  await kill(owner)
  const heir = await start()
  expect(heir).toMatchObject({ adopted: true, url: owner.url })
  expect(await countNotes(heir.url)).toBe(1)
  await heir.stop()
  expect(await findRunning(folder)).toBeUndefined()
  expect(existsSync(join(folder, 'postmaster.pid'))).toBe(false)
})

/** What the console shows while the work runs. */
async function withWarnings(work: (warnings: string[]) => Promise<void>): Promise<void> {
  const warnings: string[] = []
  const spy = vi.spyOn(console, 'warn').mockImplementation((text) => void warnings.push(text))
  await work(warnings).finally(() => spy.mockRestore())
}

test('a start waits for a running copy, says so, and gets the data folder once that copy is killed', async () => {
  const owner = await startCopy()
  await withWarnings(async (warnings) => {
    const starting = startPostgres(folder)
    await vi.waitUntil(() => warnings.length > 0, PATIENCE_MS)
    await kill(owner)
    const heir = await starting
    expect(heir.adopted).toBe(true)
    expect(warnings).toEqual([
      `The data folder ${folder} is in use by another running copy (process ${owner.process.pid}). ` +
        'Waiting up to 20 seconds.',
    ])
    await heir.stop()
  })
})

test('a start waits for a copy that is stopping, however far that is', async () => {
  const first = await start()
  await query(first.url, 'create table note as select 1 as id')
  const starting = startPostgres(folder)
  const stopped = first.stop()
  const meanwhile = startPostgres(folder)
  await stopped
  // One of the two gets the folder, and the other one once that one has stopped.
  const second = await Promise.race([starting, meanwhile])
  expect(await countNotes(second.url)).toBe(1)
  await second.stop()
  for (const database of await Promise.all([starting, meanwhile])) await database.stop()
  expect(existsSync(join(folder, 'postmaster.pid'))).toBe(false)
})

test('a second copy is refused with the process that is running, which keeps working', async () => {
  const first = await start()
  const second = await startCopy(0)
  expect(second.problem).toBe(
    `The data folder ${folder} is in use by another running copy (process ${process.pid}). ` +
      'Stop it first, or set DATA_DIR to another folder.',
  )
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await first.stop()
})

itInFull('of four copies started at once on a new folder exactly one gets it', async () => {
  const started = await Promise.all(Array.from({ length: 4 }, () => startCopy(10_000)))
  const owners = started.filter(({ problem }) => !problem)
  const refused = started.flatMap(({ problem }) => problem ?? [])
  expect(owners).toHaveLength(1)
  expect(refused).toHaveLength(3)
  for (const problem of refused) expect(problem).toContain(`(process ${owners[0].process.pid})`)
  expect(readdirSync(join(folder, '..')).sort()).toEqual(['postgres', 'postgres.log'])
  await kill(owners[0])
  await (await start()).stop()
})

test('when PostgreSQL is killed it comes back at the same address with every acknowledged row', async () => {
  const { url, stop } = await start()
  const acknowledged = await writeUntilKilled(url)
  const found = await vi.waitFor(() => countNotes(url), { timeout: 15_000 })
  expect(acknowledged).toBeGreaterThan(0)
  expect(found).toBeGreaterThanOrEqual(acknowledged)
  // Its owner claims it again once it answers.
  const claims = () => query(url, `select from pg_locks where locktype = 'advisory' and granted`)
  await expect.poll(async () => (await claims()).length).toBe(1)
  const second = await startCopy(0)
  expect(second.problem).toContain('in use by another running copy')
  await stop()
})

test('when PostgreSQL and its owner are killed every acknowledged row is there afterwards', async () => {
  const owner = await startCopy()
  const acknowledged = await writeUntilKilled(owner.url!, () => kill(owner))
  const left = readPidFile(folder)!.address.socketFolder!
  const { url, adopted, stop } = await start()
  expect(adopted).toBe(false)
  expect(acknowledged).toBeGreaterThan(0)
  expect(await countNotes(url)).toBeGreaterThanOrEqual(acknowledged)
  expect(existsSync(left)).toBe(false)
  await stop()
})

test('a data folder of another PostgreSQL is refused and left as it is', async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'PG_VERSION'), '14\n')
  const problem = await startPostgres(folder).catch((error) => error)
  expect(problem).toBeInstanceOf(StartProblem)
  expect(problem.message).toContain(
    'was made by PostgreSQL 14, and this version of the app brings PostgreSQL 18.',
  )
  expect(readdirSync(folder)).toEqual(['PG_VERSION'])
  expect(readdirSync(join(folder, '..'))).toEqual(['postgres'])
})

test('a folder with something else in it is refused and left as it is', async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'letters.txt'), 'Dear')
  await expect(startPostgres(folder)).rejects.toThrow('is not empty and holds no PostgreSQL database')
  expect(readdirSync(folder)).toEqual(['letters.txt'])
})

test('a damaged data folder is named with what PostgreSQL says of it', async () => {
  await (await start()).stop()
  rmSync(join(folder, 'global'), { recursive: true })
  await expect(startPostgres(folder)).rejects.toThrow(
    /did not start on the data folder .*: could not find the database system.*\. Its log is/,
  )
})
