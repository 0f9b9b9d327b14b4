import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusePending } from '../../src/server/migrate/migrate.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { createCase } from './newCase.ts'

/** A role that may read and write rows and nothing else. */
const role = `app_${randomBytes(4).toString('hex')}`

let context: TestContext
let limited: string
beforeAll(async () => {
  context = await startTestServer({}, async (url) => {
    await asOwner(
      url,
      `create role ${role} login password 'secret'; grant usage on schema public to ${role};
       grant select, insert, update, delete on all tables in schema public to ${role};
       grant usage, select, update on all sequences in schema public to ${role}`,
    )
    const changed = new URL(url)
    changed.username = role
    changed.password = 'secret'
    limited = changed.href
    return limited
  })
})
afterAll(async () => {
  const url = context?.databaseUrl
  if (url) await asOwner(url, `drop owned by ${role} cascade`)
  await context?.end()
  if (url) await asOwner(serverOf(url), `drop role ${role}`)
})

async function asOwner(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function serverOf(url: string): string {
  const server = new URL(url)
  server.pathname = 'postgres'
  return server.href
}

it('a server whose role changes no tables does a day\u2019s work', async () => {
  await refusePending(limited)
  await expect(asOwner(limited, 'create table x (id int)')).rejects.toThrow('permission denied')
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
