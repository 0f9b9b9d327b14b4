import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query, until } from './postgres.ts'
import { freePort, program, type Running, startProgram } from './programs.ts'

/** HAProxy at one address before several database servers; it leads to the one that can write. */
export async function startProxy(
  folder: string,
  ports: number[],
): Promise<Running & { url(database: string): string }> {
  const port = await freePort()
  const check = join(folder, 'canWrite.sh')
  const file = join(folder, 'haproxy.cfg')
  // HAProxy gives the address and the port of the server as the third and the fourth argument.
  writeFileSync(
    check,
    `#!/bin/sh
exec ${program('psql')} "host=$3 port=$4 user=postgres connect_timeout=1" -XAtc 'select 1 / (not pg_is_in_recovery())::int'
`,
  )
  chmodSync(check, 0o755)
  const servers = ports.map(
    (one) =>
      `  server at${one} 127.0.0.1:${one} check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions`,
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
  option external-check
  external-check path "/usr/bin:/bin"
  external-check command ${check}
${servers.join('\n')}
`,
  )
  const running = startProgram('haproxy', '-db', '-f', file)
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  // HAProxy takes every server for good until its first checks, and leads to them in turn.
  await until(async () => {
    for (let i = 0; i < 2 * ports.length; i++) {
      const [{ isStandby }] = await query(url('postgres'), 'select pg_is_in_recovery() as "isStandby"')
      if (isStandby) return false
    }
    return true
  })
  return { ...running, url }
}
