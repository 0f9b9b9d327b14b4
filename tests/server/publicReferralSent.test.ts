import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import {
  ACCEPTED,
  ANSWERS,
  body,
  CASE_TYPE,
  createReferralForm,
  ESSEX,
  HERTFORDSHIRE,
  MORE,
  NEW,
  OTHER,
  publicReferrals,
  REJECTED,
  SERVICE,
  SPAM,
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

const { send, sent, statusOf, read, setStatus, count, mails, onSecondServer } = publicReferrals(() => ({
  context,
  folder,
}))

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

describe('emails', () => {
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

  it('are sent for nothing that was rolled back', async () => {
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

  it('are promised only if there is a mail server and an address, also to a sender who is taken for spam', async () => {
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
