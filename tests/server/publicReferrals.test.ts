import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  CONFIRMATIONS_PER_EMAIL,
  REFERRALS_PER_ADDRESS,
  REFERRALS_PER_EMAIL,
} from '../../src/contract/limits.ts'
import type { Values } from '../../src/contract/when.ts'
import { createApp } from '../../src/server/app.ts'
import { JOBS, type JobContext } from '../../src/server/jobs/jobs.ts'
import { readSettings } from '../../src/server/settings.ts'
import { type Caller, signIn, startTestServer, type TestContext } from './context.ts'
import { outboxOf } from './mails.ts'
import { newCase } from './newCase.ts'

const [NEW, ACCEPTED, REJECTED, MORE, SPAM] = [1, 2, 3, 4, 5]
const [SERVICE, CASE_TYPE] = [4, 5]
const [HERTFORDSHIRE, ESSEX] = [1, 2]
const NINE = [
  'admin',
  'manager',
  'hub',
  'advocate',
  'commissioner',
  'volunteer',
  'hubmanager',
  'partner',
  'partnermanager',
]

let context: TestContext
let folder: string
let nobody: Caller
let admin: Caller
/** Of hub 1 and of hub 2. */
let east: Caller
let west: Caller
let form: { id: number; version: number }

async function addToHub(username: string, groups: number[], hub: number): Promise<Caller> {
  await sql`insert into staff (username, first_name, last_name, groups, hub, services, password_hash)
    select ${username}, initcap(${username}), 'Example', ${groups}, ${hub}, services, password_hash
    from staff where username = 'hub'`.execute(context.db)
  return context.as(username)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'public-'))
  context = await startTestServer({ TRUST_PROXY: 'true', DATA_DIR: folder })
  await sql`insert into lookup (kind, value, label) values ('hub', 1, 'East'), ('hub', 2, 'West') on conflict do nothing`.execute(
    context.db,
  )
  nobody = await context.as()
  admin = await context.as('admin')
  east = await context.as('hub')
  west = await addToHub('west', [3], 2)
  const reply = await admin('referralForms.create', {
    body: {
      service: SERVICE,
      case_type: CASE_TYPE,
      hub: 1,
      status: 1,
      routes: [{ row: 'a', council_area: ESSEX, hub: 2 }],
    },
  })
  expect([reply.status, reply.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })])
  form = reply.body
})
beforeEach(() => sql`delete from caller_count`.execute(context.db))
afterAll(async () => {
  await context?.end()
  rmSync(folder, { recursive: true, force: true })
})

const SELF = { about: 'self', contact_by: ['phone'], contact_phone: '020 7946 0000' }
const OTHER = {
  about: 'other',
  referrer_name: 'Morwenna Tredinnick',
  referrer_relation: 'Social worker',
  consent: 'yes',
  contact_by: ['email'],
  contact_email: 'morwenna@example.org',
}
const ANSWERS = { complainant_is: 'the_patient', client_setting: 1 }
const body = (more: Values = {}) => ({
  service: SERVICE,
  ...SELF,
  first_name: 'Łukasz',
  last_name: 'Okonjo-Żak',
  reason: 'The hospital lost my notes',
  answers: ANSWERS,
  ...more,
})
let sentSoFar = 0
const send = (more: Values = {}, headers: Record<string, string> = {}, who = nobody) =>
  who('publicReferrals.create', {
    body: body(more),
    headers: { 'x-forwarded-for': `192.0.2.${++sentSoFar % 250}`, ...headers },
  })
async function sent(more: Values = {}): Promise<{ reference: string; secret: string; id: number }> {
  const reply = await send(more)
  expect([reply.status, reply.body]).toEqual([
    201,
    {
      reference: expect.stringMatching(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/),
      secret: expect.stringMatching(/^[\w-]{43}$/),
      mailed: false,
    },
  ])
  const { rows } = await sql<{
    id: number
  }>`select id from referral_requests where reference = ${reply.body.reference}`.execute(context.db)
  return { ...reply.body, id: rows[0].id }
}
const statusOf = (secret: string) => nobody('publicReferrals.status', { body: { secret } })
const answer = (secret: string, text: string) => nobody('publicReferrals.answer', { body: { secret, text } })
const read = async (id: number, who = east) => (await who('referrals.read', { params: { id } })).body
const setStatus = (who: Caller, id: number, values: Values) =>
  who('referrals.setStatus', { params: { id }, body: values })
const count = async (where = sql`true`) =>
  Number(
    (await sql<{ n: number }>`select count(*) as n from referral_requests where ${where}`.execute(context.db))
      .rows[0].n,
  )
const switchTo = (status: number) =>
  sql`update referral_forms set status = ${status} where id = ${form.id}`.execute(context.db)
const mails = () => outboxOf(folder)

