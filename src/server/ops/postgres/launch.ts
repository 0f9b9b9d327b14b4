import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fchownSync, openSync, readFileSync, statSync } from 'node:fs'
import type { Account } from './account.ts'
import type { Address } from './address.ts'
import { program } from './binary.ts'

/** A PostgreSQL that is being started; `failure` is its error if it has ended. */
export interface Launch {
  failure(): string | undefined
}

/** Starts PostgreSQL as a detached process, so that neither Ctrl-C nor a crash of the app ends it. */
export function launch(
  folder: string,
  native: string,
  account: Account,
  address: Address,
  settings: Record<string, string>,
): Launch {
  const { prefix, uid, gid } = account
  const log = openSync(logFile(folder), 'a', 0o600)
  if (uid !== undefined && gid !== undefined) fchownSync(log, uid, gid)
  const before = statSync(logFile(folder)).size
  const options = Object.entries({ ...baseSettings(address), ...settings })
  const command =
    process.platform === 'win32'
      ? // PostgreSQL refuses to run as an administrator, as it does as root, and only pg_ctl drops these rights.
        [
          program(native, 'pg_ctl'),
          'start',
          '-D',
          folder,
          '-o',
          options.map(([n, v]) => `-c ${n}="${v}"`).join(' '),
        ]
      : [program(native, 'postgres'), '-D', folder, ...options.flatMap(([n, v]) => ['-c', `${n}=${v}`])]
  const [file, ...args] = [...prefix, ...command]
  const child = spawn(file, args, {
    uid,
    gid,
    cwd: folder,
    detached: true,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG'))),
    stdio: ['ignore', log, log],
    windowsHide: true,
  })
  closeSync(log)
  let problem: string | undefined
  child.on('error', (error) => {
    problem = error.message
  })
  child.unref()
  return { failure: () => problem ?? (hasEnded(child) ? lastError(folder, before) : undefined) }
}

export function logFile(folder: string): string {
  return `${folder}.log`
}

function baseSettings({ port, socketFolder }: Address): Record<string, string> {
  return {
    port: String(port),
    listen_addresses: socketFolder ? '' : '127.0.0.1',
    unix_socket_directories: socketFolder ?? '',
    unix_socket_permissions: '0700',
    ssl: 'off',
    shared_buffers: '256MB',
    max_connections: '40',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Errors of statements quote personal data, so only the app handles them.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }
}

// pg_ctl exits with 0 once the server runs.
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return signalCode !== null || (exitCode !== null && (exitCode !== 0 || process.platform !== 'win32'))
}

// Answers to clients that connect too early or too late, which are no errors of the server.
const rejection = /starting up|not yet accepting|shutting down|terminating connection/

function lastError(folder: string, before: number): string {
  const logged = readFileSync(logFile(folder)).subarray(before).toString().trim().split('\n')
  const words = logged.find((line) => /FATAL|PANIC/.test(line) && !rejection.test(line)) ?? logged.join(' ')
  return words.replace(/^.*(FATAL|PANIC|postgres): +/, '') || 'it ended without a message'
}
