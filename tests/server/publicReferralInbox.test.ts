import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { today } from '../../src/server/core/today.ts'
import { JOBS } from '../../src/server/ops/jobs/jobs.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { newCase } from './newCase.ts'
import {
  ACCEPTED,
  ANSWERS,
  CASE_TYPE,
  createReferralForm,
  ESSEX,
  HERTFORDSHIRE,
  MORE,
  NINE,
  OTHER,
  publicReferrals,
  REJECTED,
  SERVICE,
} from './publicReferrals.ts'

let context: TestContext
let folder: string
let admin: Caller
/** Advisers of hub 1 and of hub 2. */
let east: Caller
let west: Caller
beforeAll(async () => {
  folder = temporaryFolder('public-')
  context = await startTestServer({ TRUST_PROXY: 'true', DATA_DIR: folder })
  await createReferralForm(context)
  admin = await context.as('admin')
  east = await context.as('hub')
  west = await context.as('west')
})
beforeEach(() => sql`delete from caller_count`.execute(context.db))
afterAll(async () => {
  await context?.end()
  rmSync(folder, { recursive: true, force: true })
})

const { sent, statusOf, read, setStatus, count } = publicReferrals(() => ({ context, folder }))

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
      case: {
        answers: {
          ...ANSWERS,
          date_received: today('Europe/London'),
          referrer: expect.objectContaining({ role: expect.any(String) }),
        },
        council_area: HERTFORDSHIRE,
      },
      issue: { start_date: today('Europe/London'), answers: { summary: 'The hospital lost my notes' } },
    })
    const made = await east('cases.create', {
      body: await newCase(east),
      headers: { 'x-draft': String(draft.id) },
    })
    expect(await read(id)).toMatchObject({ status: ACCEPTED, case: made.body.id })
    expect((await statusOf(secret)).body.status).toBe(ACCEPTED)
    // What the public form did not ask is not missing in what the referral became, and in nothing else.
    const notAsked = async (call: string, params: Values) => (await east(call, { params })).body.not_asked
    const { body: own } = await east('cases.read', { params: { id: made.body.id } })
    const groups: Group[] = own.case_type.case_meta
    const others = groups.flatMap(({ fields }) => fields.filter(({ attrs }) => !attrs?.referral))
    expect(own.not_asked.toSorted()).toEqual(others.map(({ name }) => name).toSorted())
    expect(await notAsked('issues.read', { id: made.body.issue })).toContain('summary')
    const { issue } = await newCase(east)
    const { body: added } = await east('cases.addIssue', {
      params: { id: made.body.id },
      body: issue as Values,
    })
    expect(await notAsked('issues.read', { id: added.id })).toBeNull()
    const before = (await east('cases.create', { body: await newCase(east) })).body
    const second = await sent({ council_area: HERTFORDSHIRE })
    expect((await setStatus(east, second.id, { status: ACCEPTED, case: before.id })).status).toBe(200)
    expect(await notAsked('cases.read', { id: before.id })).toBeNull()
  })

  it('shows who may be the same person', async () => {
    const person = { first_name: 'Twice', last_name: 'Sent' }
    const first = await sent(person)
    const { id } = await sent(person)
    const { body: likely } = await east('referrals.likely', { params: { id } })
    expect(likely).toEqual([
      expect.objectContaining({
        id: `referral-${first.id}`,
        label: expect.stringMatching(/^Also referred on/),
      }),
    ])
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