/** Runs a callback with somebody who is not signed in at a second server on the same database. */
async function onSecondServer(
  settings: Record<string, string>,
  run: (there: Caller) => Promise<void>,
): Promise<void> {
  const { pools, databaseUrl, contract } = context
  const server = await createApp({
    ...pools,
    databaseUrl,
    contract,
    settings: readSettings({ LOG_LEVEL: 'silent', TRUST_PROXY: 'true', DATA_DIR: folder, ...settings }),
    web: resolve('dist/web'),
  })
  try {
    await run(await signIn(contract, await server.listen({ host: '127.0.0.1', port: 0 }), ''))
  } finally {
    await server.close()
  }
}

describe('the form', () => {
  const get = (service: unknown) => nobody('publicReferrals.form', { params: { service } })

  it('brings the marked fields and all of their choices, and nothing else of the case type', async () => {
    const { status, body: found } = await get(SERVICE)
    expect([status, found.service, found.choices.council_area[0]]).toEqual([
      200,
      SERVICE,
      { value: HERTFORDSHIRE, label: 'Hertfordshire County Council' },
    ])
    const [{ groups, council_areas }] = found.forms
    const fields = groups.flatMap((group: Values) => group.fields) as { name: string; attrs: Values }[]
    expect(council_areas).toEqual([])
    expect(fields.map(({ name }) => name)).toEqual([
      'is_urgent',
      'urgent_reason',
      'complainant_is',
      'patient_name',
      'patient_died',
      'patient_consent',
      'client_setting',
      'place_name',
      'place_postcode',
    ])
    const { attrs } = fields.find(({ name }) => name === 'client_setting')!
    expect(attrs).not.toHaveProperty('lookup')
    expect((attrs.options as Values[])[0]).toEqual({ value: 1, label: 'Own home - owner occupied' })
    // Of a list that the service narrows, only what this service has.
    const { body: all } = await admin.raw('/client_setting_lookup/')
    expect((attrs.options as Values[]).length).toBeLessThan(all.length)
  })

  it('of a service without one, of one switched off and of no service at all is refused in the same words', async () => {
    await switchTo(2)
    const replies = await Promise.all([SERVICE, 3, 999, '4;--', 99999999999].map(get))
    await switchTo(1)
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set([JSON.stringify([404, { code: 'noReferralForm', message: replies[0].body.message }])]),
    )
    await sql`update case_types set status = 2 where id = ${CASE_TYPE}`.execute(context.db)
    expect((await get(SERVICE)).status).toBe(404)
    await sql`update case_types set status = 1 where id = ${CASE_TYPE}`.execute(context.db)
    expect((await get(SERVICE)).status).toBe(200)
  })

  it('takes nothing once it is switched off', async () => {
    await switchTo(2)
    const before = await count()
    const reply = await send()
    await switchTo(1)
    expect([reply.status, reply.body.code, await count()]).toEqual([404, 'noReferralForm', before])
  })

  it('makes no lookup public', async () => {
    const { address } = context
    const statuses = await Promise.all(
      Object.values(context.contract.lookups).map(
        async ({ path }) => (await fetch(address + path, { headers: { accept: 'application/json' } })).status,
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([401]))
  })

  it('tells no other page its address', async () => {
    for (const path of ['/refer/4', '/referral-status']) {
      const { headers } = await fetch(context.address + path, { headers: { accept: 'text/html' } })
      expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer'])
    }
  })
})

