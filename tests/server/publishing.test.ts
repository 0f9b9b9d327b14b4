import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { eventsOf } from './eventsOf.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
})

const params = { id: 1 }
const published = async () => (await admin('caseTypes.read', { params })).body
const kept = async (id = 1) => (await admin('caseTypes.draft', { params: { id } })).body
const saveDraft = (body: object, who = admin) => who('caseTypes.saveDraft', { params, body })

describe('the draft of a case type', () => {
  beforeEach(() => admin('caseTypes.deleteDraft', { params }))

  it('is saved for all administrators and does not change the published version', async () => {
    const { version, label, case_meta, issue_meta } = await published()
    expect((await kept()).rev).toBe(0)
    const changed = [...case_meta, { name: 'later', label: 'Later', fields: [] }]
    const { status, body } = await saveDraft({
      rev: 0,
      base_version: version,
      label,
      case_meta: changed,
      issue_meta,
    })
    const { rev } = body
    expect([status, Object.keys(body)]).toEqual([200, ['rev']])
    expect(await kept()).toMatchObject({ rev, version: rev, base_version: version, by: 'admin Example' })
    expect((await kept()).case_meta).toEqual(changed)
    expect((await published()).case_meta).toEqual(case_meta)
    const { data } = (await admin('caseTypes.list', { query: { page_size: 100 } })).body
    expect(data.filter((row: { has_draft: boolean }) => row.has_draft)).toHaveLength(1)
  })

  it('of two administrators, the slower one gets a conflict with the draft of the other', async () => {
    const { version, label, case_meta, issue_meta } = await published()
    const draft = { rev: 0, base_version: version, case_meta, issue_meta }
    await saveDraft({ ...draft, label })
    const again = await saveDraft({ ...draft, label: 'Second' })
    expect([again.status, again.body.code, again.body.by]).toEqual([409, 'conflict', 'admin Example'])
    const { rev } = again.body.current
    expect(again.body.current.label).toBe(label)
    expect((await saveDraft({ ...draft, rev, label: 'Second' })).body).toEqual({ rev: rev + 1 })
    expect((await saveDraft({ ...draft, rev, label: 'Third' })).status).toBe(409)
  })

  it.each([
    ['no forms', {}],
    ['forms of another shape', { case_meta: [{ name: 'x', script: 1 }], issue_meta: [] }],
    ['a list where a form is', { case_meta: 'x', issue_meta: [] }],
    ['an unknown key', { case_meta: [], issue_meta: [], owner: 1 }],
  ])('%s is refused by name', async (_, given) => {
    const { version } = await published()
    const { status, body } = await saveDraft({ rev: 0, base_version: version, label: 'x', ...given })
    expect(status).toBe(400)
    expect(Object.keys(body).join()).toMatch(/case_meta|owner/)
    expect((await kept()).rev).toBe(0)
  })

  it('may be unfinished, which publishing refuses', async () => {
    const { version, label } = await published()
    const unfinished = [
      {
        name: 'g',
        label: '',
        attrs: { when: { '': '' } },
        fields: [
          { name: 'a', label: '', type: 'select', attrs: { lookup: '', when: { b: [] } } },
          { name: 'b', label: ' ', type: 'select', attrs: { options: [{ value: 'x', label: '' }] } },
          { name: 'c', label: 'C', type: 'date', attrs: { rules: ['after:'], required_when: {} } },
        ],
      },
    ]
    const forms = { label, case_meta: unfinished, issue_meta: [] }
    const { status, body } = await saveDraft({ rev: 0, base_version: version, ...forms })
    expect([status, Object.keys(body)]).toEqual([200, ['rev']])
    expect((await kept()).case_meta).toEqual(unfinished)
    expect((await admin('caseTypes.update', { params, body: { version, ...forms } })).status).toBe(400)
  })

  it.each([
    ['a text that is too long', { label: 'x'.repeat(501) }],
    ['a name that nothing may have', { name: '__proto__' }],
    ['another kind of value', { label: 1 }],
    ['no list of fields', { fields: undefined }],
    ['a condition that is none', { attrs: { when: { a: { is: 1 } } } }],
  ])('with %s is refused in a sentence', async (_, wrong) => {
    const { version } = await published()
    const case_meta = [{ name: 'g', label: 'G', fields: [], ...wrong }]
    const { status, body } = await saveDraft({
      rev: 0,
      base_version: version,
      label: 'x',
      case_meta,
      issue_meta: [],
    })
    expect([status, body.message]).toEqual([400, 'The draft holds something that cannot be stored'])
  })

  it('that was discarded does not begin again with numbers that others hold', async () => {
    const { version, label, case_meta, issue_meta } = await published()
    const draft = { base_version: version, label, case_meta, issue_meta }
    const { rev } = (await saveDraft({ rev: 0, ...draft })).body
    await admin('caseTypes.deleteDraft', { params })
    expect(await kept()).toMatchObject({ rev: 0, version: rev + 1, by: 'admin Example' })
    expect((await saveDraft({ rev, ...draft })).status).toBe(409)
    expect((await saveDraft({ rev: 0, ...draft })).body).toEqual({ rev: rev + 2 })
    expect((await saveDraft({ rev, ...draft })).status).toBe(409)
  })

  it('of an older version is shown what was published and kept since, at once', async () => {
    const { version, label, case_meta, issue_meta } = await published()
    await admin('caseTypes.update', { params, body: { version, label: `${label} 3` } })
    await saveDraft({ rev: 0, base_version: version + 1, label: 'Newer', case_meta, issue_meta })
    for (const reply of [
      await saveDraft({ rev: 0, base_version: version, label: 'Older', case_meta, issue_meta }),
      await admin('caseTypes.update', { params, body: { version, label: 'Older' } }),
    ]) {
      expect([reply.status, reply.body.about, reply.body.by]).toEqual([409, undefined, 'admin Example'])
      expect(reply.body.current.version).toBe(version + 1)
      expect(reply.body.draft).toMatchObject({ label: 'Newer', base_version: version + 1 })
    }
  })

  it('goes with its publication, whose note stands in the history', async () => {
    const { version, label, case_meta, issue_meta } = await published()
    await saveDraft({ rev: 0, base_version: version, label: `${label} 2`, case_meta, issue_meta })
    await admin('caseTypes.update', {
      params,
      body: { version, label: `${label} 2`, note: 'Asked by the wards' },
    })
    expect(await kept()).toMatchObject({ rev: 0, by: 'admin Example' })
    const { body } = await admin('caseTypes.versions', { params })
    expect(body[0]).toMatchObject({ version: version + 1, note: 'Asked by the wards', by: 'admin Example' })
    const old = await admin('caseTypes.version', { params: { id: 1, version } })
    expect(old.body).toMatchObject({ version, label, case_meta })
    expect((await admin('caseTypes.version', { params: { id: 1, version: version + 2 } })).status).toBe(404)
  })
})

