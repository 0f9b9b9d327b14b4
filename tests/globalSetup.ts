import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startPrimary } from './cluster/postgres.ts'
import { RUN_PREFIX, runFolder, temporaryFolder, temporaryRoot } from './temporaryFolder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a server's database "postgres"; fresh databases are made from `template` there. */
    databaseUrl: string
    template: string
    /** Why there is no database; only the tests that ask for one fail. */
    databaseProblem: string
  }
}

// Nothing here survives the run, so nothing needs to reach the disk.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '100',
  // The folder may stand in memory.
  max_wal_size: '256MB',
  // In the data folder, with which it goes if the server is killed.
  dynamic_shared_memory_type: 'mmap',
}
const FOLDER = 'postgres'

/**
 * One server and one migrated template for the whole run: the embedded PostgreSQL, that of the folder of programs
 * TEST_POSTGRES, or the server at TEST_DATABASE_URL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = randomBytes(4).toString('hex')
  const template = `template_app_${run}`
  let stop = async () => {}
  let databaseProblem = ''
  let databaseUrl = ''
  try {
    const server = await startServer()
    stop = server.stop
    databaseUrl = withDatabase(server.url, 'postgres')
    await query(databaseUrl, `create database ${template}`)
    const { migrate } = await import('../src/server/ops/migrate/migrate.ts')
    await migrate(withDatabase(databaseUrl, template))
  } catch (error) {
    databaseProblem = (error as Error).message
  }
  project.provide('databaseUrl', databaseUrl)
  project.provide('template', template)
  project.provide('databaseProblem', databaseProblem)
  return async () => {
    if (process.env.TEST_DATABASE_URL) await dropAll(databaseUrl, run)
    await stop()
  }
}

interface TestDatabase {
  url: string
  stop(): Promise<void>
}

async function startServer(): Promise<TestDatabase> {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => {} }
  if (process.env.TEST_POSTGRES) return startChosen()
  await clearInterruptedRuns()
  const { startPostgres } = await import('../src/server/ops/postgres/start.ts')
  const database = await startPostgres(join(runFolder, FOLDER), { settings })
  return { url: database.superuserUrl, stop: () => database.stop() }
}

/** Starts the PostgreSQL whose programs are in the folder TEST_POSTGRES. */
async function startChosen(): Promise<TestDatabase> {
  const folder = temporaryFolder('advocacy-chosen-')
  chmodSync(folder, 0o755)
  const conf = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  const server = await startPrimary(join(folder, 'primary'), { conf: conf.join('') })
  const stop = async () => {
    await server.running.end('SIGINT')
  }
  return { url: server.url('postgres'), stop }
}

// A run that was killed leaves its server behind: it is adopted, ended and removed.
async function clearInterruptedRuns(): Promise<void> {
  const { startPostgres } = await import('../src/server/ops/postgres/start.ts')
  for (const name of readdirSync(temporaryRoot).filter((one) => one.startsWith(RUN_PREFIX))) {
    if (isAlive(Number(name.slice(RUN_PREFIX.length)))) continue
    const data = join(temporaryRoot, name, FOLDER)
    const left = existsSync(data) && (await startPostgres(data, { settings }).catch(() => undefined))
    if (left) await left.stop()
    rmSync(join(temporaryRoot, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = name
  return changed.href
}

async function query(url: string, text: string): Promise<{ datname: string }[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function dropAll(url: string, run: string): Promise<void> {
  const names = await query(
    url,
    `select datname from pg_database where datname ~ '^(t|template_app|template_demo)_${run}'`,
  )
  for (const { datname } of names) await query(url, `drop database ${datname} with (force)`)
}