describe('an administrator', () => {
  const update = (values: Values) => admin('referralForms.update', { params: { id: form.id }, body: values })

  it('reads the address to pass on', async () => {
    const { body: found } = await admin('referralForms.read', { params: { id: form.id } })
    expect(found).toMatchObject({ address: `${context.address}/refer/4`, hub_label: 'East' })
    const { body: list } = await admin('referralForms.list')
    expect(list.data).toEqual([expect.objectContaining({ address: `${context.address}/refer/4` })])
  })

  it('switches none on without a hub, or whose case type asks nothing, is retired or of another service', async () => {
    const add = (values: Values) =>
      admin('referralForms.create', { body: { service: 1, case_type: 1, hub: 1, status: 1, ...values } })
    const wrong: [Values, string][] = [
      [{}, 'case_type'],
      [{ case_type: CASE_TYPE }, 'case_type'],
      [{ hub: null }, 'hub'],
      [{ hub: 99 }, 'hub'],
      [{ case_type: null }, 'case_type'],
      [{ service: SERVICE, case_type: CASE_TYPE }, 'service'],
    ]
    for (const [values, field] of wrong) {
      const reply = await add(values)
      expect([values, reply.status, Object.keys(reply.body)]).toEqual([values, 400, [field]])
    }
    expect((await add({ status: 2 })).status).toBe(201)
    const [{ id }] = (await admin('referralForms.list')).body.data.filter((f: Values) => f.service === 1)
    const reply = await admin('referralForms.update', { params: { id }, body: { status: 1 } })
    expect(reply.body.case_type).toEqual([expect.stringMatching(/^It asks nothing yet/)])
    expect((await admin('referralForms.read', { params: { id } })).body.status).toBe(2)
  })

  it('keeps a case type from being retired while it is switched on', async () => {
    const retire = () => admin('caseTypes.retire', { params: { id: CASE_TYPE } })
    const refused = { status: [expect.stringMatching(/^The public referral form of .+ uses this case type/)] }
    expect(await retire()).toMatchObject({ status: 400, body: refused })
    const { body: before } = await admin('referralForms.read', { params: { id: form.id } })
    await sql`update referral_forms set case_type = 1,
      routes = jsonb_build_array(jsonb_build_object('council_area', 3, 'hub', 1, 'case_type', ${CASE_TYPE}::int))
      where id = ${form.id}`.execute(context.db)
    expect(await retire()).toMatchObject({ status: 400, body: refused })
    await switchTo(2)
    expect((await retire()).status).toBe(200)
    await admin('caseTypes.offer', { params: { id: CASE_TYPE } })
    await sql`update referral_forms set case_type = ${CASE_TYPE}, routes = ${JSON.stringify(before.routes)}::jsonb
      where id = ${form.id}`.execute(context.db)
    await switchTo(1)
  })

  it('sends no council area to two places', async () => {
    const route = { council_area: ESSEX, hub: 2 }
    const { status, body: errors } = await update({
      routes: [
        { row: 'a', ...route },
        { row: 'b', ...route },
      ],
    })
    expect([status, Object.keys(errors)]).toEqual([400, ['routes.1.council_area']])
    expect(Object.keys((await update({ routes: [{ row: 'a', council_area: 3 }] })).body)).toEqual([
      'routes.0.hub',
    ])
  })

  it('is the only one who does, and what they do is audited', async () => {
    for (const name of NINE.filter((one) => one !== 'admin')) {
      const who = await context.as(name)
      expect([name, (await who('referralForms.list')).status]).toEqual([name, 403])
      expect((await who('referralForms.update', { params: { id: form.id }, body: {} })).status).toBe(403)
    }
    await update({ intro: 'We help' })
    const { rows } = await sql<{ action: string; changes: Values }>`select action, changes from audit
      where entity = 'referralForm' and record = ${form.id} order by id`.execute(context.db)
    expect(rows).toEqual([
      { action: 'create', changes: null },
      { action: 'update', changes: { intro: { from: null, to: 'We help' } } },
    ])
  })
})

