import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { query, until } from './postgres.ts'
import { freePort, type Running, run, startProgram } from './programs.ts'
import { substitute } from './shippedFile.ts'

const SHIPPED = 'src/server/ops/deploy/pgbouncer.ini'
const PASSWORD = 'secret'

/** What the shipped configuration runs on each new connection. */
export const CONNECT_QUERY = readFileSync(SHIPPED, 'utf8')
  .match(/connect_query='((?:[^']|'')*)'/)![1]
  .replaceAll("''", "'")

/** PgBouncer as shipped, with fewer connections, before the server at a port; its files go into a folder. */
export async function startPooler(
  folder: string,
  to: number,
  connectQuery = CONNECT_QUERY,
): Promise<Running & { url: string }> {
  const port = await freePort()
  const users = join(folder, 'users.txt')
  const file = join(folder, 'pgbouncer.ini')
  const quoted = (text: string) => text.replaceAll("'", "''")
  writeFileSync(users, `"postgres" "${PASSWORD}"\n`)
  const text = substitute(SHIPPED, {
    'host=db port=5432': `host=127.0.0.1 port=${to}`,
    [quoted(CONNECT_QUERY)]: quoted(connectQuery),
    'listen_addr = *': 'listen_addr = 127.0.0.1\nunix_socket_dir =',
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': users,
    'default_pool_size = 20': 'default_pool_size = 5',
    ...(!keepsPreparedStatements() && { 'max_prepared_statements = 400\n': '' }),
  })
  writeFileSync(file, text)
  const running = startProgram('pgbouncer', file)
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/advocacy`
  await until(async () => (await query(url, 'select 1')).length === 1)
  return { ...running, url }
}

/** From PgBouncer 1.21 on; earlier ones do not start with a setting that they do not know. */
export function keepsPreparedStatements(): boolean {
  const [, major, minor] = run('pgbouncer', '--version')
    .match(/PgBouncer (\d+)\.(\d+)/)!
    .map(Number)
  return major > 1 || minor >= 21
}
