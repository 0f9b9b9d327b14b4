import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KINDS, type Kind, lookupsOf, principal, REASONS } from '../../src/server/access/principals.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { change } from './accessHistory.ts'
import { addMixedPeople } from './accessPeople.ts'
import { readRecords, visibleByRules } from './accessRules.ts'
import { startTestServer, type TestContext } from './context.ts'
import { createCase } from './newCase.ts'

/** Records of each kind that are compared with what everybody can read. */
const RECORDS = FULL ? 30 : 5
const ENTITIES = ['client', 'case', 'issue'] as const
type Entity = (typeof ENTITIES)[number]
interface Viewer {
  id: number
  name: string
  reason: string
  words: string[]
  page: string | null
}

let context: TestContext
const viewers = async (username: string, entity: Entity, id: number, query = {}) =>
  (await context.as(username))(`${entity}s.viewers`, { params: { id }, query })
const why = async (username: string, entity: Entity, id: number) =>
  (await context.as(username))(`${entity}s.whyVisible`, { params: { id } })
const linesOf = ({ body }: { body: { data: Viewer[] } }) =>
  body.data.map(({ name, reason, words }) => `${reason}: ${name}: ${words.join('. ')}`)

/** The numbers of issues that a text names. */
function issuesIn(text: string): number[] {
  return [...text.matchAll(/\bissues? (\d[\d, ]*(?: and \d+\b(?! more))?)/g)].flatMap(([, list]) =>
    [...list.matchAll(/\d+/g)].map(([number]) => Number(number)),
  )
}

describe('of random records, where commissioners read those of their contracts', () => {
  let people: { id: number; username: string }[]
  beforeAll(async () => {
    context = await startTestServer({ COMMISSIONER_READS_RECORDS: '1' })
    people = await addMixedPeople(context.db)
    const random = seeded(41)
    for (let i = 0; i < 200; i++) await change(context.db, random)
  })
  afterAll(() => context?.end())

  it.each(ENTITIES)('everybody in the list of one %s can read it, and nobody else can', async (entity) => {
    const records = await readRecords(context.db)
    const ids = records[`${entity}s`].map(({ id }) => id)
    const some = ids.filter((_, i) => i % Math.ceil(ids.length / RECORDS) === 0)
    const reasons = new Set<string>()
    for (const id of some) {
      const { body } = await viewers('admin', entity, id, { page_size: 100 })
      const listed: Viewer[] = body.data
      for (const { reason } of listed) reasons.add(reason)
      expect(body.people).toBe(listed.length)
      const replies = await Promise.all(
        people.map(async (person) => {
          const caller = await context.as(person.username)
          const { status } = await caller(`${entity}s.read`, { params: { id } })
          return { ...person, status, own: await why(person.username, entity, id) }
        }),
      )
      for (const { id: person, username, status, own } of replies) {
        const expected = listed.some((one) => one.id === person) ? 200 : 404
        expect([id, username, status, own.status]).toEqual([id, username, expected, expected])
        if (expected === 404) continue
        const visible = visibleByRules(records, person, { readsContracts: true, readsReferred: true }).issue
        const labels = own.body.map(({ label }: { label: string }) => label)
        expect(labels.length).toBeGreaterThan(0)
        expect(issuesIn(labels.join('. ')).filter((issue) => !visible.includes(issue))).toEqual([])
      }
    }
    expect(some.length).toBeGreaterThan(RECORDS / 2)
    expect(reasons.size).toBeGreaterThan(3)
  })

  it('a commissioner reads one by its contract', async () => {
    const { rows } = await sql<{ id: number; label: string }>`select i.id, l.label from issues i
      join lookup l on l.kind = 'contracts' and l.value = i.contract where i.contract = 2 limit 1`.execute(
      context.db,
    )
    const [{ id, label }] = rows
    expect(linesOf(await viewers('admin', 'issue', id)).find((line) => line.startsWith('contract:'))).toBe(
      `contract: commissions-and-works: Reads the records of ${label}, the contract of this issue`,
    )
  })

  it('what managers read names no issue or case that they cannot see', async () => {
    const records = await readRecords(context.db)
    let hidden = 0
    for (const { id, username } of people.filter((one) => /manager|leads/.test(one.username))) {
      const visible = visibleByRules(records, id, { readsContracts: true, readsReferred: true })
      for (const client of visible.client.slice(0, 8)) {
        const text = JSON.stringify((await viewers(username, 'client', client)).body.data)
        expect(issuesIn(text).filter((issue) => !visible.issue.includes(issue))).toEqual([])
        const cases = [...text.matchAll(/\bcase (\d+)/g)].map(([, number]) => Number(number))
        expect(cases.filter((one) => !visible.case.includes(one))).toEqual([])
        if (text.includes('you cannot see')) hidden++
      }
    }
    expect(hidden).toBeGreaterThan(0)
  })
})