describe('a referral from outside', () => {
  it('goes to the hub of its council area, with what the person said', async () => {
    const { id } = await sent({ ...OTHER, council_area: ESSEX, phone: '020 7946 0999', dob: '1950-02-03' })
    expect(await read(id, west)).toMatchObject({
      channel: 'public',
      hub: 2,
      case_type: CASE_TYPE,
      council_area_label: 'Essex County Council',
      self_referral: false,
      person: { first_name: 'Łukasz', last_name: 'Okonjo-Żak', phone: '020 7946 0999', dob: '1950-02-03' },
      referrer: OTHER,
      answers: ANSWERS,
      reason: 'The hospital lost my notes',
      from_hub_label: 'Morwenna Tredinnick',
      status: NEW,
      is_received: true,
    })
    expect((await east('referrals.read', { params: { id } })).status).toBe(404)
    for (const area of [undefined, HERTFORDSHIRE])
      expect((await read((await sent({ council_area: area })).id)).hub).toBe(1)
  })

  it('of oneself is reached as the client is, and found by the filter', async () => {
    const { id } = await sent({ contact_by: ['phone', 'email'], contact_email: 'me@example.org' })
    expect(await read(id)).toMatchObject({
      self_referral: true,
      from_hub_label: 'Self-referral',
      person: { phone: '020 7946 0000', email: 'me@example.org' },
    })
    const list = async (query: Values) =>
      (await east('referrals.list', { query: { page_size: 100, ...query } })).body.data.map(
        (r: Values) => r.id,
      )
    const other = (await sent(OTHER)).id
    expect(await list({ self_referral: true })).toEqual(expect.arrayContaining([id]))
    expect(await list({ self_referral: true })).not.toContain(other)
    expect(await list({ channel: 'public' })).toEqual(expect.arrayContaining([id, other]))
    expect(await list({ channel: 'hub' })).toEqual([])
  })

  it('is refused by the field that is wrong, by the same rules as the wizard', async () => {
    const wrong: [Values, string][] = [
      [{ about: undefined }, 'about'],
      [{ about: 'a cat' }, 'about'],
      [{ first_name: ' ' }, 'first_name'],
      [{ reason: 'x'.repeat(4001) }, 'reason'],
      [{ dob: '2999-01-01' }, 'dob'],
      [{ dob: '0000-01-01' }, 'dob'],
      [{ contact_phone: 'no number' }, 'contact_phone'],
      [{ contact_by: ['email'] }, 'contact_email'],
      [{ contact_by: ['email'], contact_email: 'not an address' }, 'contact_email'],
      [{ ...OTHER, referrer_name: '' }, 'referrer_name'],
      [{ council_area: 999 }, 'council_area'],
      [{ answers: {} }, 'answers.complainant_is'],
      [{ answers: { ...ANSWERS, complainant_is: 'me' } }, 'answers.complainant_is'],
      [{ answers: { ...ANSWERS, client_setting: 99 } }, 'answers.client_setting'],
      [{ answers: { ...ANSWERS, is_urgent: 'yes' } }, 'answers.urgent_reason'],
      [{ answers: { complainant_is: 'other_representative', client_setting: 1 } }, 'answers.patient_name'],
      [{ answers: [] }, 'answers'],
    ]
    const before = await count()
    for (const [values, field] of wrong) {
      const { status, body: errors } = await send(values)
      expect([values, status, Object.keys(errors).includes(field)]).toEqual([values, 400, true])
    }
    expect(await count()).toBe(before)
  })

  it('takes no field that is not asked: unmarked, sensitive, of the server, or of another record', async () => {
    for (const [values, field] of [
      [{ answers: { ...ANSWERS, support_level: 'full_advocacy' } }, 'answers.support_level'],
      [{ answers: { ...ANSWERS, risk_summary: 'x' } }, 'answers.risk_summary'],
      [{ status: ACCEPTED }, 'status'],
      [{ hub: 2 }, 'hub'],
      [{ case: 1 }, 'case'],
      [{ nhs_number: '943 476 5919' }, 'nhs_number'],
    ] as [Values, string][]) {
      const { status, body: errors } = await send(values)
      expect([values, status, Object.keys(errors)]).toEqual([values, 400, [field]])
    }
    await sql`update case_types set case_meta = jsonb_set(case_meta, '{0,fields,7,attrs,sensitive}', 'true')
      where id = ${CASE_TYPE}`.execute(context.db)
    const { body: found } = await nobody('publicReferrals.form', { params: { service: SERVICE } })
    expect(JSON.stringify(found.forms)).not.toContain('"is_urgent","label"')
    expect((await send({ answers: { ...ANSWERS, is_urgent: 'no' } })).body).toHaveProperty(
      'answers.is_urgent',
    )
    await sql`update case_types set case_meta = case_meta #- '{0,fields,7,attrs,sensitive}' where id = ${CASE_TYPE}`.execute(
      context.db,
    )
  })

  it('is answered the same, whether or not the person is a client', async () => {
    await sql`insert into clients (first_name, last_name, dob) values ('Known', 'Person', '1950-02-03')`.execute(
      context.db,
    )
    const known = await send({ first_name: 'Known', last_name: 'Person', dob: '1950-02-03' })
    const unknown = await send({ first_name: 'Nobody', last_name: 'Knows', dob: '1950-02-03' })
    expect([known.status, Object.keys(known.body)]).toEqual([unknown.status, Object.keys(unknown.body)])
  })

  it('is stored once, however often it is sent, and at the same moment too', async () => {
    const before = await count()
    const key = { 'idempotency-key': 'a'.repeat(32) }
    const replies = await Promise.all([1, 2, 3].map(() => send({}, key)))
    replies.push(await send({}, key))
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect([replies[0].status, await count()]).toEqual([201, before + 1])
    const changed = await send({ reason: 'Something else' }, key)
    expect([changed.body.secret === replies[0].body.secret, await count()]).toEqual([false, before + 2])
  })

  it('leaves no secret in the database', async () => {
    const { secret } = await sent()
    const { rows } = await sql<{
      text: string
    }>`select (select string_agg(r::text, '') from referral_requests r) ||
      (select string_agg(r::text, '') from referral_links r) || coalesce((select string_agg(r::text, '') from idempotency r), '') ||
      coalesce((select string_agg(r::text, '') from audit r), '') as text`.execute(context.db)
    expect(rows[0].text).not.toContain(secret)
    expect(rows[0].text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
  })

  it('without an anti-forgery value is refused', async () => {
    const reply = await fetch(`${context.address}/api/public/referrals`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body()),
    })
    expect(reply.status).toBe(403)
  })
})

