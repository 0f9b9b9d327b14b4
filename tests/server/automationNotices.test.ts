import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { evaluated } from './evaluated.ts'
import { eventsOf } from './eventsOf.ts'
import { createCase } from './newCase.ts'

const CONCERN = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
const RECORDED = 'A safeguarding concern was recorded'

const context = describeServer()
let advocate: Caller
let manager: Caller
let stranger: Caller
let commissioner: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
  manager = await context.as('manager')
  stranger = await context.as('stranger')
  commissioner = await context.as('commissioner')
  await receivers(stranger.id, commissioner.id)
})
beforeEach(async () => {
  for (const who of [advocate, manager, stranger, commissioner]) await who('workNotices.readAll')
})

/** Makes these people safeguarding leads, who get each notice without seeing the record. */
const receivers = (...members: number[]) => leads({ members, sees_record: false })
const leads = (attrs: object) =>
  sql`update lookup set attrs = attrs || ${JSON.stringify(attrs)}::jsonb where kind = 'staff_groups'`.execute(
    context.db,
  )

interface Notice {
  id: number
  kind: string
  title: string
  sentence: string
  page: string | null
}
const unread = async (who: Caller): Promise<Notice[]> =>
  (await who('workNotices.list', { query: { seen: 'Unread', page_size: 100 } })).body.data
const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })

/** A case of the advocate with a client whose name nobody else has. */
async function assignedCase() {
  const made = await createCase(advocate)
  await sql`update issues set advocate = ${advocate.id} where "case" = ${made.id}`.execute(context.db)
  const { first_name, last_name } = (await advocate('clients.read', on(made.client))).body
  return { ...made, name: `${first_name} ${last_name}`, secrets: [first_name, last_name] }
}
const record = (issue: number) => advocate('issues.update', on(issue, { answers: CONCERN }))

describe('a notice of an automation', () => {
  it('says what happened to whom, with the way there, to those who see the record', async () => {
    const { id, issue, name } = await assignedCase()
    await record(issue)
    expect(await unread(manager)).toMatchObject([
      {
        kind: 'automation',
        sentence: `${RECORDED}: ${name}, by advocate Example, urgent`,
        page: `/cases/${id}/issues/${issue}/details`,
      },
    ])
    expect((await manager('workNotices.counts')).body.automations).toBe(1)
  })

  it('says its label, the number of the record and whom to ask to others, and nothing else', async () => {
    const { id, issue, client } = await assignedCase()
    // A word that stands nowhere else.
    await sql`update clients set first_name = 'Zenobia', last_name = 'Quillfeather', version = version + 1 where id = ${client}`.execute(
      context.db,
    )
    await record(issue)
    for (const who of [stranger, commissioner]) {
      const [notice, ...others] = await unread(who)
      expect(others).toEqual([])
      const sentence = `Open safeguarding concern: issue ${issue}. Ask advocate Example`
      expect(notice).toMatchObject({
        sentence,
        title: `Open safeguarding concern: issue ${issue}`,
        page: null,
      })
      const replies = [
        await who('workNotices.list', { query: { page_size: 100 } }),
        await who('workNotices.list', { query: { sort_by: 'created_by_name' } }),
        await who('workNotices.readOfRecord', on(notice.id)),
        await who('workNotices.read', on(notice.id)),
      ]
      const sheet = await fetch(`${context.address}/api/staff/me/new_work?format=csv`, {
        headers: who.headers,
      })
      const text = JSON.stringify(replies.map(({ body }) => body)) + (await sheet.text())
      expect(text).not.toMatch(/Zenobia|Quillfeather|concern was recorded/)
      expect(text).not.toContain(`/cases/${id}`)
      expect([sheet.status, (await who('issues.read', on(issue))).status]).toEqual([200, 404])
    }
  })

  it('says all to those of a group that sees the record', async () => {
    await leads({ members: [stranger.id], sees_record: true })
    const { id, issue, name } = await assignedCase()
    await record(issue)
    await leads({ members: [stranger.id, commissioner.id], sees_record: false })
    const sentence = () => unread(stranger).then(([notice]) => notice.sentence)
    expect(await sentence()).toMatch(/^Open safeguarding concern: issue/)
    await leads({ sees_record: true })
    expect(await unread(stranger)).toMatchObject([
      {
        sentence: `${RECORDED}: ${name}, by advocate Example, urgent`,
        page: `/cases/${id}/issues/${issue}/details`,
      },
    ])
    await leads({ sees_record: false })
  })

  it('is read once its record is opened, with the other notices of the record', async () => {
    const { issue } = await assignedCase()
    await sql`update issues set advocate = null where id = ${issue}`.execute(context.db)
    await manager('issues.assign', on(issue, { advocate: advocate.id }))
    await receivers(advocate.id)
    await record(issue)
    await receivers(stranger.id, commissioner.id)
    expect((await unread(advocate)).map(({ kind }) => kind).sort()).toEqual(['automation', 'issue'])
    const { notice } = (await advocate('issues.read', on(issue))).body
    await advocate('workNotices.readOfRecord', on(notice))
    expect(await unread(advocate)).toEqual([])
    expect((await advocate('issues.read', on(issue))).body.notice).toBeNull()
    expect((await unread(manager)).length).toBe(1)
  })

  it('is dismissed alone', async () => {
    const { issue } = await assignedCase()
    await record(issue)
    const again = await assignedCase()
    await record(again.issue)
    const [newest, oldest] = await unread(manager)
    await manager('workNotices.read', on(newest.id))
    expect(await unread(manager)).toMatchObject([{ id: oldest.id }])
    expect((await stranger('workNotices.read', on(oldest.id))).status).toBe(404)
  })
})