describe('a new case type', () => {
  it('copies another, and nobody is offered it before it is published', async () => {
    const from = await published()
    const { status, body } = await admin('caseTypes.begin', {
      body: { label: 'Second opinion', service: 2, copy_of: 1 },
    })
    expect([status, body.version]).toEqual([201, 0])
    expect(await kept(body.id)).toMatchObject({ rev: 1, base_version: 0, case_meta: from.case_meta })
    const offered = async () => {
      const { body: items } = await (await context.as('advocate')).raw('/case_type_lookup/')
      return items.some((item: { value: number }) => item.value === body.id)
    }
    expect(await offered()).toBe(false)
    const { case_meta, issue_meta } = await kept(body.id)
    const done = await admin('caseTypes.update', {
      params: { id: body.id },
      body: { version: 0, case_meta, issue_meta },
    })
    expect([done.status, done.body.version]).toEqual([200, 1])
    expect(await offered()).toBe(true)
  })

  it('may be published empty, once', async () => {
    const { body } = await admin('caseTypes.begin', { body: { label: 'Bare', service: 1 } })
    const done = await admin('caseTypes.update', { params: { id: body.id }, body: { version: 0 } })
    expect(done.body.version).toBe(1)
  })

  it.each([
    ['without a name', { service: 1 }, 'label'],
    ['for no service', { label: 'X', service: 999 }, 'service'],
    ['copied from nothing', { label: 'X', service: 1, copy_of: 999 }, 'copy_of'],
  ])('%s is refused', async (_, body, field) => {
    const reply = await admin('caseTypes.begin', { body })
    expect([reply.status, Object.keys(reply.body)]).toEqual([400, [field]])
  })
})

describe('version events', () => {
  it('reach an open page within two seconds of a publication', async () => {
    const { key } = await context.as('advocate')
    const stop = new AbortController()
    const reply = await fetch(`${context.address}/api/news/stream`, {
      headers: { authorization: `Token ${key}` },
      signal: stop.signal,
    })
    expect(reply.headers.get('content-type')).toContain('text/event-stream')
    const heard = eventsOf(reply)
    const before = (await heard.next()).value!
    const { version, label } = await published()
    expect(before).toContainEqual({ entity: 'caseType', id: 1, version })
    const since = Date.now()
    await admin('caseTypes.update', { params, body: { version, label: `${label}!` } })
    expect((await heard.next()).value).toContainEqual({ entity: 'caseType', id: 1, version: version + 1 })
    expect(Date.now() - since).toBeLessThan(2000)
    stop.abort()
  })

  it('report that stored records were revalidated, once they are', async () => {
    await createCase(await context.as('advocate'))
    const count = async () => {
      const { body } = await admin('versionEvents.read')
      return body.find(({ entity }: { entity: string }) => entity === 'invalidRow').version
    }
    const before = await count()
    const { version, label } = await published()
    await admin('caseTypes.update', { params, body: { version, label: `${label}?` } })
    await vi.waitFor(async () => expect(await count()).toBe(before + 1))
  })

  it('can be polled, without keeping the session alive', async () => {
    const advocate = await context.as('volunteer')
    await sql`update session set seen_at = now() - interval '5 minutes' where staff = ${advocate.id}`.execute(
      context.db,
    )
    const { status, body } = await advocate('versionEvents.read')
    expect([status, body[0].entity, body[1].entity, body.at(-1).entity]).toEqual([
      200,
      'page',
      'caseType',
      'workNotice',
    ])
    await advocate('versionEvents.stream')
    const idle = () =>
      sql<{
        s: number
      }>`select extract(epoch from now() - seen_at)::float as s from session where staff = ${advocate.id}`
        .execute(context.db)
        .then(({ rows }) => rows[0].s)
    expect(await idle()).toBeGreaterThan(290)
    await advocate('auth.me')
    // A reply does not wait for the note that its session is in use.
    await vi.waitFor(async () => expect(await idle()).toBeLessThan(60))
  })
})
