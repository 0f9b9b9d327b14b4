import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { JOBS } from '../../src/server/ops/jobs/jobs.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'
import { PDF, upload } from './upload.ts'

const [NEW, ACCEPTED, REJECTED, MORE] = [1, 2, 3, 4]
const context = describeServer()
let admin: Caller
/** Of the hub that refers. */
let asking: Caller
/** Two advisers and the manager of the hub that is asked. */
let asked: Caller
let colleague: Caller
let manager: Caller
/** Of a hub that has nothing to do with it. */
let stranger: Caller
let made: { id: number; client: number; issue: number }

async function addToHub(username: string, groups: number[], hub: number): Promise<Caller> {
  await sql`insert into staff (username, first_name, last_name, groups, hub, services, password_hash)
    select ${username}, initcap(${username}), 'Example', ${groups}, ${hub}, services, password_hash
    from staff where username = 'hub'`.execute(context.db)
  return context.as(username)
}

beforeAll(async () => {
  await sql`insert into lookup (kind, value, label) values ('hub', 1, 'East'), ('hub', 2, 'West'), ('hub', 3, 'North')
    on conflict do nothing`.execute(context.db)
  asking = await context.as('hub')
  admin = await context.as('admin')
  asked = await addToHub('west', [3], 2)
  colleague = await addToHub('westtwo', [3], 2)
  manager = await addToHub('westmanager', [7], 2)
  stranger = await addToHub('north', [7], 3)
  made = await createCase(asking, 1, {
    client: {
      first_name: 'Wilma',
      last_name: 'Okonjo',
      dob: '1950-02-03',
      phone: '01234 567890',
      notes: 'Deaf in one ear',
    },
  })
})

const body = (more: Values = {}) => ({
  case: made.id,
  hub: 2,
  case_type: 1,
  reason: 'She moved to your area',
  ...more,
})
async function refer(more: Values = {}): Promise<number> {
  const reply = await asking('referrals.create', { body: body(more) })
  expect([reply.status, reply.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })])
  return reply.body.id
}
const read = async (id: number, who = asked) => (await who('referrals.read', { params: { id } })).body
const setStatus = (who: Caller, id: number, sent: Values) =>
  who('referrals.setStatus', { params: { id }, body: sent })
const notice = async (who: Caller) => (await who('referrals.notification')).body
const ids = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id)

