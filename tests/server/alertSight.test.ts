import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { createCase } from './newCase.ts'

const LABEL = 'Open safeguarding concern'
/** What only those read who see the issue. */
const SECRETS = ['Safeguarding: ', 'has no outcome', 'Safeguarding concern in this issue', 'stranger Example']
const ROLES = [
  { role: 'admin', passes: true },
  { role: 'manager', passes: true },
  { role: 'partnermanager', passes: true },
  { role: 'hubmanager', passes: true },
  { role: 'hub', passes: false },
  { role: 'advocate', passes: false },
  { role: 'volunteer', passes: false },
  { role: 'partner', passes: false },
  { role: 'commissioner', passes: false },
]
type Sight = 'nothing' | 'client' | 'record'

let context: TestContext
let stranger: Caller
/** An issue with a concern, and another case of the same client; both are the stranger's. */
let held: { id: number; client: number; issue: number }
let other: { id: number; issue: number }
let client: { first_name: string; last_name: string; dob: string }
beforeAll(async () => {
  context = await startTestServer()
  stranger = await context.as('stranger')
  held = await createCase(stranger)
  other = await createCase(stranger, 1, { client: held.client })
  const answers = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
  expect((await stranger('issues.update', { params: { id: held.issue }, body: { answers } })).status).toBe(
    200,
  )
  const { db } = context
  await sql`update issues set advocate = ${stranger.id}, service = 4, contract = 2, hub = null`.execute(db)
  // So that what names the stranger is about the issue with the concern.
  const { id: admin } = await context.as('admin')
  await sql`update issues set advocate = ${admin} where id = ${other.issue}`.execute(db)
  await sql`update clients set dob = '1960-02-01' where id = ${held.client}`.execute(db)
  const { rows } = await sql<typeof client>`select first_name, last_name, dob from clients
    where id = ${held.client}`.execute(db)
  client = rows[0]
})
afterAll(() => context?.end())

/** Makes a person see nothing of the client, the client by its other case, or the issue with the concern. */
async function see(who: Caller, sight: Sight): Promise<void> {
  const { db } = context
  const [ofHeld, ofOther] = [
    sight === 'record' ? who.id : stranger.id,
    sight === 'client' ? who.id : stranger.id,
  ]
  await sql`update issues set created_by = ${ofHeld} where id = ${held.issue}`.execute(db)
  await sql`update issues set created_by = ${ofOther} where id = ${other.issue}`.execute(db)
}

const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })

/** The replies of every call that shows alerts beside something else. */
async function replies(who: Caller): Promise<Record<string, unknown>> {
  const term = { term: client.last_name }
  const found = {
    clients: await who('clients.list', { query: term }),
    clientsAlerted: await who('clients.list', { query: { ...term, alert: 'danger' } }),
    cases: await who('cases.list', { query: { client: held.client } }),
    casesAlerted: await who('cases.list', { query: { client: held.client, alert: 'any' } }),
    worklist: await who('worklist.list'),
    quick: await who('search.quick', { query: term }),
    numbered: await who('search.numbered', { query: { number: held.id } }),
    duplicates: await who('clients.alike', { body: client }),
    steps: await who('tasks.ofClient', on(held.client)),
    history: await who('chronology.ofClient', on(held.client)),
  }
  return Object.fromEntries(Object.entries(found).map(([name, { body }]) => [name, body]))
}
const labelled = (bodies: Record<string, unknown>) =>
  Object.keys(bodies).filter((name) => JSON.stringify(bodies[name]).includes(LABEL))
const secretsIn = (value: unknown) => SECRETS.filter((text) => JSON.stringify(value).includes(text))