describe('spam', () => {
  it('gets the same reply, and is in no list, count or figure but its own', async () => {
    const before = (await east('referrals.notification')).body
    const { id, secret } = await sent({
      ...OTHER,
      contact_email: 'spam@example.org',
      website: 'https://spam.example',
    })
    expect(
      (await sql`select 1 from referral_requests where id = ${id} and status = ${SPAM}`.execute(context.db))
        .rows,
    ).toHaveLength(1)
    for (const who of [east, admin]) {
      const list = await who('referrals.list', { query: { page_size: 1000 } })
      expect(list.body.data.map((row: Values) => row.id)).not.toContain(id)
      expect((await who('referrals.read', { params: { id } })).status).toBe(404)
      expect((await setStatus(who, id, { status: NEW })).status).toBe(404)
    }
    expect((await east('referrals.notification')).body).toEqual(before)
    expect((await statusOf(secret)).body).toMatchObject({ status: NEW, may_answer: false })
    expect(mails().filter((mail) => mail.includes('spam@example.org'))).toEqual([])
    const listed = async (who: Caller) =>
      (await who('referrals.spam')).body.data.map((row: Values) => row.id).includes(id)
    expect([await listed(east), await listed(admin), await listed(west)]).toEqual([true, true, false])
  })

  it('is made a new referral by the hub that it was sent to, once', async () => {
    const { id, secret } = await sent({
      ...OTHER,
      contact_email: 'mine@example.org',
      website: 'https://mine.example',
    })
    const restore = (who: Caller) => who('referrals.notSpam', { params: { id } })
    const before = (await east('referrals.notification')).body.new_requests
    expect((await restore(west)).status).toBe(404)
    expect(await restore(east)).toMatchObject({ status: 200, body: { id, status: NEW } })
    expect((await restore(east)).status).toBe(404)
    expect((await east('referrals.notification')).body.new_requests).toBe(before + 1)
    expect((await read(id)).status).toBe(NEW)
    expect((await statusOf(secret)).status).toBe(200)
    await expect.poll(() => mails().filter((mail) => mail.includes('mine@example.org'))).toHaveLength(1)
  })
})

