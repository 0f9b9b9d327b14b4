import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query, until } from './postgres.ts'
import { freePort, program, type Running, startProgram } from './programs.ts'

/** A database server behind the proxy. */
interface Server {
  port: number
  /** Port of its Patroni; without one the database itself is asked whether it can write. */
  rest?: number
}

/** HAProxy at one address before several database servers; it leads to the one that can write. */
export async function startProxy(
  folder: string,
  servers: Server[],
): Promise<Running & { url(database: string): string }> {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const checks = servers.every(({ rest }) => rest) ? 'option httpchk GET /primary' : askDatabase(folder)
  const lines = servers.map(
    ({ port: at, rest = at }) =>
      `server at${at} 127.0.0.1:${at} check port ${rest} inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions`,
  )
  writeFileSync(
    file,
    `global
  external-check
  insecure-fork-wanted
defaults
  mode tcp
  timeout connect 1s
  timeout check 2s
  timeout client 1h
  timeout server 1h
listen database
  bind 127.0.0.1:${port}
  ${[checks, ...lines].join('\n  ')}
`,
  )
  const running = startProgram('haproxy', '-db', '-f', file)
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  // HAProxy takes every server for good until its first checks, and leads to them in turn.
  await until(async () => {
    for (let i = 0; i < 2 * servers.length; i++) {
      const [{ isStandby }] = await query(url('postgres'), 'select pg_is_in_recovery() as "isStandby"')
      if (isStandby) return false
    }
    return true
  })
  return { ...running, url }
}

/** Lines by which HAProxy runs a script of this folder to ask a database whether it can write. */
function askDatabase(folder: string): string {
  const check = join(folder, 'canWrite.sh')
  // HAProxy gives the address and the port of the server as the third and the fourth argument.
  writeFileSync(
    check,
    `#!/bin/sh
exec ${program('psql')} "host=$3 port=$4 user=postgres connect_timeout=1" -XAtc 'select 1 / (not pg_is_in_recovery())::int'
`,
  )
  chmodSync(check, 0o755)
  return [
    'option external-check',
    'external-check path "/usr/bin:/bin"',
    `external-check command ${check}`,
  ].join('\n  ')
}