describe('a referral to another hub', () => {
  it('takes along name and birthday, and of the rest what was chosen', async () => {
    const chosen = { person: ['phone'], answers: { referral: ['date_received', 'referring_from'] } }
    const { person, answers, ...rest } = await read(await refer({ chosen }))
    expect(person).toEqual({
      first_name: 'Wilma',
      last_name: 'Okonjo',
      dob: '1950-02-03',
      phone: '01234 567890',
    })
    expect(Object.keys(answers).toSorted()).toEqual(['date_received', 'referring_from'])
    expect(rest).toMatchObject({
      status: NEW,
      person_name: 'Wilma Okonjo',
      from_hub_label: 'East',
      hub_label: 'West',
      from_case: made.id,
      is_received: true,
    })
  })

  it('offers what is answered, and no more', async () => {
    const { body: offer } = await asking('referrals.offerOfCase', { params: { id: made.id } })
    const values = (groups: { fields: { name: string; attrs: { options: { value: string }[] } }[] }[]) =>
      groups.flatMap(({ fields }) => fields.flatMap(({ attrs }) => attrs.options.map(({ value }) => value)))
    expect(values(offer.person)).toEqual(['phone', 'notes'])
    expect(offer.person[0].fields[0].attrs.options.map(({ label }: Values) => label)).toEqual([
      'Telephone: 01234 567890',
      'Notes: Deaf in one ear',
    ])
    const hubs = (await asking.raw('/hub_lookup/?not_own=true')).body.map(({ value }: Values) => value)
    expect([hubs.includes(1), hubs.includes(2)]).toEqual([false, true])
    const { body: stored } = await asking('cases.read', { params: { id: made.id } })
    for (const name of values(offer.answers)) expect(stored.answers).toHaveProperty(name)
    expect(values(offer.answers)).toContain('date_received')
  })

  it('keeps what was sent, whatever becomes of the record', async () => {
    const id = await refer({ chosen: { person: ['phone'] } })
    await asking('clients.update', { params: { id: made.client }, body: { phone: '09999 111111' } })
    expect((await read(id)).person.phone).toBe('01234 567890')
    await asking('clients.update', { params: { id: made.client }, body: { phone: '01234 567890' } })
  })

  it('names the answers that the other case type does not ask for', async () => {
    const reply = await asking('referrals.create', {
      body: body({ case_type: 4, chosen: { answers: { unbefriended: ['eligible', 'family_position'] } } }),
    })
    expect([reply.status, reply.body['chosen.answers.unbefriended']]).toEqual([
      400,
      [expect.stringMatching(/^Care Act advocacy does not ask for “.+”, “.+”: leave that out$/)],
    ])
  })

  it('says what is wrong by the field that it is about', async () => {
    for (const [more, field] of [
      [{ hub: 1 }, 'hub'],
      [{ hub: 99 }, 'hub'],
      [{ case_type: 999 }, 'case_type'],
      [{ reason: '' }, 'reason'],
      [{ case: null }, 'client'],
      [{ case: 999999 }, 'case'],
      [{ chosen: 'all' }, 'chosen'],
    ] as const) {
      const reply = await asking('referrals.create', { body: body(more) })
      expect([more, reply.status, Object.keys(reply.body)]).toEqual([more, 400, [field]])
    }
    // Case type 4 as if it were not published yet, and retired.
    const { rows } = await sql<{ version: number }>`select version from case_types where id = 4`.execute(
      context.db,
    )
    for (const [version, status] of [
      [0, 1],
      [rows[0].version, 2],
    ]) {
      await sql`update case_types set version = ${version}, status = ${status} where id = 4`.execute(
        context.db,
      )
      const reply = await asking('referrals.create', { body: body({ case_type: 4 }) })
      expect([reply.status, Object.keys(reply.body)]).toEqual([400, ['case_type']])
    }
    await sql`update case_types set version = ${rows[0].version}, status = 1 where id = 4`.execute(context.db)
    expect((await (await context.as('partner'))('referrals.create', { body: body() })).body).toHaveProperty(
      'case',
    )
  })

  it('is seen by both hubs, decided by one, and by nobody else', async () => {
    const id = await refer()
    expect(ids(await asked('referrals.list'))).toContain(id)
    expect(ids(await asking('referrals.list'))).not.toContain(id)
    expect(ids(await asking('referrals.sent'))).toContain(id)
    expect(ids(await asked('referrals.sent'))).not.toContain(id)
    expect((await read(id, asking)).is_received).toBe(false)
    expect((await setStatus(asking, id, { status: REJECTED, reason: 7, text: 'No' })).body).toHaveProperty(
      'status',
    )
    expect((await asking('referrals.accept', { params: { id } })).status).toBe(400)
    for (const call of [
      'referrals.read',
      'referrals.accept',
      'referrals.likely',
      'referrals.messagesOf',
      'referrals.take',
    ])
      expect([call, (await stranger(call, { params: { id } })).status]).toEqual([call, 404])
    expect((await setStatus(stranger, id, { status: REJECTED, reason: 7, text: 'No' })).status).toBe(404)
    expect(ids(await stranger('referrals.list'))).toEqual([])
    expect(ids(await admin('referrals.list'))).toContain(id)
  })

  it('lets the other hub read the client, and nothing else, until it is decided', async () => {
    const other = await createCase(asking, 1, { client: { first_name: 'Lena', last_name: 'Looked' } })
    const seen = async (who: Caller) => (await who('clients.read', { params: { id: other.client } })).status
    expect(await seen(asked)).toBe(404)
    const id = await refer({ case: other.id })
    expect([await seen(asked), await seen(manager), await seen(stranger)]).toEqual([200, 200, 404])
    const { body } = await asked('clients.read', { params: { id: other.client } })
    expect([body.open_cases, body.closed_cases, body.may_change]).toEqual([[], [], false])
    expect((await asking('clients.read', { params: { id: other.client } })).body.may_change).toBe(true)
    expect((await asked('cases.read', { params: { id: other.id } })).status).toBe(404)
    expect((await asked('issues.read', { params: { id: other.issue } })).status).toBe(404)
    const writes = [
      await asked('clients.update', { params: { id: other.client }, body: { phone: '01234 567891' } }),
      await asked('clients.retire', { params: { id: other.client } }),
    ]
    expect(writes.map(({ status }) => status)).toEqual([404, 404])
    const { body: reasons } = await asked('clients.whyVisible', { params: { id: other.client } })
    expect(reasons.map(({ label }: Values) => label)).toEqual([
      'Works in West, which the client was referred to',
    ])
    await setStatus(asked, id, { status: MORE, text: 'Who asks?' })
    expect(await seen(asked)).toBe(200)
    await setStatus(asked, id, { status: REJECTED, reason: 1, text: 'Not ours' })
    expect([await seen(asked), (await read(id)).client]).toEqual([404, null])
    expect((await read(id)).person).toMatchObject({ first_name: 'Lena', last_name: 'Looked' })
    await setStatus(manager, id, { status: NEW })
    expect(await seen(asked)).toBe(200)
  })

  it('is one thread for each hub, with its own notes and how it was decided', async () => {
    const id = await refer()
    const thread = async (who: Caller) =>
      (await who('referrals.conversation', { params: { id } })).body.data.map(
        ({ kind, text, sender_hub_label }: Values) => `${sender_hub_label} ${kind}: ${text}`,
      )
    await setStatus(asked, id, { status: MORE, text: 'Where does she live?' })
    for (const who of [asking, asked])
      await who('referrals.note', { params: { id }, body: { text: 'Ring the ward' } })
    const [{ id: question }] = (await asking('referrals.messagesOf', { params: { id } })).body.data
    await asking('referrals.answer', { params: { id: question }, body: { text: 'With her sister' } })
    await setStatus(asked, id, { status: REJECTED, reason: 1, text: 'Not ours' })
    const [{ label }] = (await asked.raw('/referral_rejection_lookup/?id=1')).body
    const shared = (hub: string) => [
      'East Request: She moved to your area',
      'West Message: Where does she live?',
      `${hub} Note: Ring the ward`,
      'East Answer: With her sister',
      `West Rejected: ${label}: Not ours`,
    ]
    expect([await thread(asking), await thread(asked)]).toEqual([shared('East'), shared('West')])
    expect((await stranger('referrals.note', { params: { id }, body: { text: 'I' } })).status).toBe(404)
    expect((await stranger('referrals.conversation', { params: { id } })).body.data ?? []).toEqual([])
  })

  it('is shown before it is sent as the other hub will see it, and not stored', async () => {
    const count = async () =>
      (await asked('referrals.list', { query: { page_size: 1 } })).body.pagination.count
    const before = await count()
    const sent = body({ chosen: { person: ['phone'], answers: { referral: ['date_received'] } } })
    const { body: preview } = await asking('referrals.preview', { body: sent })
    expect(preview).toMatchObject({
      person: { first_name: 'Wilma', phone: '01234 567890' },
      answers: { date_received: '2026-01-15' },
      reason: 'She moved to your area',
    })
    expect(await count()).toBe(before)
    expect((await asking('referrals.preview', { body: body({ reason: '' }) })).body).toHaveProperty('reason')
  })

  it('is listed with its client for people who see the client', async () => {
    const id = await refer()
    expect(ids(await asking('referrals.ofClient', { params: { id: made.client } }))).toContain(id)
    expect((await stranger('referrals.ofClient', { params: { id: made.client } })).status).toBe(404)
    const { body: story } = await asking('chronology.ofClient', {
      params: { id: made.client },
      query: { page_size: 100 },
    })
    expect(story.data).toContainEqual(expect.objectContaining({ title: 'Referral added', record: id }))
  })
})