it('reaches the open page of its receiver within two seconds, and of nobody else', async () => {
  const { issue } = await assignedCase()
  const stop = new AbortController()
  const versions = new Map<string, number[]>()
  const open = async (who: Caller, name: string) => {
    const reply = await fetch(`${context.address}/api/news/stream`, {
      headers: who.headers,
      signal: stop.signal,
    })
    const seen: number[] = []
    versions.set(name, seen)
    for await (const events of eventsOf(reply))
      seen.push(events.find(({ entity }) => entity === 'workNotice')!.version)
  }
  const streams = [open(manager, 'manager'), open(advocate, 'advocate')].map((one) =>
    one.catch(() => undefined),
  )
  await expect.poll(() => [...versions.values()].map((seen) => seen.length)).toEqual([1, 1])
  const since = Date.now()
  await record(issue)
  await expect.poll(() => new Set(versions.get('manager')).size).toBe(2)
  expect(Date.now() - since).toBeLessThan(2000)
  expect(new Set(versions.get('advocate')).size).toBe(1)
  stop.abort()
  await Promise.all(streams)
})

describe('an upload', () => {
  /** Records concerns as rows of an upload do, and evaluates them as servers do. */
  async function recordIn(batch: string | null, issues: number[]) {
    const answers = JSON.stringify(CONCERN)
    await sql`update issues set answers = answers || ${answers}::jsonb, version = version + 1 where id = any(${issues}::int[])`.execute(
      context.db,
    )
    await sql`update automation_changes set batch = ${batch}`.execute(context.db)
    await evaluated(context)
  }
  const made = async (count: number) => {
    const cases = []
    for (let i = 0; i < count; i++) cases.push(await assignedCase())
    return cases
  }

  it('sends one notice a receiver, with a count, in however many parts it is added', async () => {
    const cases = await made(4)
    const issues = cases.map(({ issue }) => issue)
    await recordIn('upload 9', issues.slice(0, 2))
    await recordIn('upload 9', issues.slice(2))
    expect(await unread(manager)).toMatchObject([{ sentence: `${RECORDED} (4), urgent` }])
    const [notice] = await unread(stranger)
    expect(notice).toMatchObject({ sentence: 'Open safeguarding concern (4)', page: null })
    // One that is hidden hides the text of all.
    await sql`update issues set advocate = ${stranger.id}, created_by = ${stranger.id} where id = ${issues[3]}`.execute(
      context.db,
    )
    expect(await unread(stranger)).toMatchObject([{ sentence: 'Open safeguarding concern (4)' }])
  })

  it('is separate from those of others, and from changes of their own', async () => {
    const [a, b, c, d] = (await made(4)).map(({ issue }) => issue)
    await recordIn('upload 10', [a, b])
    await recordIn('upload 11', [c])
    await recordIn(null, [d])
    expect((await unread(manager)).map(({ sentence }) => sentence.replace(/: .*/, ''))).toEqual([
      RECORDED,
      RECORDED,
      `${RECORDED} (2), urgent`,
    ])
  })
})
