import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openDatabase } from '../../src/server/core/db.ts'
import { migrate, refusePending } from '../../src/server/ops/migrate/migrate.ts'
import { type Caller, fillStaffed, startTestServer, type TestContext } from './context.ts'
import { emptyDatabase } from './database.ts'
import { createCase } from './newCase.ts'

/** Roles belong to the whole server, on which other tests run. */
const suffix = randomBytes(4).toString('hex')
const names = { casework_owner: `owner_${suffix}`, casework_app: `app_${suffix}` }
const PASSWORD = 'secret'

let context: TestContext
let database: Awaited<ReturnType<typeof emptyDatabase>>
let limited: string
beforeAll(async () => {
  database = await emptyDatabase()
  await runRolesFile(database.url)
  await migrate(urlAs(names.casework_owner))
  limited = urlAs(names.casework_app)
  const { db, close } = openDatabase(limited)
  await fillStaffed(db)
  await close()
  context = await startTestServer({}, async () => limited)
})
afterAll(async () => {
  await context?.end()
  await database?.drop()
  for (const role of Object.values(names)) await query(inject('databaseUrl'), `drop role if exists ${role}`)
})

function urlAs(role: string): string {
  const url = new URL(database.url)
  url.username = role
  url.password = PASSWORD
  return url.href
}

/** Runs src/server/ops/deploy/roles.sql as psql does, with other names for its roles. */
async function runRolesFile(url: string): Promise<void> {
  const variables: Record<string, string> = {
    owner_password: PASSWORD,
    app_password: PASSWORD,
    DBNAME: new URL(url).pathname.slice(1),
  }
  const statements = readFileSync('src/server/ops/deploy/roles.sql', 'utf8')
    .replace(/^\\set .*$/gm, '')
    .replace('\\gexec', ';')
    .replace(/:(['"])(\w+)\1/g, (_, quote, name) =>
      quote === "'" ? escapeLiteral(variables[name]) : escapeIdentifier(variables[name]),
    )
    .replace(/casework_owner|casework_app/g, (name) => names[name as keyof typeof names])
  await query(url, statements)
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

it('a server whose role changes no tables does a day\u2019s work', async () => {
  await refusePending(limited)
  await expect(query(limited, 'create table x (id int)')).rejects.toThrow('permission denied')
  const advocate: Caller = await context.as('advocate')
  const { client } = await createCase(advocate)
  const changed = await advocate('clients.update', { params: { id: client }, body: { first_name: 'Ada' } })
  expect(changed.status).toBe(200)
  const found = await advocate('search.clients', { body: { term: 'Ada' } })
  expect(found.status).toBe(200)
  const admin = await context.as('admin')
  const { version } = (await admin('caseTypes.read', { params: { id: 1 } })).body
  const published = await admin('caseTypes.update', { params: { id: 1 }, body: { version, label: 'Care' } })
  expect(published.status).toBe(200)
})

it('says which extension to create where the role may not', async () => {
  const bare = `bare_${suffix}`
  const empty = await emptyDatabase()
  try {
    await query(
      empty.url,
      `create role ${bare} login password '${PASSWORD}'; grant all on schema public to ${bare}`,
    )
    const url = new URL(empty.url)
    url.username = bare
    url.password = PASSWORD
    await expect(migrate(url.href)).rejects.toThrow(
      /needs the extension pg_trgm\. .*as a superuser .*\n {2}create extension if not exists pg_trgm;$/,
    )
  } finally {
    await empty.drop()
    await query(inject('databaseUrl'), `drop role if exists ${bare}`)
  }
})

const removals = async () => {
  const { rows } = await sql<{ reason: string; events: number }>`select reason, events::int
    from audit_removals order by id`.execute(context.db)
  return rows
}
const eventsOf = async (client: number) => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit
    where client = ${client}`.execute(context.db)
  return rows[0].n
}

it('a server whose role changes no tables can neither change nor delete events of the audit', async () => {
  const admin = await context.as('admin')
  const { client } = await createCase(admin)
  const year = new Date().getUTCFullYear()
  for (const table of ['audit', `audit_${year}`, 'audit_other'])
    for (const statement of [`delete from ${table}`, `update ${table} set staff = 1`, `truncate ${table}`])
      await expect(query(limited, statement), statement).rejects.toThrow('permission denied')
  for (const statement of [
    'delete from audit_removals',
    `insert into audit_removals (reason, events) values ('x', 1)`,
  ])
    await expect(query(limited, statement), statement).rejects.toThrow('permission denied')
  await sql`insert into audit (action, entity, record) values ('open', 'client', 4711)`.execute(context.db)
  await query(limited, `select purge_audit_events_below('client', '{4711, ${client}}')`)
  expect(await removals()).toEqual([{ reason: 'purge below client', events: 1 }])
  expect((await admin('health.read')).body).toMatchObject({
    audit_rights: 'The server can only add and read events',
    audit_removals: expect.stringMatching(/^1 removal of \d+ events? by purges and periods$/),
    audit_stream: 'To nobody: AUDIT_URL is not set',
  })
})

it('no event of a record that is still there is removed, nor moved to where its record is not', async () => {
  const admin = await context.as('admin')
  const { client, issue } = await createCase(admin)
  const before = [await eventsOf(client), await removals()]
  for (const statement of [
    `select purge_audit_events_below('client', '{${client}}')`,
    `select purge_audit_events_below('issue', '{${issue}}')`,
  ])
    await query(limited, statement)
  for (const statement of [
    `select purge_audit_events('client', '{${client}}')`,
    `select place_audit_events('client', ${client})`,
    `select clear_searches(-1)`,
    `select drop_audit_years(0)`,
  ])
    await expect(query(limited, statement), statement).rejects.toThrow()
  expect([await eventsOf(client), await removals()]).toEqual(before)
})

it('the trace of a removal is not hidden by a temporary table of the one who removes', async () => {
  await sql`insert into audit (action, entity, record) values ('open', 'client', 4712)`.execute(context.db)
  const before = await removals()
  await query(
    database.url,
    `grant temporary on database ${new URL(database.url).pathname.slice(1)} to ${names.casework_app}`,
  )
  await query(
    limited,
    `create temporary table audit_removals (id int, at timestamptz default now(), reason text, events bigint);
    create temporary table clients (id int);
    select purge_audit_events_below('client', '{4712}')`,
  )
  expect(await removals()).toEqual([...before, { reason: 'purge below client', events: 1 }])
})

it('a role that only reads removes nothing', async () => {
  const reader = `reader_${suffix}`
  await query(
    database.url,
    `create role ${reader} login password '${PASSWORD}'; grant select on all tables in schema public to ${reader}`,
  )
  try {
    for (const statement of [`select clear_searches(0)`, `select drop_audit_years(1)`])
      await expect(query(urlAs(reader), statement), statement).rejects.toThrow('only a role that writes')
  } finally {
    await query(database.url, `drop owned by ${reader}; drop role ${reader}`)
  }
})
