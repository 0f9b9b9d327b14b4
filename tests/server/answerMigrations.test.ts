import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { forgetReplaced } from '../../src/server/features/caseTypes/forgetReplaced.ts'
import { reopenMigrations, workOnMigrations } from '../../src/server/features/caseTypes/workOnMigrations.ts'
import { revalidateRecords } from '../../src/server/records/validate/revalidateRecords.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
/** The published forms of the case type without ours. */
let caseMeta: Group[]
let issueMeta: Group[]
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  const { body } = await admin('caseTypes.read', { params: { id: 1 } })
  ;[caseMeta, issueMeta] = [body.case_meta, body.issue_meta]
})

type Parts = { case?: Field[]; issue?: Field[]; decided?: unknown[] }
const group = (fields: Field[] = []): Group[] => [{ name: 'ours', label: 'Ours', fields }]
const formsOf = ({ case: ofCase, issue }: Parts) => ({
  case_meta: [...caseMeta, ...group(ofCase)],
  issue_meta: [...issueMeta, ...group(issue)],
})
const versionNow = async () => (await admin('caseTypes.read', { params: { id: 1 } })).body.version as number
const tryOut = async (parts: Parts) =>
  (await admin('caseTypes.tryMigration', { params: { id: 1 }, body: formsOf(parts) })).body
const attempt = async ({ decided, ...parts }: Parts) =>
  admin('caseTypes.update', {
    params: { id: 1 },
    body: { version: await versionNow(), ...formsOf(parts), ...(decided && { decided }) },
  })
async function publish(parts: Parts): Promise<number> {
  const { status, body } = await attempt(parts)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.version
}
const undo = (version: number) => admin('caseTypes.undoMigration', { params: { id: 1 }, body: { version } })
const migrations = async () => (await admin('caseTypes.migrations', { params: { id: 1 } })).body
const work = () =>
  workOnMigrations({ db: context.db, log: { warn: () => undefined }, ending: new AbortController().signal })
const VALIDATION = { timeZone: 'Europe/London', bankHolidays: 'england-and-wales' }
/** Waits until the answers are moved and the records are validated again. */
const settled = () =>
  vi.waitFor(async () => {
    await work()
    await revalidateRecords({ db: context.db, ...VALIDATION, ending: new AbortController().signal })
    const { rows } = await sql<{ n: number }>`select
      (select count(*) from answer_migrations where state = 'moving')::int
        + (select count(*) from cases k join case_types t on t.id = k.case_type where k.counted_version < t.version)::int as n`.execute(
      context.db,
    )
    expect(rows[0].n).toBe(0)
  }, 20_000)

const record = async (id: number) => (await advocate('cases.read', { params: { id } })).body
const stored = async (id: number) =>
  (
    await sql<{
      answers: Values
      hidden_answers: Values
      case_type_version: number
      version: number
    }>`select answers,
      hidden_answers, case_type_version, version from cases where id = ${id}`.execute(context.db)
  ).rows[0]
const save = (id: number, answers: Values, more: Values = {}) =>
  advocate('cases.update', { params: { id }, body: { answers, ...more } })

const text = (name: string, label: string, attrs: Field['attrs'] = {}): Field => ({
  name,
  label,
  type: 'text',
  attrs,
})
const choice = (name: string, labels: string[], attrs: Field['attrs'] = {}): Field => ({
  name,
  label: name,
  type: 'select',
  attrs: {
    options: labels.map((label) => ({ value: label.toLowerCase().replaceAll(' ', '_'), label })),
    ...attrs,
  },
})
const OLD = text('self_neglect_5', 'Self-neglect')
const NEW = text('signs_of_self_neglect', 'Signs of self-neglect', { takes: { from: 'self_neglect_5' } })
const WITHOUT = text('signs_of_self_neglect', 'Signs of self-neglect')

let id: number
let version: number
/** Publishes a form with these fields, and answers them in a new case. */
async function begin(fields: Field[], answers: Values): Promise<void> {
  await settled()
  version = await publish({ case: fields })
  id = (await createCase(advocate)).id
  const { status, body } = await save(id, answers)
  if (status !== 200) throw new Error(JSON.stringify(body))
}
// A form without fields of ours, whose names each test takes anew.
beforeEach(async () => {
  await settled()
  await sql`delete from answer_migrations`.execute(context.db)
  await sql`update cases set answers = '{}', hidden_answers = '{}'`.execute(context.db)
  await sql`update issues set answers = '{}', hidden_answers = '{}'`.execute(context.db)
  await publish({})
})