describe('a flood', () => {
  const HERE = { 'x-forwarded-for': '198.51.100.30' }

  it('with one mail address from one network ends after some in a day, in whatever case it is written', async () => {
    const from = (contact_email: string) => send({ ...OTHER, contact_email }, HERE)
    const replies = []
    for (let i = 0; i <= REFERRALS_PER_EMAIL; i++)
      replies.push(await from(i % 2 ? 'MANY@example.org' : 'many@example.org'))
    expect(replies.map(({ status }) => status)).toEqual([...Array(REFERRALS_PER_EMAIL).fill(201), 429])
    expect(replies.at(-1)!.body.message).toMatch(
      /^5 referrals were sent with this email address from your network today/,
    )
    expect((await from('else@example.org')).status).toBe(201)
    await sql`update caller_count set since = since - interval '1 day'`.execute(context.db)
    expect((await from('many@example.org')).status).toBe(201)
  })

  it('with the address of somebody else neither keeps them from referring nor fills their mailbox', async () => {
    const referral = { ...OTHER, contact_email: 'somebody@example.org' }
    for (let i = 0; i <= CONFIRMATIONS_PER_EMAIL; i++) expect((await send(referral)).status).toBe(201)
    await onSecondServer({ SMTP_URL: 'smtp://127.0.0.1:1' }, async (there) => {
      expect(await send(referral, {}, there)).toMatchObject({ status: 201, body: { mailed: false } })
    })
    // Mails leave in their order.
    await sent({ ...OTHER, contact_email: 'onemore@example.org' })
    const sentTo = (address: string) => mails().filter((mail) => mail.includes(address)).length
    await expect.poll(() => sentTo('onemore@example.org')).toBe(1)
    expect(sentTo('somebody@example.org')).toBe(CONFIRMATIONS_PER_EMAIL)
  })

  it('from one network ends, wherever in it the caller is; others go on', async () => {
    const from = (ip: string) => send({}, { 'x-forwarded-for': ip })
    expect((await from('2001:db8:1:2::1')).status).toBe(201)
    await sql`update caller_count set calls = ${REFERRALS_PER_ADDRESS} where name = 'referralsOfAddress'`.execute(
      context.db,
    )
    expect((await from('2001:db8:1:2::ffff')).body).toMatchObject({ code: 'tooManyRequests' })
    expect((await from('2001:db8:1:3::1')).status).toBe(201)
  })

  it('is counted over all servers, however it is spread at the same moment', async () => {
    const limit = (of: number) => [...Array(of).fill(201), ...Array(of).fill(429)]
    await onSecondServer({}, async (there) => {
      const atOnce = (sendOne: (who: Caller) => ReturnType<Caller>, of: number) =>
        Promise.all(Array.from({ length: of * 2 }, (_, i) => sendOne(i % 2 ? there : nobody)))
      const byMail = await atOnce((who) => send(OTHER, HERE, who), REFERRALS_PER_EMAIL)
      expect(byMail.map(({ status }) => status).sort()).toEqual(limit(REFERRALS_PER_EMAIL))
      const network = { 'x-forwarded-for': '198.51.100.20' }
      expect((await send({}, network)).status).toBe(201)
      await sql`update caller_count set calls = ${REFERRALS_PER_ADDRESS - 2} where name = 'referralsOfAddress'`.execute(
        context.db,
      )
      const byNetwork = await atOnce((who) => send({}, network, who), 2)
      expect(byNetwork.map(({ status }) => status).sort()).toEqual(limit(2))
    })
  })

  it('to one mailbox ends, whatever follows a plus in its address', async () => {
    const replies = []
    for (let i = 0; i <= REFERRALS_PER_EMAIL; i++)
      replies.push(await send({ ...OTHER, contact_email: `victim+${i}@example.org` }, HERE))
    expect(replies.map(({ status }) => status)).toEqual([...Array(REFERRALS_PER_EMAIL).fill(201), 429])
    expect((await send({ ...OTHER, contact_email: 'other+1@example.org' }, HERE)).status).toBe(201)
  })

  it('of calls within a minute is refused before anything is read, each network by itself', async () => {
    const { perMinute } = context.contract.endpoints['publicReferrals.status']
    const guess = (ip: string) =>
      nobody('publicReferrals.status', { body: { secret: 'x' }, headers: { 'x-forwarded-for': ip } })
    const statuses = []
    for (let i = 0; i <= perMinute!; i++) statuses.push((await guess('198.51.100.7')).status)
    expect(statuses).toEqual([...Array(perMinute).fill(404), 429])
    expect((await guess('198.51.100.8')).status).toBe(404)
  })

  it('keeps no address as it is', async () => {
    await send({ ...OTHER, contact_email: 'hashed@example.org' }, { 'x-forwarded-for': '198.51.100.9' })
    const { rows } = await sql<{
      text: string
    }>`select string_agg(c::text, '') as text from caller_count c`.execute(context.db)
    expect(rows[0].text).not.toMatch(/hashed@example|198\.51\.100/)
  })

  it('of large bodies is refused by their size', async () => {
    expect((await send({ reason: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

describe('the status page', () => {
  it('says how a referral stands, and neither name nor service', async () => {
    const { secret, reference } = await sent({ ...OTHER, dob: '1950-02-03', phone: '020 7946 0999' })
    const { status, body: found } = await statusOf(secret)
    expect([status, found]).toEqual([
      200,
      {
        reference,
        status: NEW,
        sent_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        decided_on: null,
        expires_on: null,
        decision_text: null,
        may_answer: false,
        messages: [],
      },
    ])
  })

  it('is the same for a wrong, an unknown, an empty and an expired secret', async () => {
    const { secret, id } = await sent()
    await setStatus(east, id, { status: REJECTED, reason: 1, text: 'Ask the council' })
    expect((await statusOf(secret)).body).toMatchObject({
      status: REJECTED,
      decision_text: 'Ask the council',
    })
    await sql`update referral_requests set decided_at = now() - interval '91 days' where id = ${id}`.execute(
      context.db,
    )
    const wrong = [secret, `${secret.slice(0, -1)}_`, 'x', secret.toUpperCase()]
    const replies = await Promise.all([...wrong.map(statusOf), ...wrong.map((one) => answer(one, 'Hello'))])
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set([
        JSON.stringify([404, { code: 'deadReferralLink', message: 'This link is not right, or is too old' }]),
      ]),
    )
  })

  it('asks our question; its answer puts the referral back to new, and is unread at the hub', async () => {
    const { secret, id } = await sent(OTHER)
    expect((await answer(secret, 'Hello?')).body.code).toBe('referralClosed')
    await setStatus(east, id, { status: MORE, text: 'Where does she live?' })
    expect((await statusOf(secret)).body).toMatchObject({
      status: MORE,
      may_answer: true,
      messages: [{ is_own: false, text: 'Where does she live?' }],
    })
    const unread = async () => (await east('referrals.notification')).body.new_messages
    const before = await unread()
    const replies = await Promise.all([1, 2].map(() => answer(secret, 'With me')))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect((await statusOf(secret)).body).toMatchObject({
      status: NEW,
      may_answer: false,
      messages: [
        { is_own: false, text: 'Where does she live?' },
        { is_own: true, text: 'With me' },
      ],
    })
    expect([(await read(id)).status, await unread()]).toEqual([NEW, before + 1])
    expect((await west('referrals.messagesOf', { params: { id } })).status).toBe(404)
    const { rows } = await sql`select staff, changes from audit
      where entity = 'referralRequest' and record = ${id} and changes ? 'status' order by id desc limit 1`.execute(
      context.db,
    )
    expect(rows).toEqual([{ staff: null, changes: { status: { from: MORE, to: NEW } } }])
  })

  it('shows what we answer there, and no note for us', async () => {
    const { secret, id } = await sent(OTHER)
    await setStatus(east, id, { status: MORE, text: 'Who has the key?' })
    await answer(secret, 'The sister')
    const { body: list } = await east('referrals.messagesOf', { params: { id } })
    const own = list.data.find((m: Values) => m.text === 'The sister')
    await east('referrals.comment', { params: { id: own.id }, body: { text: 'Ring her first' } })
    await east('referrals.answer', { params: { id: own.id }, body: { text: 'Thank you' } })
    const { messages } = (await statusOf(secret)).body
    expect(messages.map(({ text }: Values) => text)).toEqual(['Who has the key?', 'The sister', 'Thank you'])
    expect(
      (await east('referrals.markMessage', { params: { id: own.id }, body: { read: true } })).body.is_unread,
    ).toBe(false)
  })

  it('notes of an administrator on our question are read by the hub, and not there', async () => {
    const { secret, id } = await sent(OTHER)
    await setStatus(east, id, { status: MORE, text: 'Who has the key?' })
    const [{ id: question }] = (await east('referrals.messagesOf', { params: { id } })).body.data
    await admin('referrals.comment', { params: { id: question }, body: { text: 'Ring her first' } })
    const { body: notes } = await east('referrals.comments', { params: { id: question } })
    expect(notes.data).toMatchObject([{ text: 'Ring her first', hub_label: 'East' }])
    expect((await statusOf(secret)).body.messages).toHaveLength(1)
  })

  it('cannot be answered once it is decided', async () => {
    const { secret, id } = await sent()
    await setStatus(east, id, { status: MORE, text: 'Who?' })
    await setStatus(east, id, { status: REJECTED, reason: 1, text: 'No' })
    expect((await answer(secret, 'Me')).body.code).toBe('referralClosed')
  })
})

describe('mails', () => {
  const to = async (address: string, n: number) => {
    await expect.poll(() => mails().filter((mail) => mail.includes(address)).length).toBe(n)
    return mails().filter((mail) => mail.includes(address))
  }

  it('bring a link when it came, when we ask and when it is decided, under a neutral subject', async () => {
    const address = 'neutral@example.org'
    const { id, secret } = await sent({ ...OTHER, contact_email: address })
    await to(address, 1)
    await setStatus(east, id, { status: MORE, text: 'Where is Łukasz?' })
    await to(address, 2)
    await setStatus(east, id, { status: REJECTED, reason: 1, text: 'We do not help Łukasz' })
    const all = await to(address, 3)
    const links = all.map((mail) => mail.match(/\/referral-status#([\w-]{43})/)![1])
    for (const link of links) expect((await statusOf(link)).body.status).toBe(REJECTED)
    expect(new Set([...links, secret]).size).toBe(4)
    for (const mail of all) {
      expect(mail).toMatch(/^Subject: About what you sent us\r$/m)
      expect(mail).not.toMatch(/Łukasz|Okonjo|Morwenna|NHS|Complaints|hospital|referral (was|is)/i)
    }
  })

  it('go to nobody who gave no address', async () => {
    const before = mails().length
    const { id } = await sent()
    await setStatus(east, id, { status: REJECTED, reason: 1, text: 'No' })
    const { id: last } = await sent({ ...OTHER, contact_email: 'after@example.org' })
    await to('after@example.org', 1)
    expect([mails().length, last > id]).toEqual([before + 1, true])
  })

  it('are about nothing that was rolled back', async () => {
    const address = 'rollback@example.org'
    const { id } = await sent({ ...OTHER, contact_email: address })
    await to(address, 1)
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise ''refused''; end';
      create constraint trigger refuse after insert or update on referral_requests initially deferred
        for each row execute function refuse();
      create constraint trigger refuse after insert on referral_messages initially deferred
        for each row execute function refuse()`.execute(context.db)
    const message = await east('referrals.write', { params: { id }, body: { text: 'Hello' } })
    const decision = await setStatus(east, id, { status: REJECTED, reason: 1, text: 'No' })
    await sql`drop function refuse cascade`.execute(context.db)
    expect([message.status, decision.status]).toEqual([500, 500])
    // By the time of the next mail those of the calls before it would be there.
    await setStatus(east, id, { status: MORE, text: 'Who?' })
    await Promise.all(context.app.pendingWork)
    expect(await to(address, 2)).toMatchObject([{}, expect.stringContaining('There is a message for you')])
  })

  it('are promised where there is a mail server and an address only, to whom is taken for spam too', async () => {
    await onSecondServer({ SMTP_URL: 'smtp://127.0.0.1:1' }, async (there) => {
      const key = { 'idempotency-key': 'm'.repeat(32) }
      const replies = [
        await send(OTHER, key, there),
        await send(OTHER, key, there),
        await send({ ...OTHER, website: 'x' }, {}, there),
        await send({}, {}, there),
        await send(OTHER),
      ]
      expect(replies.map(({ body: reply }) => reply.mailed)).toEqual([true, true, true, false, false])
    })
  })
})

describe('in the inbox', () => {
  it('no role but the hub’s and the administrator’s reads it', async () => {
    const { id } = await sent({ council_area: ESSEX })
    for (const name of NINE) {
      const who = await context.as(name)
      const { status } = await who('referrals.read', { params: { id } })
      expect([name, status]).toEqual([
        name,
        name === 'admin' ? 200 : ['hub', 'hubmanager'].includes(name) ? 404 : 403,
      ])
    }
    expect((await west('referrals.read', { params: { id } })).status).toBe(200)
  })

  it('is accepted into the wizard with everything that came along', async () => {
    const { id, secret } = await sent({
      ...OTHER,
      council_area: HERTFORDSHIRE,
      postcode: 'AL8 6AA',
      comm_needs: [2],
    })
    const { body: draft } = await east('referrals.accept', { params: { id } })
    expect(draft.payload.document).toEqual({
      service: SERVICE,
      case_type: CASE_TYPE,
      client: { first_name: 'Łukasz', last_name: 'Okonjo-Żak', postcode: 'AL8 6AA', comm_needs: [2] },
      case: { answers: ANSWERS, council_area: HERTFORDSHIRE },
    })
    const made = await east('cases.create', {
      body: await newCase(east),
      headers: { 'x-draft': String(draft.id) },
    })
    expect(await read(id)).toMatchObject({ status: ACCEPTED, case: made.body.id })
    expect((await statusOf(secret)).body.status).toBe(ACCEPTED)
  })

  it('shows who may be the same person', async () => {
    const person = { first_name: 'Twice', last_name: 'Sent' }
    await sent(person)
    const { id } = await sent(person)
    const { body: likely } = await east('referrals.likely', { params: { id } })
    expect(likely).toEqual([expect.objectContaining({ label: expect.stringMatching(/^Also referred on/) })])
  })

  it('goes with the client that it became when that is purged', async () => {
    const { id, secret } = await sent(OTHER)
    await setStatus(east, id, { status: MORE, text: 'Who?' })
    const asked = (await east('referrals.messagesOf', { params: { id } })).body.data[0].id
    for (const [name, target] of Object.entries({ write: id, comment: asked, answer: asked }))
      await east(`referrals.${name}`, {
        params: { id: target },
        body: { text: 'About Łukasz, who must be forgotten' },
        headers: { 'idempotency-key': `forgotten-${name}` },
      })
    const made = (await east('cases.create', { body: await newCase(east) })).body
    expect((await setStatus(east, id, { status: ACCEPTED, case: made.id })).status).toBe(200)
    await east('cases.retire', { params: { id: made.id } })
    await east('issues.retire', { params: { id: made.issue } })
    await east('clients.retire', { params: { id: made.client } })
    expect((await admin('clients.purge', { params: { id: made.client } })).status).toBe(200)
    expect([await count(sql`id = ${id}`), (await statusOf(secret)).status]).toEqual([0, 404])
    const { rows } = await sql`select from audit where entity = 'referralRequest' and record = ${id}`.execute(
      context.db,
    )
    expect(rows).toEqual([])
    const replies = await sql`select from idempotency where reply::text like '%must be forgotten%'`.execute(
      context.db,
    )
    expect(replies.rows).toEqual([])
  })
})

it('what nobody decided, what was rejected and spam are forgotten after a year', async () => {
  const open = (await sent()).id
  const waiting = (await sent()).id
  await setStatus(east, waiting, { status: MORE, text: 'Who?' })
  const spam = (await sent({ website: 'x' })).id
  const rejected = (await sent()).id
  await setStatus(east, rejected, { status: REJECTED, reason: 1, text: 'No' })
  const all = [open, waiting, spam, rejected]
  const forget = async (days: number) => {
    await sql`update referral_requests set updated_at = now() - make_interval(days => ${days}),
      decided_at = case when decided_at is not null then now() - make_interval(days => ${days}) end
      where id = any(${all}::int[])`.execute(context.db)
    await JOBS['forget referrals']({ db: context.db, settings: readSettings({}) } as JobContext)
    return count(sql`id = any(${all}::int[])`)
  }
  expect([await forget(364), await forget(366)]).toEqual([4, 0])
  await sql`update caller_count set since = now() - interval '2 days'`.execute(context.db)
  await JOBS['forget strangers']({ db: context.db, settings: readSettings({}) } as JobContext)
  expect((await sql`select from caller_count`.execute(context.db)).rows).toEqual([])
})