describe.each(ROLES.filter(({ role }) => role !== 'admin'))('$role', ({ role, passes }) => {
  let who: Caller
  beforeAll(async () => {
    who = await context.as(role)
  })

  it('learns nothing of the alert of a client out of sight', async () => {
    await see(who, 'nothing')
    expect((await who('clients.alerts', on(held.client))).status).toBe(404)
    const bodies = await replies(who)
    expect([labelled(bodies), secretsIn(bodies)]).toEqual([[], []])
    expect(bodies.casesAlerted).toMatchObject({ data: {}, pagination: { count: 0 } })
  })

  it('reads the label alone, where only the client is in sight', async () => {
    await see(who, 'client')
    const { body } = await who('clients.alerts', on(held.client))
    const { data } = body
    expect(data).toMatchObject([{ label: LABEL, level: 'danger', issue: null, case: null, page: null }])
    expect(secretsIn(data)).toEqual([])
    const bodies = await replies(who)
    expect(labelled(bodies)).toEqual(
      expect.arrayContaining(['clients', 'clientsAlerted', 'cases', 'casesAlerted', 'quick', 'duplicates']),
    )
    const { history: _, ...marked } = bodies
    expect(secretsIn(marked)).toEqual([])
    expect(JSON.stringify(bodies.steps)).not.toContain('Agree with your manager')
  })

  it('reads what it says, where the record is in sight', async () => {
    await see(who, 'record')
    const { data } = (await who('clients.alerts', on(held.client))).body
    expect(data).toMatchObject([
      { label: LABEL, issue: held.issue, details: expect.stringMatching(/^Safeg/) },
    ])
    const { clients, quick, duplicates } = await replies(who)
    for (const body of [clients, quick, duplicates]) expect(secretsIn(body)).toContain(SECRETS[0])
  })

  it('is refused by a hold without a word on what is out of sight', async () => {
    const close = () => who('issues.close', on(held.issue, { reasons: [1] }))
    for (const sight of ['nothing', 'client'] as const) {
      await see(who, sight)
      expect([sight, (await close()).status]).toEqual([sight, 404])
      const retired = await who('issues.retire', on(held.issue))
      expect([sight, retired.status, secretsIn(retired.body)]).toEqual([sight, 404, []])
    }
    const refused = await who('clients.retire', on(held.client))
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'held', message: LABEL, label: LABEL, may_pass: false },
    ])
    expect(secretsIn(refused.body)).toEqual([])
    expect((await who('automations.pass', on(refused.body.hold, { reason: 'I guess' }))).status).toBe(404)
    await see(who, 'nothing')
    expect((await who('clients.retire', on(held.client))).status).toBe(404)
    expect((await who('automations.pass', on(refused.body.hold, { reason: 'I guess' }))).status).toBe(404)
  })

  it(`${passes ? 'may pass' : 'may not pass'} the hold of a record in sight`, async () => {
    await see(who, 'record')
    const { body } = await who('issues.close', on(held.issue, { reasons: [1] }))
    expect(body).toMatchObject({
      code: 'held',
      message: expect.stringContaining(SECRETS[1]),
      may_pass: passes,
    })
    const { status } = await who('automations.pass', on(body.hold, { reason: 'Dealt with elsewhere' }))
    expect(status).toBe(passes ? 204 : 403)
  })

  it('reads why a step was planned only where its record is in sight', async () => {
    const { db } = context
    await see(who, 'nothing')
    await sql`update tasks set assignee = ${who.id} where event is not null`.execute(db)
    const planned = async () => {
      const { data } = (await who('tasks.list')).body
      return data.find(({ title }: { title: string }) => title.startsWith('Agree with'))
    }
    expect(await planned()).toMatchObject({ because: null, because_label: null, because_by: null })
    await see(who, 'record')
    expect(await planned()).toMatchObject({
      because: expect.stringContaining(SECRETS[2]),
      because_label: LABEL,
    })
    await sql`update tasks set assignee = ${stranger.id} where event is not null`.execute(db)
  })

  it('sees no mark beside a client whose task is theirs alone', async () => {
    await see(who, 'nothing')
    await sql`insert into tasks (title, due, assignee, created_by, issue, "case", client)
      values ('Ring them', '2026-01-05', ${who.id}, ${stranger.id}, ${held.issue}, ${held.id}, ${held.client})`.execute(
      context.db,
    )
    const { data, chips } = (await who('worklist.list')).body
    expect(data).toMatchObject([{ next_step: 'Ring them', alerts: [] }])
    expect(chips).toMatchObject({ all: 1, alerts: 0 })
    const alerted = await who('worklist.list', { query: { alert: 'any' } })
    expect(alerted.body.pagination.count).toBe(0)
    await see(who, 'client')
    const { data: seen, chips: counts } = (await who('worklist.list')).body
    expect(seen).toMatchObject([{ alerts: [{ level: 'danger', label: LABEL, text: null }] }])
    expect(counts).toMatchObject({ all: 1, alerts: 1 })
  })
})

it('an administrator reads what an alert says, and may pass its hold', async () => {
  const admin = await context.as('admin')
  const { data } = (await admin('clients.alerts', on(held.client))).body
  expect(data).toMatchObject([{ label: LABEL, issue: held.issue, details: expect.stringMatching(/^Safeg/) }])
  const { body } = await admin('clients.retire', on(held.client))
  expect(body).toMatchObject({ code: 'held', may_pass: true, ask: null })
  expect((await admin('automations.pass', on(body.hold, { reason: 'Known' }))).status).toBe(204)
})
