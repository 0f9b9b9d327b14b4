import type { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { withClient } from '../../src/server/ops/command/withClient.ts'
import { migrate } from '../../src/server/ops/migrate/migrate.ts'
import { readMigrations } from '../../src/server/ops/migrate/migrationFiles.ts'
import { readHashes } from '../../src/server/ops/migrate/migrationHashes.ts'
import { start } from '../../src/server/ops/start/start.ts'
import { contract } from '../loadedContract.ts'
import { signIn } from './context.ts'
import { releaseDatabase } from './database.ts'

const FOLDER = 'src/server/ops/migrations'

let database: Awaited<ReturnType<typeof releaseDatabase>>
beforeAll(async () => {
  database = await releaseDatabase()
})
afterAll(() => database?.drop())

const inDatabase = <T>(work: (client: Client) => Promise<T>) => withClient(database.url, 'test', work)
const rowsOf = (sql: string) => inDatabase(async (client) => (await client.query(sql)).rows)

/** The columns of each table or view. */
async function columnsOf(kind: 'r' | 'v'): Promise<Map<string, string[]>> {
  const rows = await rowsOf(`select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = '${kind}' group by 1`)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

const HISTORY = ['migration', 'migration_step', 'built_view']
/** Columns that migrations fill: fields to index again (033), the role of who sent a message (036), versions (051). */
const FILLED = [
  'case_indexed',
  'issue_indexed',
  'referral_messages.role',
  'case_types.version',
  'case_types.updated_at',
]
/**
 * The rows that were there before, of tables to which migrations add some: bank holidays (050), versions with an automation
 * (051).
 */
const EARLIER: Record<string, string> = {
  lookup: "kind not like 'bank_holiday%'",
  case_type_versions: `note is distinct from 'The alert of open safeguarding concerns is an automation now.'`,
}

/** Open, closed and retired issues with and without a concern that has no outcome. */
const CONCERNS = `with numbered as (select id, row_number() over (order by id) as n from issues where is_opened and status = 1)
  update issues i set is_opened = n <> 2, status = case when n = 3 then 2 else 1 end,
    close_date = case when n = 2 then i.start_date end,
    answers = answers - 'sfg_ooc' || '{"sfg_concern": "yes"}' || case when n = 4 then '{"sfg_ooc": 1}' else '{}' end::jsonb
  from numbered where numbered.id = i.id and n <= 6`
const ALERTED = `select client, count(*)::int as alerts from client_alerts
  where label = 'Open safeguarding concern' group by client order by client`

it('release 0.3.0 is upgraded, keeps every row, and could be started again afterwards', async () => {
  await rowsOf(CONCERNS)
  const alerted = await rowsOf(ALERTED)
  expect(alerted.length).toBeGreaterThan(1)
  const released = await rowsOf('select name, hash from migration order by 1')
  const hashes = readHashes(FOLDER)
  expect(released.map(({ name, hash }) => hashes.get(name) === hash)).not.toContain(false)
  const tables = await columnsOf('r')
  for (const name of HISTORY) tables.delete(name)
  const views = await columnsOf('v')
  const contentOf = async () => {
    const content: Record<string, unknown> = {}
    for (const [name, columns] of tables) {
      const kept = columns.filter(
        (column) => !FILLED.includes(column) && !FILLED.includes(`${name}.${column}`),
      )
      const list = kept.map((column) => `"${column}"`).join()
      const [row] = await rowsOf(
        `select count(*)::int as n, md5(string_agg(r::text, '|' order by r::text)) as hash from (
          select ${list} from "${name}" where ${EARLIER[name] ?? 'true'}) r`,
      )
      content[name] = row
    }
    return content
  }
  const before = await contentOf()
  expect(before.clients).toMatchObject({ n: 30 })
  const applied = await migrate(database.url)
  const differences = 'select * from access_differences(array(select id from clients))'
  expect(await rowsOf(differences)).toEqual([])
  expect(await rowsOf('select from client_access limit 1')).toHaveLength(1)
  const since = readMigrations(FOLDER).slice(released.length)
  expect(applied).toEqual(since.map(({ name }) => name))
  expect(await contentOf()).toEqual(before)
  expect(await rowsOf(ALERTED), 'the same clients show the alert').toEqual(alerted)
  if (since.some(({ kind }) => kind === 'contract')) return
  const now = await columnsOf('v')
  for (const [name, columns] of views) expect(now.get(name), name).toEqual(expect.arrayContaining(columns))
})

it('a server starts on the upgraded database, and people sign in', async () => {
  const settings = readSettings({
    DATABASE_URL: database.url,
    DEMO: '0',
    LOG_LEVEL: 'silent',
    PORT: '0',
    PASSWORD_COST: '10',
  })
  const running = await start(settings)
  try {
    const advocate = await signIn(contract, running.address, 'advocate', 'advocacy-demo')
    const { status, body } = await advocate('cases.list')
    expect(status).toBe(200)
    expect(body.order).not.toEqual([])
  } finally {
    await running.stop()
  }
})