describe('a status', () => {
  const reject = { status: REJECTED, reason: 1, text: 'Ask the hub of the north' }

  it('is changed only along the catalogue', async () => {
    const wrong: [Values, string][] = [
      [{ status: MORE }, 'text'],
      [{ status: REJECTED, text: 'No' }, 'reason'],
      [{ status: REJECTED, reason: 1 }, 'text'],
      [{ status: REJECTED, reason: 99, text: 'No' }, 'reason'],
      [{ status: ACCEPTED }, 'case'],
      [{ status: ACCEPTED, case: 999999 }, 'case'],
      [{ status: 9 }, 'status'],
      [{}, 'status'],
    ]
    const id = await refer()
    for (const [sent, field] of wrong) {
      const reply = await setStatus(asked, id, sent)
      expect([sent, reply.status, Object.keys(reply.body)]).toEqual([sent, 400, [field]])
    }
    expect((await read(id)).status).toBe(NEW)
    expect((await setStatus(asked, id, { status: NEW })).status).toBe(400)
    expect((await setStatus(manager, id, { status: NEW })).status).toBe(409)
  })

  it('of a rejected referral is sent to the referrer, and only a manager opens it again', async () => {
    const id = await refer()
    expect((await setStatus(asked, id, reject)).body).toMatchObject({
      status: REJECTED,
      decided_by_name: 'West Example',
    })
    expect(await read(id, asking)).toMatchObject({
      rejection_label: 'Outside our area',
      decision_text: reject.text,
    })
    expect((await setStatus(asked, id, { status: NEW })).body).toHaveProperty('status')
    expect((await setStatus(manager, id, { status: NEW })).body).toMatchObject({
      status: NEW,
      decided_at: null,
    })
  })

  it('is changed by an administrator, who has no hub', async () => {
    const id = await refer()
    expect((await setStatus(admin, id, reject)).body.status).toBe(REJECTED)
  })

  it('has a higher version after each change', async () => {
    const id = await refer()
    const version = async () => (await read(id)).version
    const versions = [await version()]
    await setStatus(asked, id, { status: MORE, text: 'Who asks?' })
    versions.push(await version())
    const [question] = (await asking('referrals.messagesOf', { params: { id } })).body.data
    await asking('referrals.answer', { params: { id: question.id }, body: { text: 'Her sister' } })
    versions.push(await version())
    await setStatus(asked, id, reject)
    versions.push(await version())
    expect(versions).toEqual([0, 1, 2, 3].map((n) => versions[0] + n))
  })

  it('is decided by one of two advisers; the other reads who and when', async () => {
    const id = await refer()
    const { version } = await read(id)
    const replies = await Promise.all(
      [asked, colleague].map((who) => setStatus(who, id, { ...reject, version })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const late = replies.find(({ status }) => status === 409)
    const again = await setStatus(colleague, id, reject)
    expect([late?.body.code, again.body.message]).toEqual([
      'conflict',
      expect.stringMatching(/^This referral was rejected by West\w* Example on \d+ [A-Z][a-z]+ \d{4}\. /),
    ])
  })

  it('waits for an answer of the referrer, and is new again with it', async () => {
    const before = await notice(asking)
    const id = await refer()
    expect((await setStatus(asked, id, { status: MORE, text: 'Where does she live?' })).status).toBe(200)
    expect((await notice(asking)).new_messages).toBe(before.new_messages + 1)
    const [question] = (await asking('referrals.messagesOf', { params: { id } })).body.data
    expect(question).toMatchObject({
      text: 'Where does she live?',
      from_hub_label: 'West',
      hub_label: 'East',
      unread_by_label: 'East',
    })
    await asking('referrals.comment', { params: { id: question.id }, body: { text: 'Ask her sister?' } })
    expect((await read(id)).status).toBe(MORE)
    await asking('referrals.answer', { params: { id: question.id }, body: { text: 'With her sister' } })
    expect((await read(id)).status).toBe(NEW)
    const { rows } =
      await sql`select changes from audit where entity = 'referralRequest' and record = ${id} and action = 'update'`.execute(
        context.db,
      )
    expect(rows).toEqual([{ changes: { status: { from: MORE, to: NEW } } }])
    expect((await notice(asking)).new_messages).toBe(before.new_messages)
    const comments = async (who: Caller) =>
      (await who('referrals.comments', { params: { id: question.id } })).body.data.map(
        ({ text }: Values) => text,
      )
    expect(await comments(asking)).toEqual(['Ask her sister?', 'With her sister'])
    expect(await comments(asked)).toEqual(['With her sister'])
    expect((await stranger('referrals.comments', { params: { id: question.id } })).status).toBe(404)
  })
})

describe('the bell', () => {
  it('counts what the lists show, and goes down with it', async () => {
    const count = async () => {
      const { body } = await asked('referrals.list', { query: { status: '1', page_size: 100 } })
      expect((await notice(asked)).new_requests).toBe(body.pagination.count)
      return body.pagination.count
    }
    const before = await count()
    const id = await refer()
    expect(await count()).toBe(before + 1)
    await setStatus(asked, id, { status: MORE, text: 'Who asks?' })
    expect(await count()).toBe(before)
  })

  it('counts a message until somebody of the hub has read it', async () => {
    const id = await refer()
    const before = (await notice(asked)).new_messages
    const { body: message } = await asking('referrals.write', {
      params: { id },
      body: { text: 'She has a new phone' },
    })
    const mark = (who: Caller, isRead: boolean) =>
      who('referrals.markMessage', { params: { id: message.id }, body: { read: isRead } })
    expect((await notice(asked)).new_messages).toBe(before + 1)
    await mark(asking, true)
    expect((await notice(asked)).new_messages).toBe(before + 1)
    await mark(colleague, true)
    expect((await notice(asked)).new_messages).toBe(before)
    await mark(colleague, false)
    expect((await notice(asked)).new_messages).toBe(before + 1)
    expect((await mark(stranger, true)).status).toBe(404)
  })
})

describe('accepting', () => {
  const accept = (who: Caller, id: number) => who('referrals.accept', { params: { id } })

  it('makes a draft of its case with the client and everything that came along; its case accepts the referral', async () => {
    const id = await refer({
      chosen: { person: ['phone', 'notes'], answers: { referral: ['date_received'] } },
    })
    const { body: draft } = await accept(asked, id)
    expect(draft).toMatchObject({ referral: id, link: `/accept-referral?draft=${draft.id}` })
    expect(draft.payload.document).toEqual({
      service: expect.any(Number),
      case_type: 1,
      client: made.client,
      case: {
        answers: {
          // What was sent comes before the day of the referral.
          date_received: '2026-01-15',
          referrer: expect.objectContaining({ organisation: 'East' }),
        },
      },
      issue: {
        start_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        answers: { summary: 'She moved to your area' },
      },
    })
    expect((await accept(asked, id)).body.id).toBe(draft.id)
    expect(await read(id)).toMatchObject({ status: NEW, taken_by_name: 'West Example' })
    expect((await accept(colleague, id)).body).toMatchObject({
      code: 'referralTaken',
      message: 'West Example has taken this referral',
    })

    const headers = { 'x-draft': String(draft.id) }
    const refused = await asked('cases.create', { body: { ...(await newCase(asked)), client: {} }, headers })
    expect([refused.status, (await read(id)).status]).toEqual([400, NEW])
    const created = await asked('cases.create', { body: await newCase(asked), headers })
    expect(await read(id)).toMatchObject({
      status: ACCEPTED,
      case: created.body.id,
      decided_by_name: 'West Example',
    })
  })

  it('begins with the day of the referral where none came along, and with the person where the client is retired', async () => {
    const other = await createCase(asking, 1, { client: { first_name: 'Rosa', last_name: 'Retired' } })
    const id = await refer({ case: other.id })
    await sql`update referral_requests set created_at = '2026-03-31 23:30+00' where id = ${id}`.execute(
      context.db,
    )
    await sql`update clients set status = 2 where id = ${other.client}`.execute(context.db)
    const { document } = (await accept(asked, id)).body.payload
    expect(document).toMatchObject({
      client: { first_name: 'Rosa', last_name: 'Retired' },
      case: { answers: { date_received: '2026-04-01' } },
    })
  })

  it('gives both hubs one person, each its own cases', async () => {
    const other = await createCase(asking, 1, { client: { first_name: 'Ines', last_name: 'Once' } })
    const id = await refer({ case: other.id })
    const { body: draft } = await accept(asked, id)
    const sent = { ...(await newCase(asked)), client: other.client }
    // Without the draft the client is only read, and cannot be given a case.
    expect((await asked('cases.create', { body: sent })).status).toBe(404)
    const { body: created } = await asked('cases.create', {
      body: sent,
      headers: { 'x-draft': String(draft.id) },
    })
    expect(created).toMatchObject({ client: other.client, client_name: 'Ines Once' })
    const casesOf = async (who: Caller) =>
      (await who('clients.read', { params: { id: other.client } })).body.open_cases.map(
        ({ id }: Values) => id,
      )
    expect([await casesOf(asking), await casesOf(asked)]).toEqual([[other.id], [created.id]])
    const { body: own } = await asked('cases.read', { params: { id: created.id } })
    expect(own.referral).toBe(id)
    expect(await read(id)).toMatchObject({ client: other.client, visible_case: created.id })
    expect(await read(id, asking)).toMatchObject({ client: other.client, visible_case: other.id })
  })

  it('stores no case where the referral was decided meanwhile, and keeps the draft', async () => {
    const id = await refer()
    const { body: draft } = await accept(asked, id)
    await setStatus(manager, id, { status: REJECTED, reason: 1, text: 'Ours no more' })
    await sql`update referral_requests set decided_at = '2026-03-31 23:30+00' where id = ${id}`.execute(
      context.db,
    )
    const count = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from cases`.execute(context.db)).rows[0].n
    const before = await count()
    const reply = await asked('cases.create', {
      body: await newCase(asked),
      headers: { 'x-draft': String(draft.id) },
    })
    expect([reply.status, reply.body.code, await count()]).toEqual([409, 'referralDecided', before])
    expect(reply.body.message).toContain(' on 1 April 2026. ')
    expect((await asked('drafts.read', { params: { id: draft.id } })).status).toBe(200)
  })

  it('is accepted by no draft of somebody who has left the hub since', async () => {
    const id = await refer()
    const { body: draft } = await accept(asked, id)
    const move = (hub: number) =>
      sql`update staff set hub = ${hub} where id = ${asked.id}`.execute(context.db)
    await move(3)
    const headers = { 'x-draft': String(draft.id) }
    const reply = await asked('cases.create', { body: await newCase(asked), headers })
    await move(2)
    expect([reply.status, reply.body.code, (await read(id)).status]).toEqual([409, 'referralTaken', NEW])
  })

  it('is accepted by a draft only while no colleague has taken it', async () => {
    const id = await refer()
    const { body: draft } = await accept(asked, id)
    const create = async () =>
      asked('cases.create', { body: await newCase(asked), headers: { 'x-draft': String(draft.id) } })
    await colleague('referrals.take', { params: { id } })
    const refused = await create()
    expect([refused.status, refused.body.code, (await read(id)).status]).toEqual([409, 'referralTaken', NEW])
    await colleague('referrals.release', { params: { id } })
    expect([(await create()).status, (await read(id)).status]).toEqual([201, ACCEPTED])
  })

  it('into a case that is there names it, and one that nobody sees is refused', async () => {
    const id = await refer()
    expect((await setStatus(asked, id, { status: ACCEPTED, case: made.id })).body).toHaveProperty('case')
    const own = await createCase(asked)
    expect((await setStatus(asked, id, { status: ACCEPTED, case: own.id })).body).toMatchObject({
      status: ACCEPTED,
      case: own.id,
    })
  })

  it('shows who may be the same person, and that somebody was referred before', async () => {
    await refer()
    const id = await refer()
    const labels = async (who: Caller) =>
      (await who('referrals.likely', { params: { id } })).body.map(({ label }: Values) => label)
    expect(await labels(asked)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Client \d+: Wilma Okonjo, born 3 February 1950 /),
        expect.stringMatching(/^Also referred on \d+ \w+ \d{4}$/),
      ]),
    )
    expect(await labels(admin)).toContain(
      `Client ${made.client}: Wilma Okonjo, born 3 February 1950 (same date of birth, same name)`,
    )
  })

  it('is taken and given back', async () => {
    const id = await refer()
    expect((await asked('referrals.take', { params: { id } })).body.taken_by_name).toBe('West Example')
    expect((await colleague('referrals.take', { params: { id } })).body.taken_by_name).toBe('Westtwo Example')
    expect((await colleague('referrals.release', { params: { id } })).body.taken_by).toBeNull()
    const update = (taken_by: number) => asked('referrals.update', { params: { id }, body: { taken_by } })
    expect((await update(colleague.id)).body.taken_by).toBe(colleague.id)
    expect((await update(asking.id)).body).toHaveProperty('taken_by')
    for (const taken_by of [{ toString: 1, valueOf: 1 }, [[{ toString: 1 }]], String(asking.id)]) {
      const { status, body } = await asked('referrals.update', { params: { id }, body: { taken_by } })
      expect([taken_by, status, Object.keys(body)]).toEqual([taken_by, 400, ['taken_by']])
    }
  })

  it('is given back by no manager of the hub that sent it, by the chronology either', async () => {
    const id = await refer()
    await asked('referrals.take', { params: { id } })
    const sender = await context.as('hubmanager')
    expect((await sender('referrals.release', { params: { id } })).status).toBe(400)
    const { body: story } = await sender('chronology.ofCase', { params: { id: made.id } })
    const entry = story.data.find(
      ({ entity, record, action }: Values) =>
        entity === 'referralRequest' && record === id && action === 'update',
    )
    const reply = await sender('chronology.restore', {
      params: { id: entry.id },
      body: { field: 'taken_by' },
    })
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden'])
    expect((await read(id)).taken_by).toBe(asked.id)
  })
})

describe('documents', () => {
  const LETTER = `${PDF} of the ward`
  let ticked: Values
  let other: Values
  beforeAll(async () => {
    ticked = await add('ward.pdf', LETTER)
    other = await add('rent.pdf')
  })

  async function add(name: string, content = PDF, issue = made.issue): Promise<Values> {
    const { status, body } = await upload(asking, `/issue/${issue}/file/`, name, content)
    expect(status).toBe(201)
    return body
  }
  const along = (...documents: Values[]) => ({
    chosen: { documents: documents.map((document) => String(document.id)) },
  })
  const opens = async (who: Caller, ...documents: Values[]) => {
    const seen = documents.map(async ({ file }) => {
      const replies = [
        await who('files.download', { params: { id: file } }),
        await who('files.read', { params: { id: file } }),
      ]
      const [first, ...rest] = replies.map(({ status }) => status === 200)
      expect(rest).toEqual([first])
      return first
    })
    return Promise.all(seen)
  }
  const filesOf = (request: Values) => ((request.documents ?? []) as Values[]).map(({ file }) => file)
  const documentsOf = async (who: Caller, issue: number) =>
    (await who('documents.ofIssue', { params: { id: issue } })).body.data as Values[]
  async function accepted(id: number) {
    const { body: draft } = await asked('referrals.accept', { params: { id } })
    const sent = { ...(await newCase(asked)), client: made.client }
    const { status, body } = await asked('cases.create', {
      body: sent,
      headers: { 'x-draft': String(draft.id) },
    })
    expect(status).toBe(201)
    return body as { id: number; issue: number }
  }

  it('are offered with the day they were added, and shown before they are sent', async () => {
    for (const [call, params] of [
      ['referrals.offerOfCase', { id: made.id }],
      ['referrals.offerOfClient', { id: made.client }],
    ] as const) {
      const { body: offer } = await asking(call, { params })
      const [{ fields }] = offer.documents
      expect(fields[0].attrs.options).toEqual([
        { value: String(other.id), label: expect.stringMatching(/^rent\.pdf, added \d+ \w+ \d{4}$/) },
        { value: String(ticked.id), label: expect.stringMatching(/^ward\.pdf, added /) },
      ])
    }
    const { body: preview } = await asking('referrals.preview', { body: body(along(ticked)) })
    expect(filesOf(preview)).toEqual([ticked.file])
    expect(await opens(asked, ticked)).toEqual([false])
  })

  it('are opened by the asked hub until it decides, those that went along and no others', async () => {
    const id = await refer(along(ticked))
    const unrelated = await refer()
    const all = [ticked, other]
    expect([filesOf(await read(id)), filesOf(await read(id, asking))]).toEqual([[ticked.file], [ticked.file]])
    expect(filesOf(await read(unrelated))).toEqual([])
    expect(await opens(asked, ...all)).toEqual([true, false])
    expect(await opens(manager, ...all)).toEqual([true, false])
    expect(await opens(stranger, ...all)).toEqual([false, false])
    // Of the asked hub, but without a role that deals with referrals.
    const advocate = await addToHub('westadvocate', [4], 2)
    await sql`update staff set services = '{}' where id = ${advocate.id}`.execute(context.db)
    expect(await opens(advocate, ...all)).toEqual([false, false])
    // The file, and not its issue, whose other documents and whose names they would see.
    expect((await asked('documents.ofIssue', { params: { id: made.issue } })).status).toBe(404)
    for (const reply of [
      await asked('documents.rename', { params: { id: ticked.id }, body: { name: 'mine.pdf' } }),
      await asked('documents.remove', { params: { id: ticked.id } }),
    ])
      expect(reply.status).toBe(404)
    const { rows } = await sql`select from audit
      where action = 'open' and entity = 'file' and record = ${ticked.file} and staff = ${asked.id}`.execute(
      context.db,
    )
    expect(rows.length).toBeGreaterThan(0)
    await setStatus(asked, id, { status: MORE, text: 'Who asks?' })
    expect(await opens(asked, ticked)).toEqual([true])
    await setStatus(asked, id, { status: REJECTED, reason: 1, text: 'Not ours' })
    expect([await opens(asked, ticked), filesOf(await read(id))]).toEqual([[false], []])
    await setStatus(manager, id, { status: NEW })
    expect(await opens(asked, ticked)).toEqual([true])
    await setStatus(asked, id, { status: REJECTED, reason: 1, text: 'Not ours' })
  })

  it('are those of the client or case, as the sender sees them', async () => {
    const elsewhere = await createCase(asking, 1, { client: { first_name: 'Nora', last_name: 'Nearby' } })
    const theirs = await add('theirs.pdf', PDF, elsewhere.issue)
    const cases: [string, Values][] = [
      ['of another client', along(theirs)],
      ['of nobody', { chosen: { documents: ['999999'] } }],
      ['no id', { chosen: { documents: ['1 or true'] } }],
    ]
    for (const [what, more] of cases)
      for (const call of ['referrals.create', 'referrals.preview']) {
        const reply = await asking(call, { body: body(more) })
        expect([what, reply.status, Object.keys(reply.body)]).toEqual([what, 400, ['chosen.documents']])
      }
    // Of the same client, but on a case that the sender does not see.
    const hidden = await createCase(admin, 1, { client: made.client })
    await sql`update issues set hub = 3 where id = ${hidden.issue}`.execute(context.db)
    const secret = (await upload(admin, `/issue/${hidden.issue}/file/`, 'secret.pdf', PDF)).body
    const reply = await asking('referrals.create', {
      body: body({ case: null, client: made.client, ...along(secret) }),
    })
    expect([reply.status, Object.keys(reply.body)]).toEqual([400, ['chosen.documents']])
    const { body: offer } = await asking('referrals.offerOfClient', { params: { id: made.client } })
    expect(JSON.stringify(offer.documents)).not.toContain('secret')
  })

  it('are at most 20, of 50 MB together', async () => {
    const large = await createCase(asking, 1, { client: { first_name: 'Lots', last_name: 'Of Paper' } })
    const documents: Values[] = []
    for (let i = 0; i < 21; i++) documents.push(await add(`page${i}.pdf`, PDF, large.issue))
    const send = (some: Values[]) =>
      asking('referrals.preview', { body: body({ case: large.id, ...along(...some) }) })
    expect((await send(documents.slice(0, 20))).status).toBe(200)
    expect((await send(documents)).body).toEqual({ 'chosen.documents': ['Choose at most 20 documents'] })
    await sql`update files set size = ${50 * 1024 * 1024} where id = ${documents[0].file}`.execute(context.db)
    expect((await send(documents.slice(0, 1))).status).toBe(200)
    expect((await send(documents.slice(0, 2))).body).toEqual({
      'chosen.documents': ['The documents must be 50 MB or smaller together'],
    })
  })

  it('are copied to the new case, whatever becomes of those that were sent', async () => {
    const sent = await add('discharge.pdf', LETTER)
    const id = await refer(along(sent))
    const created = await accepted(id)
    const [copy] = await documentsOf(asked, created.issue)
    expect(copy).toMatchObject({ name: 'discharge.pdf', size: LETTER.length })
    expect(copy.file).not.toBe(sent.file)
    expect([await opens(asked, copy, sent), await opens(asking, copy, sent)]).toEqual([
      [true, false],
      [false, true],
    ])
    expect(filesOf(await read(id))).toEqual([])
    await asking('documents.remove', { params: { id: sent.id } })
    expect((await asked('files.download', { params: { id: copy.file } })).body).toBe(LETTER)
    const { body: story } = await asked('chronology.ofCase', { params: { id: created.id } })
    expect(story.data).toContainEqual(expect.objectContaining({ title: 'Document added', record: copy.id }))
    const { body: own } = await asking('chronology.ofCase', {
      params: { id: made.id },
      query: { page_size: 100 },
    })
    expect(own.data).toContainEqual(
      expect.objectContaining({ title: 'Document sent along with a referral', record: sent.id }),
    )
  })

  it('are copied to an issue of a case that is there', async () => {
    const id = await refer(along(ticked))
    const own = await createCase(asked)
    await setStatus(asked, id, { status: ACCEPTED, case: own.id })
    expect((await documentsOf(asked, own.issue)).map(({ name }) => name)).toEqual(['ward.pdf'])
    expect((await documentsOf(asking, made.issue)).map(({ id }) => id)).toContain(ticked.id)
  })

  it('are hidden once they are entered in error, or moved to another client', async () => {
    const [wrong, moved] = [await add('wrong.pdf'), await add('moved.pdf')]
    const id = await refer(along(wrong, moved))
    expect(await opens(asked, wrong, moved)).toEqual([true, true])
    const entry = (document: Values) => ({ entity: 'issueDocument', id: document.id })
    await asking('entries.markError', { params: entry(wrong), body: { reason: 'Of somebody else' } })
    const elsewhere = await createCase(asking, 1, { client: { first_name: 'Nils', last_name: 'Elsewhere' } })
    const reply = await asking('entries.move', { params: entry(moved), body: { issue: elsewhere.issue } })
    expect(reply.status).toBe(200)
    expect([await opens(asked, wrong, moved), filesOf(await read(id))]).toEqual([[false, false], []])
    const created = await accepted(id)
    expect(await documentsOf(asked, created.issue)).toEqual([])
  })

  it('of a client who is purged are gone, but for the copies of who accepted', async () => {
    const gone = await createCase(asking, 1, { client: { first_name: 'Petra', last_name: 'Purged' } })
    const sent = await add('purged.pdf', LETTER, gone.issue)
    const [open, taken] = [
      await refer({ case: gone.id, ...along(sent) }),
      await refer({ case: gone.id, ...along(sent) }),
    ]
    const own = await createCase(asked)
    await setStatus(asked, taken, { status: ACCEPTED, case: own.id })
    await asking('cases.retire', { params: { id: gone.id } })
    await asking('issues.retire', { params: { id: gone.issue } })
    await asking('clients.retire', { params: { id: gone.client } })
    expect((await admin('clients.purge', { params: { id: gone.client } })).status).toBe(200)
    const { rows } = await sql`select from referral_documents where request = any(${[open, taken]})`.execute(
      context.db,
    )
    expect([rows, await opens(asked, sent)]).toEqual([[], [false]])
    const [copy] = await documentsOf(asked, own.issue)
    expect((await asked('files.download', { params: { id: copy.file } })).body).toBe(LETTER)
  })
})

it('every figure leads to as many referrals', async () => {
  const id = await refer()
  await setStatus(asked, id, { status: REJECTED, reason: 1, text: 'No' })
  const { body } = await asked('referrals.figures')
  const { start, end } = body.period
  expect(body.totals).toMatchObject({ received: expect.any(Number), rejected: expect.any(Number) })
  for (const row of body.data)
    for (const [name, status] of [
      ['received', ''],
      ['open', [NEW, MORE]],
      ['accepted', ACCEPTED],
      ['rejected', REJECTED],
    ] as const) {
      const search = [status].flat().map((one) => `&status=${one}`)
      const { body: list } = await asked.raw(
        `/api/referral/requests?service=${row.id}&start=${start}&end=${end}${search.join('')}`,
      )
      expect([name, list.pagination.count]).toEqual([name, row[name]])
    }
  expect(body.totals.received).toBe(
    body.data.reduce((sum: number, { received }: Values) => sum + Number(received), 0),
  )
  expect((await stranger('referrals.figures')).body.data).toEqual([])
})

describe('a purge', () => {
  it('leaves nothing of the client in a referral', async () => {
    const gone = await createCase(asking, 1, { client: { first_name: 'Gone', last_name: 'Soon' } })
    const id = await refer({ case: gone.id })
    await asking('cases.retire', { params: { id: gone.id } })
    await asking('issues.retire', { params: { id: gone.issue } })
    await asking('clients.retire', { params: { id: gone.client } })
    expect((await admin('clients.purge', { params: { id: gone.client } })).status).toBe(200)
    expect((await asked('referrals.read', { params: { id } })).status).toBe(404)
    const { rows } = await sql`select from audit where entity = 'referralRequest' and record = ${id}`.execute(
      context.db,
    )
    expect(rows).toEqual([])
  })
})

it('a rejected referral is forgotten after a year, with what was written about it', async () => {
  const [old, late, open] = [await refer(), await refer(), await refer()]
  for (const id of [old, late]) {
    await asking('referrals.write', { params: { id }, body: { text: 'Please' } })
    await setStatus(asked, id, { status: REJECTED, reason: 1, text: 'No' })
  }
  await sql`update referral_requests set decided_at = now() - interval '366 days' where id = ${old}`.execute(
    context.db,
  )
  await sql`update referral_requests set created_at = now() - interval '400 days' where id = ${open}`.execute(
    context.db,
  )
  await JOBS['forget referrals']({ db: context.db, settings: readSettings({}) } as JobContext)
  const { rows } = await sql<{
    id: number
  }>`select id from referral_requests where id = any(${[old, late, open]}) order by id`.execute(context.db)
  expect(rows.map(({ id }) => id)).toEqual([late, open])
  const { rows: messages } = await sql`select from referral_messages where request = ${old}`.execute(
    context.db,
  )
  expect(messages).toEqual([])
})