describe('a renamed field', () => {
  beforeEach(() => begin([OLD], { self_neglect_5: 'Unopened post' }))

  it('is tried, published, read by its new name at once, moved, and undone', async () => {
    expect(await tryOut({ case: [NEW] })).toMatchObject({
      records: 1,
      answers: 1,
      same: 1,
      table: 0,
      look: 0,
      moves: [{ meta: 'case_meta', name: 'signs_of_self_neglect', from: 'self_neglect_5', same: 1 }],
      to_look_at: [],
    })
    const before = await stored(id)
    expect(before.answers.self_neglect_5).toBe('Unopened post')
    const published = await publish({ case: [NEW] })
    expect((await record(id)).answers.signs_of_self_neglect).toBe('Unopened post')
    await settled()
    const after = await stored(id)
    expect(after.answers).toMatchObject({ signs_of_self_neglect: 'Unopened post' })
    expect(after.answers).not.toHaveProperty('self_neglect_5')
    expect([after.case_type_version, after.version]).toEqual([published, before.version])
    const [migration] = await migrations()
    expect(migration).toMatchObject({
      version: published,
      state: 'moved',
      moved: 1,
      may_undo: true,
      open: [],
    })

    const undone = await undo(published)
    expect([undone.status, undone.body.version]).toEqual([200, published + 1])
    expect((await record(id)).answers.self_neglect_5).toBe('Unopened post')
    await settled()
    expect((await stored(id)).answers).toEqual({ ...before.answers, self_neglect_5: 'Unopened post' })
    expect((await undo(published)).status).toBe(409)
  })

  it('leaves nothing of itself in the published form', async () => {
    await publish({ case: [NEW] })
    const { body } = await admin('caseTypes.read', { params: { id: 1 } })
    expect(JSON.stringify(body.case_meta)).not.toContain('"takes"')
    const { body: last } = await admin('caseTypes.version', { params: { id: 1, version: body.version } })
    expect(JSON.stringify(last.case_meta)).not.toContain('"takes"')
  })

  it('takes what a page with the old form saves, also before the record is moved', async () => {
    const form = { case_type_version: version, version: (await stored(id)).version }
    await publish({ case: [NEW] })
    const { status, body } = await save(id, { self_neglect_5: 'Cold rooms' }, form)
    expect([status, body.answers.signs_of_self_neglect]).toEqual([200, 'Cold rooms'])
    expect(body.answers).not.toHaveProperty('self_neglect_5')
    await settled()
    const again = await save(id, { self_neglect_5: 'No heating' }, { case_type_version: version })
    expect(again.body.answers.signs_of_self_neglect).toBe('No heating')
    const cleared = await save(id, { self_neglect_5: null }, { case_type_version: version })
    expect(cleared.body.answers).not.toHaveProperty('signs_of_self_neglect')
  })

  it('is a conflict where a page with the old form and one with the new change it', async () => {
    const form = { case_type_version: version, version: (await stored(id)).version }
    await publish({ case: [NEW] })
    await settled()
    const other = await context.as('manager')
    const theirs = await other('cases.update', {
      params: { id },
      body: { answers: { signs_of_self_neglect: 'Theirs' } },
    })
    expect(theirs.status).toBe(200)
    const mine = await save(id, { self_neglect_5: 'Mine' }, form)
    expect([mine.status, Object.keys(mine.body.fields)]).toEqual([409, ['answers.signs_of_self_neglect']])
  })

  it('is a conflict with what the history has under its old name', async () => {
    const form = { case_type_version: version, version: (await stored(id)).version }
    const other = await context.as('manager')
    await other('cases.update', { params: { id }, body: { answers: { self_neglect_5: 'Theirs' } } })
    await publish({ case: [NEW] })
    const { status, body } = await save(id, { self_neglect_5: 'Mine' }, form)
    expect([status, body.fields]).toEqual([
      409,
      {
        'answers.signs_of_self_neglect': expect.objectContaining({
          base: 'Unopened post',
          mine: 'Mine',
          theirs: 'Theirs',
        }),
      },
    ])
  })

  it('creates a record with a page that has the old form', async () => {
    await publish({ case: [NEW] })
    const made = await createCase(advocate, 1, { case_type_version: version })
    expect((await stored(made.id)).case_type_version).toBe(version + 1)
  })

  it('brings a draft of a new case along that was begun with the old form', async () => {
    const document = { case_type: 1, case: { answers: { self_neglect_5: 'Draft' } }, issue: { answers: {} } }
    const metas = { caseType: { id: 1, version, fields: {} } }
    const draft = await advocate('drafts.create', { body: { kind: 'case', payload: { document, metas } } })
    await publish({ case: [NEW] })
    const { body } = await advocate('drafts.read', { params: { id: draft.body.id } })
    expect(body.payload.document).toEqual({
      ...document,
      case: { answers: { signs_of_self_neglect: 'Draft' } },
    })
  })

  it('takes a change of before back by its new name', async () => {
    await save(id, { self_neglect_5: 'Changed' })
    await publish({ case: [NEW] })
    await settled()
    const { body } = await admin('chronology.ofCase', { params: { id }, query: { page_size: 100 } })
    const entries = Object.values(body.data) as {
      id: number
      changes: { field: string; label: string; why_not?: string }[]
    }[]
    const entry = entries.find(({ changes }) =>
      changes?.some(({ field }) => field === 'answers.self_neglect_5'),
    )!
    expect(entry.changes[0]).toMatchObject({ label: 'Self-neglect' })
    expect(entry.changes[0]).not.toHaveProperty('why_not')
    const { status } = await admin('chronology.restore', {
      params: { id: entry.id },
      body: { field: 'answers.self_neglect_5' },
    })
    expect([status, (await record(id)).answers.signs_of_self_neglect]).toEqual([200, 'Unopened post'])
  })

  it('takes hidden answers along, with who hid them', async () => {
    const switchedOff = { ...OLD, attrs: { is_on: false } }
    await publish({ case: [switchedOff] })
    await settled()
    await vi.waitFor(async () => expect((await stored(id)).hidden_answers).toHaveProperty('self_neglect_5'))
    await publish({ case: [{ ...NEW, attrs: { ...NEW.attrs, is_on: false } }] })
    await settled()
    expect((await stored(id)).hidden_answers).toEqual({
      signs_of_self_neglect: { value: 'Unopened post', since: expect.any(String), version: version + 1 },
    })
  })

  it('keeps what was changed since, by an undo, and lists it', async () => {
    const other = (await createCase(advocate)).id
    await save(other, { self_neglect_5: 'Rubbish' })
    const published = await publish({ case: [NEW] })
    await settled()
    await save(id, { signs_of_self_neglect: 'Changed since' })
    await undo(published)
    await settled()
    expect((await stored(id)).answers.self_neglect_5).toBe('Changed since')
    expect((await stored(other)).answers.self_neglect_5).toBe('Rubbish')
    const [{ open, undoes }] = await migrations()
    expect([undoes, open]).toEqual([
      published,
      [
        {
          case: id,
          issue: null,
          client_name: expect.any(String),
          values: { signs_of_self_neglect: 'Changed since' },
        },
      ],
    ])
  })

  it('follows in saved views', async () => {
    const searched = { ...OLD, attrs: { report: true } }
    await publish({ case: [searched] })
    const view = await advocate('savedViews.create', {
      body: {
        name: 'Neglected',
        screen: 'search-cases',
        query: { answers: '1.case.self_neglect_5.contains.post' },
      },
    })
    expect(view.status).toBe(201)
    await publish({ case: [{ ...NEW, attrs: { ...NEW.attrs, report: true } }] })
    const { rows } = await sql<{
      query: Values
    }>`select query from saved_views where id = ${view.body.id}`.execute(context.db)
    expect(rows[0].query.answers).toBe('1.case.signs_of_self_neglect.contains.post')
    await settled()
    const found = await admin('search.cases', { body: { answers: String(rows[0].query.answers) } })
    expect(found.body.data).toEqual([expect.objectContaining({ id })])
  })

  it('is moved by another server where one was killed, and not twice', async () => {
    const ids = [id]
    for (let i = 0; i < 3; i++) {
      const made = (await createCase(advocate)).id
      await save(made, { self_neglect_5: `Case ${i}` })
      ids.push(made)
    }
    await publish({ case: [NEW] })
    await settled()
    // As a server leaves it that is killed after a batch: a lease, and some records moved.
    const [old, ...rest] = ids
    const published = await versionNow()
    await sql`update cases set answers = answers - 'signs_of_self_neglect' || '{"self_neglect_5": "Unopened post"}',
      case_type_version = ${published - 1} where id = ${old}`.execute(context.db)
    await sql`update answer_migrations set state = 'moving', worker = gen_random_uuid(),
      leased_until = now() + interval '1 hour' where version = ${published}`.execute(context.db)
    await work()
    expect((await stored(old)).answers).toHaveProperty('self_neglect_5')
    await sql`update answer_migrations set leased_until = now() - interval '1 second' where version = ${published}`.execute(
      context.db,
    )
    await Promise.all([work(), work()])
    expect((await stored(old)).answers.signs_of_self_neglect).toBe('Unopened post')
    for (const one of rest) expect((await stored(one)).case_type_version).toBe(published)
  })

  it('moves a record later that a call saved by the old form meanwhile', async () => {
    const published = await publish({ case: [NEW] })
    await settled()
    await sql`update cases set answers = answers - 'signs_of_self_neglect' || '{"self_neglect_5": "Late"}',
      case_type_version = ${published - 1} where id = ${id}`.execute(context.db)
    expect((await record(id)).answers.signs_of_self_neglect).toBe('Late')
    await reopenMigrations(context.db)
    await work()
    expect((await stored(id)).answers.signs_of_self_neglect).toBe('Late')
  })

  it('forgets what it replaced after 30 days, and can then no longer be undone', async () => {
    const published = await publish({ case: [NEW] })
    await settled()
    const replaced = async () => (await sql`select from replaced_answers`.execute(context.db)).rows.length
    await sql`update answer_migrations set at = now() - interval '29 days'`.execute(context.db)
    await forgetReplaced(context.db)
    expect(await replaced()).toBe(1)
    await sql`update answer_migrations set at = now() - interval '31 days'`.execute(context.db)
    await forgetReplaced(context.db)
    expect([await replaced(), (await undo(published)).status]).toEqual([0, 409])
  })
})

