import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query, until } from './postgres.ts'
import { freePort, type Running, startProgram } from './programs.ts'

/** What src/server/deploy/pgbouncer.ini runs on each new connection. */
export const CONNECT_QUERY = readFileSync('src/server/deploy/pgbouncer.ini', 'utf8')
  .match(/connect_query='((?:[^']|'')*)'/)![1]
  .replaceAll("''", "'")

/** PgBouncer in transaction mode with a few connections to the server at a port; its files go into a folder. */
export async function startPooler(
  folder: string,
  to: number,
  connectQuery: string,
): Promise<Running & { url(database: string): string }> {
  const port = await freePort()
  const users = join(folder, 'users.txt')
  const file = join(folder, 'pgbouncer.ini')
  const quoted = connectQuery.replaceAll("'", "''")
  writeFileSync(users, '"postgres" ""\n')
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${to} user=postgres connect_query='${quoted}'`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'default_pool_size = 5',
      'max_client_conn = 200',
      '',
    ].join('\n'),
  )
  const running = startProgram('pgbouncer', file)
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  await until(async () => (await query(url('postgres'), 'select 1')).length === 1)
  return { ...running, url }
}
