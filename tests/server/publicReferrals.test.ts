import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  CONFIRMATIONS_PER_EMAIL,
  REFERRALS_PER_ADDRESS,
  REFERRALS_PER_EMAIL,
} from '../../src/contract/limits.ts'
import type { Values } from '../../src/contract/when.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import {
  CASE_TYPE,
  createReferralForm,
  HERTFORDSHIRE,
  MORE,
  NEW,
  OTHER,
  publicReferrals,
  REJECTED,
  SERVICE,
} from './publicReferrals.ts'

let context: TestContext
let folder: string
let nobody: Caller
let admin: Caller
/** Advisers of hub 1 and of hub 2. */
let east: Caller
let west: Caller
beforeAll(async () => {
  folder = temporaryFolder('public-')
  context = await startTestServer({ TRUST_PROXY: 'true', DATA_DIR: folder })
  await createReferralForm(context)
  nobody = await context.as()
  admin = await context.as('admin')
  east = await context.as('hub')
  west = await context.as('west')
})
beforeEach(() => sql`delete from caller_count`.execute(context.db))
afterAll(async () => {
  await context?.end()
  rmSync(folder, { recursive: true, force: true })
})

const { send, sent, statusOf, answer, read, setStatus, count, switchTo, mails, onSecondServer } =
  publicReferrals(() => ({ context, folder }))

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

  it('sends no referrer to other pages', async () => {
    for (const path of ['/refer/4', '/referral-status']) {
      const { headers } = await fetch(context.address + path, { headers: { accept: 'text/html' } })
      expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer'])
    }
  })
})

describe('a flood', () => {
  const HERE = { 'x-forwarded-for': '198.51.100.30' }

  it('with one email address from one network ends after some in a day, in capital or small letters', async () => {
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
        JSON.stringify([404, { code: 'deadReferralLink', message: 'This link is wrong, or has expired' }]),
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
    const { body: thread } = await east('referrals.conversation', { params: { id } })
    const hub = { sender_hub_label: 'East', role: expect.any(Number) }
    expect(thread.data).toMatchObject([
      { text: 'The hospital lost my notes', kind: 'Request', role: null },
      { text: 'Who has the key?', kind: 'Message', ...hub },
      { text: 'The sister', kind: 'Message', sender_name: 'The referrer', role: null },
      { text: 'Ring her first', kind: 'Note', ...hub },
      { text: 'Thank you', kind: 'Answer', message: own.id, ...hub },
    ])
    expect((await west('referrals.conversation', { params: { id } })).body.data ?? []).toEqual([])
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
