import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort, type Running, run, startWith, unprivileged } from './programs.ts'

export interface PostgresServer {
  port: number
  url(database: string): string
  running: Running
  folder: string
  /** Starts it again on its port, once it has ended. */
  restart(): Promise<void>
}

interface Options {
  /** Lines for its configuration. */
  conf?: string
  /** A folder on another disk for its write-ahead log. */
  log?: string
  /** Megabytes of a segment of that log. */
  segment?: number
  env?: Record<string, string>
}

/** A new PostgreSQL on a port of its own, as `postgres` without a password. */
export async function startPrimary(folder: string, options: Options = {}): Promise<PostgresServer> {
  const { conf = '', log, segment = 16 } = options
  makeFolder(folder)
  const data = join(folder, 'data')
  const logOptions = [`--wal-segsize=${segment}`, ...(log ? [`--waldir=${log}`] : [])]
  run('initdb', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync', ...logOptions, data)
  return await start(folder, `wal_level = replica\nmax_connections = 100\n${conf}`, options.env)
}

/** A standby of a server; the server then acknowledges a commit once the standby has it. */
export async function startStandby(primary: PostgresServer, folder: string): Promise<PostgresServer> {
  makeFolder(folder)
  await copyData(primary, join(folder, 'data'))
  const { hostname, port } = new URL(primary.url('postgres'))
  const from = `host=${hostname} port=${port} user=postgres application_name=standby`
  const standby = await start(
    folder,
    `hot_standby = on\nsynchronous_standby_names = ''\nprimary_conninfo = '${from}'\n`,
  )
  await query(primary.url('postgres'), "alter system set synchronous_standby_names = 'standby'")
  await query(primary.url('postgres'), 'select pg_reload_conf()')
  await until(async () => {
    const rows = await query(primary.url('postgres'), 'select sync_state from pg_stat_replication')
    return rows[0]?.sync_state === 'sync'
  })
  return standby
}

/** Copies the data of a running server as a standby's: by SQL, since the embedded PostgreSQL has no pg_basebackup. */
async function copyData(primary: PostgresServer, data: string): Promise<void> {
  const client = new Client({ connectionString: primary.url('postgres') })
  await client.connect()
  await client.query(`select pg_backup_start('standby', fast => true)`)
  cpSync(join(primary.folder, 'data'), data, { recursive: true })
  const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
  await client.end()
  rmSync(join(data, 'postmaster.pid'), { force: true })
  writeFileSync(join(data, 'backup_label'), rows[0].labelfile)
  writeFileSync(join(data, 'standby.signal'), '')
  const { uid, gid } = unprivileged()
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, data])
  chmodSync(data, 0o700)
}

/** Sends a signal to all processes of a server: stopped, it hangs with open connections, as where its machine does. */
export function signalAll({ running }: PostgresServer, signal: 'SIGSTOP' | 'SIGKILL'): void {
  const parent = String(running.process.pid)
  if (running.process.exitCode !== null || running.process.signalCode !== null) return
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', parent], { encoding: 'utf8' })
  for (const pid of [parent, ...children.split('\n')]) {
    try {
      if (pid.trim()) process.kill(Number(pid), signal)
    } catch (error) {
      // A connection's process may have ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Makes a standby the server that can write. */
export async function promote(standby: PostgresServer): Promise<void> {
  await query(standby.url('postgres'), 'select pg_promote()')
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  // A server that ends meanwhile is told by the query.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Waits until something holds, for at most so many seconds; a failure means that it does not hold yet. */
export async function until(holds: () => Promise<boolean>, seconds = 20): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (Date.now() < end) {
    if (await holds().catch(() => false)) return
    await sleep(100)
  }
  throw new Error(`It does not hold after ${seconds} s.`)
}

async function start(
  folder: string,
  conf: string,
  env: Record<string, string> = {},
): Promise<PostgresServer> {
  const data = join(folder, 'data')
  const port = await freePort()
  const own = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\nfsync = off\n`
  appendFileSync(join(data, 'postgresql.auto.conf'), own + conf)
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const launch = () => startWith(env, 'postgres', '-D', data)
  const answers = async () => (await query(url('postgres'), 'select 1')).length === 1
  const server: PostgresServer = {
    port,
    url,
    running: launch(),
    folder,
    restart: async () => {
      server.running = launch()
      await until(answers)
    },
  }
  await until(answers).catch((error) => {
    throw new Error(`${error.message} ${server.running.output()}`)
  })
  return server
}

function makeFolder(folder: string): void {
  mkdirSync(folder)
  const { uid, gid } = unprivileged()
  if (uid !== undefined) chownSync(folder, uid, gid!)
  chmodSync(folder, 0o700)
}
