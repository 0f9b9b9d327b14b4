import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { createCase, newCase } from './newCase.ts'
import { upload } from './upload.ts'

const TALK = { type: 1, commissioning_contract: 1, time_taken: 600 }
const CALL = { type: 1, time_taken: 600 }

let context: TestContext
let commissioner: Caller
let admin: Caller
/** A case that the commissioner made, and one of their contract that somebody else made. */
let own: { id: number; client: number; issue: number }
let foreign: { id: number; client: number; issue: number }
async function prepare(options: Record<string, string> = {}) {
  context = await startTestServer(options)
  commissioner = await context.as('commissioner')
  admin = await context.as('admin')
  own = await createCase(commissioner)
  const body = await newCase(admin)
  const made = await admin('cases.create', {
    body: { ...body, case: { ...(body.case as object), contract: 1 } },
  })
  foreign = made.body
}

const statusOf = async (name: string, id: number, body?: object, who = commissioner) =>
  (await who(name, { params: { id }, body })).status
const ids = (rows: object) => Object.values(rows).map(({ id }) => id as number)

describe('a commissioner', () => {
  beforeAll(() => prepare())
  afterAll(() => context?.end())

  it.each([
    ['cases.read', 'id', undefined],
    ['cases.update', 'id', { answers: { ward: 'Elm' } }],
    ['cases.issues', 'id', undefined],
    ['cases.saveMonitoring', 'id', { gender: 1 }],
    ['issues.read', 'issue', undefined],
    ['issues.update', 'issue', { start_date: '2026-02-03' }],
    ['issues.monitoring', 'issue', undefined],
    ['clients.read', 'client', undefined],
    ['clients.update', 'client', { known_as: 'Annie' }],
    ['actions.ofIssue', 'issue', undefined],
  ] as const)('%s: own records answer 200, foreign ones of their contract 404', async (name, key, body) => {
    expect([await statusOf(name, own[key], body), await statusOf(name, foreign[key], body)]).toEqual([
      200, 404,
    ])
  })

  it.each([
    ['actions.addToIssue', 'issue', CALL],
    ['actions.addToCase', 'id', CALL],
    ['clients.signposts', 'client', undefined],
  ] as const)('%s adds to own records only', async (name, key, body) => {
    expect([await statusOf(name, own[key], body), await statusOf(name, foreign[key], body)]).toEqual([
      body ? 201 : 200,
      404,
    ])
  })

  it('makes a case for a client of their own, not for a foreign one', async () => {
    const send = async (client: number) =>
      (await commissioner('cases.create', { body: await newCase(commissioner, 1, { client }) })).status
    expect([await send(own.client), await send(foreign.client)]).toEqual([201, 404])
  })

  it('writes activities, reads their own, and no others of their contract', async () => {
    const mine = (await commissioner('activities.create', { body: TALK })).body.id
    const others = (await admin('activities.create', { body: TALK })).body.id
    expect([
      await statusOf('activities.read', mine),
      await statusOf('activities.update', mine, { notes: 'Rang' }),
      await statusOf('activities.read', others),
      await statusOf('activities.update', others, { notes: 'Rang' }),
    ]).toEqual([200, 200, 404, 404])
  })

  it('keeps drafts, which nobody else reads', async () => {
    const { id } = (await commissioner('drafts.create', { body: { kind: 'case' } })).body
    expect([
      await statusOf('drafts.read', id),
      await statusOf('drafts.read', id, undefined, await context.as('advocate')),
    ]).toEqual([200, 404])
  })

  it('is listed their own records and issues only, and counts agree', async () => {
    const cases = (await commissioner('cases.list')).body
    expect(ids(cases.data)).toContain(own.id)
    expect(ids(cases.data)).not.toContain(foreign.id)
    const clients = (await commissioner('clients.list')).body
    expect(ids(clients.data)).toEqual([own.client])
    expect(clients.pagination.count).toBe(1)
    const issues = (await commissioner('issues.open')).body
    expect(ids(issues.data)).toContain(own.issue)
    expect(ids(issues.data)).not.toContain(foreign.issue)
  })

  it('sees nothing of what others do on their records', async () => {
    const added = await admin('actions.addToIssue', { params: { id: own.issue }, body: CALL })
    const mine = await commissioner('actions.addToIssue', { params: { id: own.issue }, body: CALL })
    expect(await statusOf('actions.read', added.body.id)).toBe(404)
    const { data } = (await commissioner('actions.ofIssue', { params: { id: own.issue } })).body
    expect(ids(data)).toContain(mine.body.id)
    expect(ids(data)).not.toContain(added.body.id)
    const story = (await commissioner('chronology.ofCase', { params: { id: own.id } })).body.data
    expect(new Set(story.map(({ staff }: { staff: number }) => staff))).toEqual(new Set([commissioner.id]))
  })

  it('gets no next step, last contact or count of tasks from the work of others', async () => {
    const work = { ...CALL, next_step: 'Ring the ward', next_due: '2027-01-31' }
    await admin('actions.addToIssue', { params: { id: own.issue }, body: work })
    const seen = [
      (await commissioner('issues.read', { params: { id: own.issue } })).body,
      (await commissioner('cases.read', { params: { id: own.id } })).body,
      ...Object.values((await commissioner('cases.issues', { params: { id: own.id } })).body.data),
      ...Object.values((await commissioner('cases.list')).body.data),
      ...Object.values((await commissioner('clients.cases', { params: { id: own.client } })).body.data),
    ]
    for (const row of seen) {
      const revealed = [
        row.next_task,
        row.next_step,
        row.next_due,
        row.last_contact,
        row.quiet_since,
        row.old_since,
      ]
      expect(revealed.filter((value) => value !== null && value !== undefined)).toEqual([])
    }
    const { body } = await commissioner('issues.missing', { params: { id: own.issue } })
    expect(JSON.stringify(body)).not.toContain('Next steps')
    for (const query of [{ order_by: 'last_contact' }, { no_contact_days: 10 }])
      expect((await commissioner('cases.list', { query })).status).toBe(400)
    expect((await admin('cases.list', { query: { no_contact_days: 10 } })).status).toBe(200)
  })

  it('gets in a conflict neither who changed an answer nor its earlier value', async () => {
    const params = { id: own.client }
    const { version } = (await commissioner('clients.read', { params })).body
    for (const notes of ['Said in confidence', 'Plain'])
      await admin('clients.update', { params, body: { notes } })
    const { status, body } = await commissioner('clients.update', {
      params,
      body: { version, notes: 'Mine' },
    })
    expect(status).toBe(409)
    expect(body.fields.notes).toMatchObject({
      base: null,
      mine: 'Mine',
      theirs: 'Plain',
      by: 'Somebody else',
    })
  })

  it('neither reads, renames nor deletes a document that somebody else added to their issue', async () => {
    const add = async (who: Caller) => (await upload(who, `/issue/${own.issue}/file/`, 'a.txt', 'words')).body
    const [theirs, mine] = [await add(admin), await add(commissioner)]
    const listed = (await commissioner('documents.ofIssue', { params: { id: own.issue } })).body.data
    expect(ids(listed)).toEqual([mine.id])
    expect([
      await statusOf('files.download', theirs.file),
      await statusOf('files.download', mine.file),
    ]).toEqual([404, 200])
    const renamed = { name: 'Renamed' }
    expect([
      await statusOf('documents.rename', theirs.id, renamed),
      await statusOf('documents.rename', mine.id, renamed),
    ]).toEqual([404, 200])
    expect([
      await statusOf('documents.remove', theirs.id),
      await statusOf('documents.remove', mine.id),
    ]).toEqual([404, 204])
  })

  it.each(['risks', 'communicationIssues'])(
    'neither reads, changes nor deletes %s that somebody else added to their client',
    async (calls) => {
      const params = { id: own.client }
      const add = async (who: Caller) =>
        (await who(`${calls}.create`, { params, body: { type: 1, details: 'Private' } })).body.id
      const [theirs, mine] = [await add(admin), await add(commissioner)]
      expect(ids((await commissioner(`${calls}.ofClient`, { params })).body.data)).toEqual([mine])
      expect([
        await statusOf(`${calls}.update`, theirs, { details: 'Changed' }),
        await statusOf(`${calls}.update`, mine, { details: 'Changed' }),
      ]).toEqual([404, 200])
      const alerts = (await commissioner('clients.alerts', { params })).body.data
      expect(alerts.map(({ details }: { details: string }) => details).sort()).toEqual(['Changed', null])
      expect([
        await statusOf(`${calls}.remove`, theirs),
        await statusOf(`${calls}.remove`, mine),
        await statusOf(`${calls}.remove`, theirs, undefined, admin),
      ]).toEqual([404, 204, 204])
    },
  )
})

describe('a commissioner who may read the records of their contracts', () => {
  beforeAll(() => prepare({ COMMISSIONER_READS_RECORDS: '1' }))
  afterAll(() => context?.end())

  it('reads and lists them, and changes none', async () => {
    expect([
      await statusOf('cases.read', foreign.id),
      await statusOf('issues.read', foreign.issue),
      await statusOf('clients.read', foreign.client),
    ]).toEqual([200, 200, 200])
    expect(ids((await commissioner('cases.list')).body.data)).toContain(foreign.id)
    expect([
      await statusOf('cases.update', foreign.id, { answers: { ward: 'Oak' } }),
      await statusOf('issues.retire', foreign.issue),
      await statusOf('clients.update', foreign.client, { known_as: 'Annie' }),
      await statusOf('actions.addToIssue', foreign.issue, CALL),
    ]).toEqual([404, 404, 404, 404])
    expect(await statusOf('cases.update', own.id, { answers: { ward: 'Oak' } })).toBe(200)
  })
})