describe('who can see a record', () => {
  let own: { id: number; client: number; issue: number }
  let second: number
  let idOf: (username: string) => number
  beforeAll(async () => {
    context = await startTestServer()
    const { rows } = await sql<{ id: number; username: string }>`select id, username from staff`.execute(
      context.db,
    )
    idOf = (username) => rows.find((one) => one.username === username)!.id
    own = await createCase(await context.as('hub'))
    await sql`update issues set advocate = ${idOf('advocate')}, hub = null where id = ${own.issue}`.execute(
      context.db,
    )
    second = await addIssues(own.id, 1)
  })
  afterAll(() => context?.end())

  /** Adds issues of no advocate, of the same service, hub 1 and contract 1; returns the first. */
  async function addIssues(caseId: number, count: number, advocate: number | null = null): Promise<number> {
    const { rows } = await sql<{ id: number }>`insert into issues
        ("case", service, contract, hub, case_type_version, issue_type, start_date, advocate, created_by)
      select id, service, contract, 1, case_type_version, 1, '2026-01-01', ${advocate}::int, ${idOf('admin')}
      from cases, generate_series(1, ${count}) where id = ${caseId} returning id`.execute(context.db)
    return rows[0].id
  }

  it('is a list of people by their nearest reason, in words', async () => {
    const service = 'Independent Mental Capacity Advocacy (IMCA)'
    await sql`insert into lookup (kind, value, label) values ('hub', 1, 'Northern Hub') on conflict do nothing`.execute(
      context.db,
    )
    const unallocated = `Sees unallocated work of ${service}: issue ${second}`
    const reply = await viewers('admin', 'case', own.id)
    expect(linesOf(reply)).toEqual([
      `advocate: advocate Example: Advocate of issue ${own.issue}. ${unallocated}`,
      `manager: manager Example: Manages the team of advocate Example, advocate of issue ${own.issue}. ${unallocated}`,
      `unallocated: partner Example: ${unallocated}`,
      `unallocated: partnermanager Example: ${unallocated}`,
      `unallocated: volunteer Example: ${unallocated}`,
      `hub: hub Example: Works in Northern Hub, the hub of issue ${second}. Made this case and issue ${own.issue}`,
      `hub: hubmanager Example: Works in Northern Hub, the hub of issue ${second}`,
      `creator: admin Example: Made issue ${second}. Administrator`,
    ])
    expect(reply.body).toMatchObject({
      people: 8,
      groups: {
        advocate: 1,
        manager: 1,
        unallocated: 3,
        hub: 2,
        group: 0,
        contract: 0,
        creator: 1,
        administrator: 0,
      },
    })
  })

  it('says less about what the reader cannot see', async () => {
    const of = (body: { label: string }[]) => body.map(({ label }) => label)
    expect(of((await why('hubmanager', 'case', own.id)).body)).toEqual([
      `Works in Northern Hub, the hub of issue ${second}`,
    ])
    const reply = await viewers('hubmanager', 'case', own.id)
    expect(linesOf(reply)[0]).toMatch(/^advocate: advocate Example: Advocate of an issue you cannot see\. /)
    expect(new Set(linesOf(reply).flatMap(issuesIn))).toEqual(new Set([second]))
  })

  it('links people whose record the reader may open', async () => {
    const pages = async (username: string) =>
      (await viewers(username, 'case', own.id)).body.data.flatMap(({ page }: Viewer) => page ?? [])
    expect(await pages('hubmanager')).toEqual(
      ['hub', 'hubmanager'].map((username) => `/advocate/${idOf(username)}`),
    )
    expect(await pages('admin')).toHaveLength(8)
  })

  it('calls the record by what it is', async () => {
    const words = async (entity: Entity, id: number) =>
      (await why('hub', entity, id)).body.map(({ label }: { label: string }) => label)
    expect(await words('issue', own.issue)).toEqual(['Made this issue'])
    expect((await words('client', own.client)).at(-1)).toBe(
      `Made the record of the client, case ${own.id} and issue ${own.issue}`,
    )
  })

  it('is shown to administrators and managers only, of records that they see', async () => {
    const statuses = async (username: string) =>
      Promise.all(
        ENTITIES.map(async (entity) => {
          const id = { client: own.client, case: own.id, issue: own.issue }[entity]
          return (await viewers(username, entity, id)).status
        }),
      )
    expect(await statuses('admin')).toEqual([200, 200, 200])
    expect(await statuses('manager')).toEqual([200, 200, 200])
    expect(await statuses('hubmanager')).toEqual([200, 200, 404])
    expect(await statuses('partnermanager')).toEqual([200, 200, 404])
    for (const username of ['hub', 'advocate', 'volunteer', 'partner', 'commissioner', 'stranger'])
      expect([username, await statuses(username)]).toEqual([username, [403, 403, 403]])
    expect(
      await Promise.all(ENTITIES.map(async (entity) => (await why('stranger', entity, own.id)).status)),
    ).toEqual([404, 404, 404])
  })

  it('leaves out people who may not sign in, and grants that have ended', async () => {
    const { db } = context
    const listed = async () =>
      (await viewers('admin', 'case', own.id)).body.data.map(({ name }: Viewer) => name.split(' ')[0])
    const until = (time: string) =>
      sql`insert into case_access (principal, "case", until)
        values (${principal('advocate', idOf('stranger'))}, ${own.id}, now() + ${time}::interval)
        on conflict (principal, "case") do update set until = excluded.until`.execute(db)
    await until('-1 minute')
    expect(await listed()).not.toContain('stranger')
    await until('1 hour')
    expect(linesOf(await viewers('admin', 'case', own.id))).toContain(
      'advocate: stranger Example: Advocate of this case',
    )
    await until('-1 minute')
    await sql`update staff set status = 3 where username = 'volunteer'`.execute(db)
    expect(await listed()).not.toContain('volunteer')
    await sql`update staff set status = 1 where username = 'volunteer'`.execute(db)
  })

  it('has the members of a group while an automation notifies it, by each record that it is about', async () => {
    const { db } = context
    const attrs = { members: [idOf('stranger')], sees_record: true }
    await sql`insert into lookup (kind, value, label, attrs)
      values ('staff_groups', 9, 'Safeguarding leads', ${JSON.stringify(attrs)}::jsonb)`.execute(db)
    for (const [name, issue] of [
      ['of the issue', own.issue],
      ['again', own.issue],
      ['of the case', null],
    ])
      await sql`insert into automation_states (case_type, name, version, client, "case", issue, label, because, groups)
        select case_type, ${name}, 1, client, id, ${issue}::int, 'Concern', '', '{9}' from cases where id = ${own.id}`.execute(
        db,
      )
    const ids = { client: own.client, case: own.id, issue: own.issue }
    const records = {
      client: `case ${own.id} and issue ${own.issue}`,
      case: `this case and issue ${own.issue}`,
      issue: 'this issue',
    }
    for (const entity of ENTITIES) {
      const lines = linesOf(await viewers('admin', entity, ids[entity]))
      expect(lines.filter((line) => line.startsWith('group: '))).toEqual([
        `group: stranger Example: Member of Safeguarding leads, notified about ${records[entity]}`,
      ])
      const read = await (await context.as('stranger'))(`${entity}s.read`, { params: { id: ids[entity] } })
      expect([read.status, (await why('stranger', entity, ids[entity])).status]).toEqual([200, 200])
    }
    await sql`delete from automation_states`.execute(db)
    expect((await why('stranger', 'case', own.id)).status).toBe(404)
  })

  it('is a page of bounded words, however many people and issues there are', async () => {
    const { db } = context
    await sql`insert into staff (username, first_name, last_name, password_hash, groups, hub)
      select 'adviser' || n, 'Adviser', to_char(n, 'FM000'), '', '{3}', 1 from generate_series(1, 120) n`.execute(
      db,
    )
    const first = await addIssues(own.id, 8, idOf('volunteer'))
    const { body } = await viewers('manager', 'case', own.id)
    expect(body.data).toHaveLength(50)
    expect(body.pagination).toMatchObject({ count: 128, num_pages: 3, page_size: 50 })
    expect(body.groups.hub).toBe(122)
    const volunteer = body.data.find(({ name }: Viewer) => name === 'volunteer Example')
    const numbers = [0, 1, 2, 3, 4].map((i) => first + i).join(', ')
    expect(volunteer.words).toContain(`Advocate of issues ${numbers} and 3 more`)
    const last = await viewers('manager', 'case', own.id, { p: 3 })
    expect(last.body.data).toHaveLength(28)
    const found = await viewers('manager', 'case', own.id, { term: 'adviser 07' })
    expect(found.body.data.map(({ name }: Viewer) => name)).toEqual(
      Array.from({ length: 10 }, (_, i) => `Adviser 07${i}`),
    )
    expect(found.body.people).toBe(10)
  })
})

describe('the reasons', () => {
  it('are the headings of the list in their order, with labels of lookups', () => {
    const { options } = contract.entities.viewer.properties.reason
    expect(options!.map(({ value }) => value)).toEqual(REASONS)
    const lookups = Object.keys(KINDS).flatMap((kind) => lookupsOf(kind as Kind))
    expect(lookups.filter((lookup) => !(lookup in contract.lookups))).toEqual([])
  })
})