describe('a narrowed, merged or split field', () => {
  const CONTACT = text('preferred_contact', 'Preferred contact')
  const NARROWED = choice('contact_by', ['Telephone', 'E-mail'], {
    takes: { from: 'preferred_contact', values: [{ was: 'phone', is: 'telephone' }] },
  })

  it('takes words as they are and by the table, and lists what does not fit, which stays hidden', async () => {
    await begin([CONTACT], { preferred_contact: 'ask his daughter first' })
    const [byWords, byTable] = [(await createCase(advocate)).id, (await createCase(advocate)).id]
    await save(byWords, { preferred_contact: 'E-MAIL' })
    await save(byTable, { preferred_contact: 'Phone' })
    const tried = await tryOut({ case: [NARROWED] })
    expect(tried).toMatchObject({ records: 3, same: 1, table: 1, look: 1 })
    expect(tried.to_look_at).toEqual([
      expect.objectContaining({ entity: 'case', id, names: ['contact_by'], value: 'ask his daughter first' }),
    ])
    const published = await publish({ case: [NARROWED] })
    await settled()
    expect((await stored(byWords)).answers.contact_by).toBe('e-mail')
    expect((await stored(byTable)).answers.contact_by).toBe('telephone')
    const left = await stored(id)
    expect(left.answers).not.toHaveProperty('contact_by')
    expect(left.hidden_answers).toEqual({
      preferred_contact: { value: 'ask his daughter first', since: expect.any(String), version: published },
    })
    expect((await migrations())[0]).toMatchObject({ open_count: 1, open: [{ case: id }] })
    await undo(published)
    await settled()
    expect((await stored(id)).answers.preferred_contact).toBe('ask his daughter first')
    expect((await stored(byTable)).answers.preferred_contact).toBe('Phone')
    expect((await stored(id)).hidden_answers).toEqual({})
  })

  it('takes the value that somebody chose for one record', async () => {
    await begin([CONTACT], { preferred_contact: 'either' })
    const decided = [{ entity: 'case', id, name: 'contact_by', was: 'either', value: 'telephone' }]
    await publish({ case: [NARROWED], decided })
    await settled()
    expect((await stored(id)).answers.contact_by).toBe('telephone')
    expect((await migrations())[0].open_count).toBe(0)
  })

  it('evaluates an answer again that was changed since somebody chose its value', async () => {
    await begin([CONTACT], { preferred_contact: 'letter' })
    const decided = [{ entity: 'case', id, name: 'contact_by', was: 'either', value: 'telephone' }]
    await publish({ case: [NARROWED], decided })
    await settled()
    const { answers, hidden_answers } = await stored(id)
    expect([answers.contact_by, hidden_answers]).toEqual([
      undefined,
      { preferred_contact: expect.objectContaining({ value: 'letter' }) },
    ])
  })

  it('refuses a chosen value that is not an answer', async () => {
    await begin([CONTACT], { preferred_contact: 'either' })
    const decided = [{ entity: 'case', id, name: 'contact_by', was: 'either', value: 'pigeon' }]
    expect((await attempt({ case: [NARROWED], decided })).body).toEqual({
      'decided.0': ["is not an answer to 'contact_by'"],
    })
  })

  it('merges two choices into one, and refuses to drop one that is answered', async () => {
    const home = choice('kind_of_home', ['Council tenant', 'Housing association', 'Own home'])
    await begin([home], { kind_of_home: 'council_tenant' })
    const options = choice('kind_of_home', ['Social housing', 'Own home']).attrs!.options
    const merged = (values: { was: string; is: string }[]) => ({
      ...home,
      attrs: { options, takes: { from: 'kind_of_home', values } },
    })
    expect(
      (await attempt({ case: [merged([{ was: 'housing_association', is: 'social_housing' }])] })).status,
    ).toBe(400)
    const published = await publish({
      case: [
        merged([
          { was: 'council_tenant', is: 'social_housing' },
          { was: 'housing_association', is: 'social_housing' },
        ]),
      ],
    })
    await settled()
    expect((await stored(id)).answers.kind_of_home).toBe('social_housing')
    await undo(published)
    await settled()
    expect((await stored(id)).answers.kind_of_home).toBe('council_tenant')
  })

  it('splits one field into two by tables', async () => {
    await begin([choice('living', ['Alone council', 'Family own'])], { living: 'alone_council' })
    const lives = choice('lives_with', ['Alone', 'Family'], {
      takes: {
        from: 'living',
        values: [
          { was: 'alone_council', is: 'alone' },
          { was: 'family_own', is: 'family' },
        ],
      },
    })
    const tenure = choice('tenure', ['Council', 'Own'], {
      takes: { from: 'living', values: [{ was: 'alone_council', is: 'council' }] },
    })
    const published = await publish({ case: [lives, tenure] })
    await settled()
    expect((await stored(id)).answers).toMatchObject({ lives_with: 'alone', tenure: 'council' })
    await undo(published)
    await settled()
    const { answers } = await stored(id)
    expect(answers.living).toBe('alone_council')
    expect(answers).not.toHaveProperty('tenure')
  })

  it('follows through two publications that no server has moved yet', async () => {
    await begin([OLD], { self_neglect_5: 'Unopened post' })
    await publish({ case: [NEW] })
    const last = text('neglect', 'Neglect', { takes: { from: 'signs_of_self_neglect' } })
    await publish({ case: [last] })
    expect((await record(id)).answers.neglect).toBe('Unopened post')
    await settled()
    expect((await stored(id)).answers.neglect).toBe('Unopened post')
  })

  it('fires no events of automations and audits one publication', async () => {
    await begin([OLD], { self_neglect_5: 'Unopened post' })
    const audits = async () =>
      (await sql`select from audit where entity = 'case' and record = ${id}`.execute(context.db)).rows.length
    const before = await audits()
    await publish({ case: [NEW] })
    await settled()
    expect(await audits()).toBe(before)
    const { rows } = await sql`select from automation_changes where "case" = ${id} and fires`.execute(
      context.db,
    )
    expect(rows).toEqual([])
  })

  it('is refused where answers cannot be taken', async () => {
    await begin([OLD, WITHOUT], { self_neglect_5: 'Unopened post' })
    const refused = async (...fields: Field[]) => Object.values((await attempt({ case: fields })).body).flat()
    expect(await refused(OLD, NEW)).toEqual([
      expect.stringContaining('cannot be that of another published field'),
    ])
    expect(await refused(OLD, text('copy', 'Copy', { takes: { from: 'self_neglect_5' } }))).toEqual([
      expect.stringContaining('is still asked'),
    ])
    expect(await refused(text('other', 'Other', { takes: { from: 'nothing' } }), OLD)).toEqual([
      expect.stringContaining('which the published form does not have'),
    ])
  })
})
