import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort, type Running, run, startProgram, unprivileged } from './programs.ts'

export interface PostgresServer {
  port: number
  url(database: string): string
  running: Running
  folder: string
}

/** A new PostgreSQL on a port of its own, as `postgres` without a password. */
export async function startPrimary(folder: string): Promise<PostgresServer> {
  makeFolder(folder)
  run('initdb', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync', join(folder, 'data'))
  return await start(folder, `wal_level = replica\nmax_connections = 100\n`)
}

/** A standby of a server; the server then acknowledges a commit once the standby has it. */
export async function startStandby(primary: PostgresServer, folder: string): Promise<PostgresServer> {
  makeFolder(folder)
  const { hostname, port } = new URL(primary.url('postgres'))
  const from = `host=${hostname} port=${port} user=postgres application_name=standby`
  run(
    'pg_basebackup',
    '--pgdata',
    join(folder, 'data'),
    '--dbname',
    from,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  )
  const standby = await start(folder, "hot_standby = on\nsynchronous_standby_names = ''\n")
  await query(primary.url('postgres'), "alter system set synchronous_standby_names = 'standby'")
  await query(primary.url('postgres'), 'select pg_reload_conf()')
  await until(async () => {
    const rows = await query(primary.url('postgres'), 'select sync_state from pg_stat_replication')
    return rows[0]?.sync_state === 'sync'
  })
  return standby
}

/** Sends a signal to all processes of a server: stopped, it hangs with open connections, as where its machine does. */
export function signalAll({ running }: PostgresServer, signal: 'SIGSTOP' | 'SIGKILL'): void {
  const parent = String(running.process.pid)
  if (running.process.exitCode !== null || running.process.signalCode !== null) return
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', parent], { encoding: 'utf8' })
  for (const pid of [parent, ...children.split('\n')]) if (pid.trim()) process.kill(Number(pid), signal)
}

/** Makes a standby the server that can write. */
export async function promote(standby: PostgresServer): Promise<void> {
  await query(standby.url('postgres'), 'select pg_promote()')
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Waits until something holds, at most twenty seconds; a failure means that it does not hold yet. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await holds().catch(() => false)) return
    await sleep(100)
  }
  throw new Error('It does not hold after 20 s.')
}

async function start(folder: string, conf: string): Promise<PostgresServer> {
  const data = join(folder, 'data')
  const port = await freePort()
  const own = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\nfsync = off\n`
  appendFileSync(join(data, 'postgresql.auto.conf'), own + conf)
  const running = startProgram('postgres', '-D', data)
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  await until(async () => (await query(url('postgres'), 'select 1')).length === 1)
  return { port, url, running, folder }
}

function makeFolder(folder: string): void {
  mkdirSync(folder)
  const { uid, gid } = unprivileged()
  if (uid !== undefined) chownSync(folder, uid, gid!)
  chmodSync(folder, 0o700)
}
