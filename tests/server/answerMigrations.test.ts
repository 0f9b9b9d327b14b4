import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Draft } from '../../src/constructor/state/caseType.ts'
import { mergeChoice, renameField } from '../../src/constructor/state/takeAnswers.ts'
import type { Field, Group, TakenValue } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { forgetReplaced } from '../../src/server/features/caseTypes/forgetReplaced.ts'
import { plannedMigration } from '../../src/server/features/caseTypes/planMigration.ts'
import { reopenMigrations, workOnMigrations } from '../../src/server/features/caseTypes/workOnMigrations.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { revalidateRecords } from '../../src/server/records/validate/revalidateRecords.ts'
import { itInFull } from '../full.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase, requiredAnswers } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
/** The published forms of the case type without ours. */
let caseMeta: Group[]
let issueMeta: Group[]
/** What it had besides. */
let shipped: Values
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  const { body } = await admin('caseTypes.read', { params: { id: 1 } })
  ;[caseMeta, issueMeta] = [body.case_meta, body.issue_meta]
  const { tests, automations, deadlines } = body
  shipped = { tests, automations, deadlines }
})

type Parts = { case?: Field[]; issue?: Field[]; decided?: unknown[]; besides?: Values }
const group = (fields: Field[] = []): Group[] => [{ name: 'ours', label: 'Ours', fields }]
const formsOf = ({ case: ofCase, issue }: Parts) => ({
  case_meta: [...caseMeta, ...group(ofCase)],
  issue_meta: [...issueMeta, ...group(issue)],
})
const versionNow = async () => (await admin('caseTypes.read', { params: { id: 1 } })).body.version as number
const tryOut = async (parts: Parts) =>
  (await admin('caseTypes.tryMigration', { params: { id: 1 }, body: formsOf(parts) })).body
const attempt = async ({ decided, besides, ...parts }: Parts) =>
  admin('caseTypes.update', {
    params: { id: 1 },
    body: { version: await versionNow(), ...formsOf(parts), ...(decided && { decided }), ...besides },
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
/** The case type without fields of ours, whose names each test takes anew, and without what looks at them. */
async function reset(): Promise<void> {
  await settled()
  await sql`delete from answer_migrations`.execute(context.db)
  await sql`update cases set answers = '{}', hidden_answers = '{}'`.execute(context.db)
  await sql`update issues set answers = '{}', hidden_answers = '{}'`.execute(context.db)
  await publish({ besides: shipped })
}
beforeEach(reset)

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

  it('moves the answers of a draft once, however often it is opened and saved', async () => {
    const kind = choice('kind', ['A', 'B', 'C'])
    const begun = await publish({ case: [OLD, kind] })
    const document = { case_type: 1, case: { answers: { kind: 'a' } }, issue: { answers: {} } }
    const metas = { caseType: { id: 1, version: begun, since: begun, fields: {} } }
    const { body: draft } = await advocate('drafts.create', {
      body: { kind: 'case', payload: { document, metas } },
    })
    const values = [
      { was: 'a', is: 'b' },
      { was: 'b', is: 'c' },
    ]
    const shifted = await publish({
      case: [OLD, { ...kind, attrs: { ...kind.attrs, takes: { from: 'kind', values } } }],
    })
    const open = async () => (await advocate('drafts.read', { params: { id: draft.id } })).body.payload
    const opened = await open()
    expect([opened.document.case.answers.kind, opened.metas.caseType.names]).toEqual(['b', shifted])
    await advocate('drafts.update', { params: { id: draft.id }, body: { payload: opened } })
    const again = await open()
    expect(again).toEqual(opened)
    const made = await newCase(advocate)
    const caseRecord = made.case as { answers: Values }
    const stamps = { case_type_version: begun, case_type_names_version: again.metas.caseType.names }
    const { id: of } = await createCase(advocate, 1, {
      ...stamps,
      case: { ...caseRecord, answers: { ...caseRecord.answers, ...again.document.case.answers } },
    })
    expect((await stored(of)).answers.kind).toBe('b')
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

  it('is undone after other questions were published, which stay', async () => {
    const published = await publish({ case: [NEW] })
    await settled()
    await publish({ case: [WITHOUT, text('garden_gate', 'Garden gate')] })
    expect((await migrations())[0]).toMatchObject({ version: published, may_undo: true })
    expect((await undo(published)).status).toBe(200)
    await settled()
    const { body } = await admin('caseTypes.read', { params: { id: 1 } })
    expect(body.case_meta.at(-1).fields).toEqual([OLD, text('garden_gate', 'Garden gate')])
    expect((await stored(id)).answers.self_neglect_5).toBe('Unopened post')
    expect((await undo(published)).status).toBe(409)
  })

  it('is not undone where it was changed again, until that is taken back', async () => {
    const published = await publish({ case: [NEW] })
    await settled()
    await publish({ case: [{ ...WITHOUT, label: 'Signs of neglect' }] })
    const refused = await undo(published)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `Version ${published} cannot be undone: 'Ours: Signs of neglect' was changed since`,
    ])
    await publish({ case: [WITHOUT] })
    expect((await undo(published)).status).toBe(200)
  })

  it('is not undone where a later condition looks at its new name', async () => {
    const published = await publish({ case: [NEW] })
    await settled()
    const when = { signs_of_self_neglect: { set: true } }
    await publish({ case: [WITHOUT, text('who_saw_it', 'Who saw it', { when })] })
    const refused = await undo(published)
    expect([refused.status, Object.values(refused.body).flat().join()]).toEqual([
      400,
      expect.stringContaining('signs_of_self_neglect'),
    ])
  })

  it('is undone after the one that was published later is undone, not before', async () => {
    const first = await publish({ case: [NEW] })
    await settled()
    const second = await publish({ case: [text('signs', 'Signs', { takes: { from: NEW.name } })] })
    await settled()
    expect((await undo(first)).status).toBe(409)
    expect((await undo(second)).status).toBe(200)
    await settled()
    expect((await undo(first)).status).toBe(200)
    await settled()
    expect((await stored(id)).answers.self_neglect_5).toBe('Unopened post')
    expect((await migrations()).map((one: { may_undo: boolean }) => one.may_undo)).toEqual(
      Array(4).fill(false),
    )
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
    await sql`update answer_migrations set at = now() - interval '30 days' + interval '1 minute'`.execute(
      context.db,
    )
    await forgetReplaced(context.db)
    expect(await replaced()).toBe(1)
    await sql`update answer_migrations set at = now() - interval '30 days' - interval '1 minute'`.execute(
      context.db,
    )
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

  it('takes 1,000 chosen values, each of which names an answer that is taken over', () => {
    const [before, after] = [[CONTACT], [NARROWED]].map((fields) => ({
      case_meta: group(fields),
      issue_meta: [],
    }))
    const planned = (decided: unknown) => plannedMigration(before, after, decided).decided.length
    const one = { entity: 'case', id: 1, name: 'contact_by', was: 'either', value: null }
    expect([planned(undefined), planned([]), planned(Array(1000).fill(one))]).toEqual([0, 0, 1000])
    expect(() => planned(Array(1001).fill(one))).toThrow()
    for (const wrong of [
      { ...one, entity: 'issue' },
      { ...one, entity: 'client' },
      { ...one, id: 1.5 },
      { ...one, name: 'preferred_contact' },
      { ...one, was: undefined },
      { ...one, value: undefined },
      null,
    ])
      expect(() => planned([one, wrong])).toThrow()
    expect(() => planned(one)).toThrow()
  })

  it('keeps a chosen value from a record of another case type', async () => {
    await begin([CONTACT], { preferred_contact: 'either' })
    const other = await createCase(advocate, 2)
    const decided = [id, other.id].map((of) => ({
      ...{ entity: 'case', id: of, name: 'contact_by', was: 'either', value: 'telephone' },
    }))
    await publish({ case: [NARROWED], decided })
    const { rows } = await sql`select "case" from replaced_answers where decided is not null`.execute(
      context.db,
    )
    expect(rows).toEqual([{ case: id }])
    await settled()
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

  it('renames a column and merges one of its choices within the rows, also of a page with the old form', async () => {
    const route = choice('route', ['Oral', 'Other'])
    const rows = (columns: Field[], attrs: Field['attrs'] = {}): Field[] => [
      { name: 'medicines', label: 'Medicines', type: 'repeat', attrs, fields: columns },
    ]
    await begin(rows([text('dose', 'Dose'), route]), {
      medicines: [{ dose: '5', route: 'other' }, { dose: '7' }],
    })
    const amount = text('amount', 'Amount', { takes: { from: 'dose' } })
    const values = [{ was: 'other', is: 'oral' }]
    const oral = choice('route', ['Oral'], { takes: { from: 'route', values } })
    const withRows = (found: Values[]) => found.map(({ row: _, ...columns }) => columns)
    expect(await tryOut({ case: rows([amount, oral]) })).toMatchObject({ answers: 1, table: 1, look: 0 })
    const published = await publish({ case: rows([amount, oral]) })
    const { answers } = await record(id)
    expect(withRows(answers.medicines)).toEqual([{ amount: '5', route: 'oral' }, { amount: '7' }])
    await settled()
    expect(withRows((await stored(id)).answers.medicines as Values[])).toEqual([
      { amount: '5', route: 'oral' },
      { amount: '7' },
    ])
    const { body } = await admin('caseTypes.read', { params: { id: 1 } })
    expect(JSON.stringify(body.case_meta)).not.toContain('"takes"')
    const other = (await createCase(advocate)).id
    const late = await save(
      other,
      { medicines: [{ dose: '9', route: 'other' }] },
      { case_type_version: version },
    )
    expect(withRows(late.body.answers.medicines)).toEqual([{ amount: '9', route: 'oral' }])
    await undo(published)
    await settled()
    expect(withRows((await stored(id)).answers.medicines as Values[])).toEqual([
      { dose: '5', route: 'other' },
      { dose: '7' },
    ])
    expect(withRows((await stored(other)).answers.medicines as Values[])).toEqual([
      { dose: '9', route: 'oral' },
    ])
  })

  it('renames repeating rows with all of their columns, and refuses to lose one of these', async () => {
    const columns = [text('dose', 'Dose'), text('route', 'Route')]
    const rows = (name: string, own: Field[], attrs: Field['attrs'] = {}): Field[] => [
      { name, label: 'Medicines', type: 'repeat', attrs, fields: own },
    ]
    await begin(rows('rows', columns), { rows: [{ dose: '5', route: 'oral' }] })
    await settled()
    const takes = { takes: { from: 'rows' } }
    expect((await attempt({ case: rows('medicines', columns.slice(1), takes) })).status).toBe(400)
    await publish({ case: rows('medicines', columns, takes) })
    await settled()
    expect((await stored(id)).answers.medicines).toEqual([
      expect.objectContaining({ dose: '5', route: 'oral' }),
    ])
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

describe('what carries answers, after a rename and a merge', () => {
  const OPTIONS = ['Council tenant', 'Housing association', 'Own home'].map((label) => ({
    value: label.toLowerCase().replaceAll(' ', '_'),
    label,
  }))
  const FIELDS: Field[] = [
    text('old_words', 'Words', { report: true, referral: true }),
    {
      name: 'home',
      label: 'Home',
      type: 'select',
      attrs: { options: OPTIONS, report: true, referral: true },
    },
    text('rent', 'Rent', { when: { '$last.home': 'council_tenant' } }),
  ]
  const OF_ISSUE: Field[] = [
    text('seen_words', 'Seen', { help: 'Case: {$case.old_words}' }),
    text('tenancy', 'Tenancy', { when: { '$case.home': 'council_tenant' } }),
  ]
  const ANSWERS = { old_words: 'Unopened post', home: 'council_tenant' }
  const NOW = { new_words: 'Unopened post', home: 'housing_association' }
  const AUTOMATION = {
    name: 'council_homes',
    label: 'Council home',
    of: 'issue' as const,
    when: { '$case.home': 'council_tenant', '$case.old_words': { set: true } },
    then: [{ alert: 'Council home', level: 'info' as const }],
  }
  const DEADLINE = {
    name: 'tenancy_visit',
    label: 'Tenancy visit',
    of: 'issue' as const,
    from: 'record.start_date',
    within: { days: 3 },
    when: { '$case.home': 'council_tenant', '$case.old_words': { set: true } },
  }
  const TEST = {
    name: 'council',
    meta: 'issue_meta' as const,
    given: {},
    with: { case: { ...ANSWERS } },
    as: { today: '2026-01-01' },
    expect: { visible: ['tenancy'] },
  }

  interface Carrier {
    prepare: () => Promise<unknown>
    /** What it carries after the publication, and what is expected of it. */
    after: (made: never) => Promise<[unknown, unknown]>
  }
  const carrier = <T>(
    prepare: () => Promise<T>,
    after: (made: T) => Promise<[unknown, unknown]>,
  ): Carrier => ({
    prepare,
    after: after as Carrier['after'],
  })
  const caseWith = async (answers: Values, more: Values = {}) => {
    const made = await createCase(advocate, 1, more)
    await save(made.id, answers)
    return made
  }
  const draftOf = async (kind: string, document: Values) => {
    const metas = { caseType: { id: 1, version, fields: {} } }
    return (await advocate('drafts.create', { body: { kind, payload: { document, metas } } })).body
      .id as number
  }
  const draft = async (draftId: number) =>
    (await advocate('drafts.read', { params: { id: draftId } })).body.payload.document
  const chronologyOf = async (of: number) => {
    const { body } = await admin('chronology.ofCase', { params: { id: of }, query: { page_size: 100 } })
    return Object.values(body.data) as { id: number; changes?: { field: string }[] }[]
  }

  const CARRIERS: Record<string, Carrier> = {
    'the draft of a case': carrier(
      () => draftOf('case', { case_type: 1, case: { answers: ANSWERS }, issue: { answers: {} } }),
      async (made) => [(await draft(made)).case.answers, NOW],
    ),
    'the draft of an accepted referral, which no wizard has opened yet': carrier(
      async () => {
        const document = { case_type: 1, case: { answers: ANSWERS }, issue: { answers: {} } }
        const payload = { document, completed: [], metas: {} }
        const { body } = await advocate('drafts.create', { body: { kind: 'case', payload } })
        return body.id as number
      },
      async (made) => [(await draft(made)).case.answers, NOW],
    ),
    'hidden answers': carrier(
      async () => {
        const made = await createCase(advocate)
        const hidden = Object.fromEntries(
          Object.entries(ANSWERS).map(([name, value]) => [
            name,
            { value, since: '2026-01-01T00:00:00Z', version },
          ]),
        )
        await sql`update cases set hidden_answers = ${JSON.stringify(hidden)}::jsonb where id = ${made.id}`.execute(
          context.db,
        )
        return made.id
      },
      async (made) => {
        const { hidden_answers } = await record(made)
        const values = Object.entries(hidden_answers as Record<string, { value: unknown }>)
        return [Object.fromEntries(values.map(([name, { value }]) => [name, value])), NOW]
      },
    ),
    'a change of before, put back': carrier(
      async () => {
        const made = await caseWith(ANSWERS)
        await save(made.id, { home: 'own_home' })
        return made.id
      },
      async (made) => {
        const entry = (await chronologyOf(made)).find(({ changes }) =>
          changes?.some(({ field }) => field === 'answers.home'),
        )!
        await admin('chronology.restore', { params: { id: entry.id }, body: { field: 'answers.home' } })
        return [(await record(made)).answers.home, NOW.home]
      },
    ),
    'the base of a conflict': carrier(
      async () => {
        const made = await caseWith(ANSWERS)
        const { version: base } = await stored(made.id)
        const manager = await context.as('manager')
        await manager('cases.update', { params: { id: made.id }, body: { answers: { home: 'own_home' } } })
        return { id: made.id, base }
      },
      async ({ id: of, base }) => {
        const form = { version: base, case_type_version: version }
        const clash = await save(of, { home: null, old_words: 'Mine' }, form)
        const other = await save(of, { old_words: 'Mine' }, form)
        return [
          [clash.status, clash.body.fields?.['answers.home']?.base, other.body.answers?.new_words],
          [409, NOW.home, 'Mine'],
        ]
      },
    ),
    'what an issue has seen of its case': carrier(
      async () => {
        const { case: caseRecord } = (await newCase(advocate)) as { case: { answers: Values } }
        const made = await createCase(advocate, 1, {
          case: { ...caseRecord, answers: { ...caseRecord.answers, ...ANSWERS } },
        })
        await advocate('issues.update', {
          params: { id: made.issue },
          body: { answers: { tenancy: 'Weekly' } },
        })
        return made
      },
      async ({ id: of, issue }) => {
        // Another answer since must not change what the issue has seen.
        await save(of, { home: 'own_home', new_words: 'Changed' })
        const { answers, answers_seen } = (await advocate('issues.read', { params: { id: issue } })).body
        return [
          [answers.tenancy, answers_seen['$case.home'].value, answers_seen['$case.new_words'].value],
          ['Weekly', NOW.home, NOW.new_words],
        ]
      },
    ),
    'what a case has seen of the last one': carrier(
      async () => {
        const first = await caseWith(ANSWERS)
        const next = await createCase(advocate, 1, { client: first.client })
        const { body } = await save(next.id, { rent: '120' })
        expect(body.answers.rent).toBe('120')
        return { first: first.id, next: next.id }
      },
      async ({ first, next }) => {
        await save(first, { home: 'own_home' })
        const { answers } = (await save(next, { rent: '130' })).body
        const { rows } = await sql<{ seen: Values }>`select answers_seen -> '$last.home' as seen from cases
          where id = ${next}`.execute(context.db)
        return [
          [answers.rent, rows[0].seen.value, rows[0].seen.follows],
          ['130', NOW.home, ['rent']],
        ]
      },
    ),
    'a merge of two cases that is undone': carrier(
      async () => {
        const mine = await caseWith({ home: 'own_home' })
        const theirs = await createCase(advocate, 1, { client: mine.client })
        await save(theirs.id, ANSWERS)
        const { body } = await admin('merges.compareCases', { params: { id: mine.id, other: theirs.id } })
        const choices = Object.fromEntries(
          body.rows.map(({ id: row }: { id: string }) => [
            row,
            row.startsWith('answers.') ? 'theirs' : 'mine',
          ]),
        )
        const merged = await admin('merges.mergeCases', {
          params: { id: mine.id },
          body: { other: theirs.id, version: body.version, other_version: body.other_version, choices },
        })
        expect([merged.status, merged.status === 200 ? undefined : merged.body]).toEqual([200, undefined])
        return [mine.id, theirs.id]
      },
      async ([mine, theirs]) => {
        await save(mine, { rent: '5' })
        const undone = await admin('merges.undoCases', { params: { id: mine, other: theirs } })
        return [
          [undone.body.stays, pickNow((await stored(mine)).answers), pickNow((await stored(theirs)).answers)],
          [[], { home: 'own_home' }, NOW],
        ]
      },
    ),
    'a saved view': carrier(
      async () => {
        const query = { answers: '1.case.old_words.contains.post*1.case.home.is.council_tenant' }
        const body = { name: 'Council', screen: 'search-cases', query }
        const made = await advocate('savedViews.create', { body })
        expect([made.status, made.status === 201 ? undefined : made.body]).toEqual([201, undefined])
        return made.body.id as number
      },
      async (made) => {
        const { rows } = await sql<{
          query: Values
        }>`select query from saved_views where id = ${made}`.execute(context.db)
        return [rows[0].query.answers, '1.case.new_words.contains.post*1.case.home.is.housing_association']
      },
    ),
    'the columns of an upload': carrier(
      async () => {
        const mapping = { 0: 'case.answers.old_words', 1: 'case.answers.home' }
        const { rows } = await sql<{
          id: number
        }>`insert into bulk_uploads (name, hub, case_type, mapping, created_by, acting)
          values ('old.xlsx', 1, 1, ${JSON.stringify(mapping)}::jsonb, ${admin.id}, ${admin.id}) returning id`.execute(
          context.db,
        )
        return rows[0].id
      },
      async (made) => {
        const { rows } = await sql<{
          mapping: Values
        }>`select mapping from bulk_uploads where id = ${made}`.execute(context.db)
        return [rows[0].mapping, { 0: 'case.answers.new_words', 1: 'case.answers.home' }]
      },
    ),
    'a page of the public form that was opened before': carrier(
      async () => undefined,
      async () => {
        const nobody = await context.as()
        const body = {
          service: 1,
          about: 'self',
          contact_by: ['phone'],
          contact_phone: '020 7946 0000',
          first_name: 'Łukasz',
          last_name: 'Okonjo',
          reason: 'The post',
          answers: { ...(await publicAnswers()), ...ANSWERS },
        }
        const reply = await nobody('publicReferrals.create', { body })
        if (reply.status !== 201) return [reply.body, 201]
        const { rows } = await sql<{ answers: Values }>`select answers from referral_requests
          where reference = ${reply.body.reference}`.execute(context.db)
        return [{ new_words: rows[0].answers.new_words, home: rows[0].answers.home }, NOW]
      },
    ),
    'a referral that was sent before': carrier(
      async () => {
        const { rows } = await sql<{ id: number }>`insert into referral_requests
            (hub, service, case_type, case_type_version, person, answers, reason, status)
          values (1, 1, 1, ${version}, '{"first_name": "Wilma", "last_name": "Okonjo"}', ${JSON.stringify(ANSWERS)}::jsonb,
            'Moved', 1) returning id`.execute(context.db)
        return rows[0].id
      },
      async (made) => {
        const hub = await context.as('hub')
        const accepted = await hub('referrals.accept', { params: { id: made } })
        const { rows } = await sql<{ answers: Values }>`select payload #> '{document,case,answers}' as answers
          from drafts where referral = ${made}`.execute(context.db)
        return [rows[0] ? pickNow(rows[0].answers) : accepted.body, NOW]
      },
    ),
    'the test of the other form': carrier(
      async () => undefined,
      async () => {
        const { tests } = (await admin('caseTypes.read', { params: { id: 1 } })).body
        return [tests.find(({ name }: { name: string }) => name === 'council').with.case, NOW]
      },
    ),
    'an automation and a deadline': carrier(
      async () => undefined,
      async () => {
        const { automations, deadlines } = (await admin('caseTypes.read', { params: { id: 1 } })).body
        const named = (all: { name: string; when: Values }[], name: string) =>
          all.find((one) => one.name === name)?.when
        return [
          [named(automations, 'council_homes'), named(deadlines, 'tenancy_visit')],
          [
            { '$case.home': NOW.home, '$case.new_words': { set: true } },
            { '$case.home': NOW.home, '$case.new_words': { set: true } },
          ],
        ]
      },
    ),
  }
  const pickNow = ({ new_words, home }: Values) => ({ new_words, home })
  /** Answers to the required questions of the public form, without ours. */
  const publicAnswers = async () => {
    const { body } = await (await context.as())('publicReferrals.form', { params: { service: 1 } })
    const groups = (body.forms?.[0]?.groups ?? []) as Group[]
    return requiredAnswers(groups)
  }

  it('has the new name and the new value everywhere', async () => {
    await settled()
    await sql`insert into lookup (kind, value, label) values ('hub', 1, 'East') on conflict do nothing`.execute(
      context.db,
    )
    const current = (await admin('caseTypes.read', { params: { id: 1 } })).body
    const parts = {
      case_meta: [...caseMeta, ...group(FIELDS)],
      issue_meta: [...issueMeta, ...group(OF_ISSUE)],
      tests: [...current.tests, TEST],
      automations: [...current.automations, AUTOMATION],
      deadlines: [...current.deadlines, DEADLINE],
    }
    const begun = await admin('caseTypes.update', {
      params: { id: 1 },
      body: { version: current.version, ...parts },
    })
    expect([begun.status, begun.status === 200 ? undefined : begun.body]).toEqual([200, undefined])
    version = begun.body.version
    const form = await admin('referralForms.create', {
      body: { service: 1, case_type: 1, hub: 1, status: 1, routes: [] },
    })
    expect([form.status, form.status === 201 ? undefined : form.body]).toEqual([201, undefined])
    const made = new Map<string, unknown>()
    for (const [name, one] of Object.entries(CARRIERS)) made.set(name, await one.prepare())

    // As the administrator does it in the constructor.
    const draftOfType = { label: begun.body.label, ...parts } as Draft
    const about = { meta: 'case_meta' as const, before: parts.case_meta }
    const renamed = renameField(draftOfType, about, ['ours', 'old_words'], 'new_words').draft
    const merged = mergeChoice(renamed, about, ['ours', 'home'], OPTIONS[0], OPTIONS[1])
    const { label: _, ...body } = merged
    const published = await admin('caseTypes.update', { params: { id: 1 }, body: { version, ...body } })
    expect([published.status, published.status === 200 ? undefined : published.body]).toEqual([
      200,
      undefined,
    ])
    await settled()
    const found: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const [name, one] of Object.entries(CARRIERS))
      [found[name], expected[name]] = await one.after(made.get(name) as never)
    expect(found).toEqual(expected)
    // The parts of the other tests again.
    await admin('caseTypes.update', {
      params: { id: 1 },
      body: { version: published.body.version, ...parts, ...pickParts(current), ...formsOf({}) },
    })
  })
  const pickParts = ({ tests, automations, deadlines }: Draft) => ({ tests, automations, deadlines })
})

describe('any sequence of publications, saves by old and new pages, drafts and undos', () => {
  /** A field of a published form; the answers of a branch are one after the other, whatever the field is called. */
  interface Branched {
    field: Field
    branch: number
  }
  interface Published {
    version: number
    fields: Branched[]
    /** False for an undo, and for what came before an undo. */
    mayUndo: boolean
  }
  type Conversion = (value: unknown) => unknown
  const OPTIONS = ['Alpha', 'Beta', 'Gamma'].map((label) => ({ value: label.toLowerCase(), label }))
  const labelled = (value: unknown) => String([value].flat()[0]).trim().toLowerCase()

  class Story {
    random: Random
    forms: Published[] = []
    /** By branch, what its publications have made of values. */
    conversions = new Map<number, Conversion[]>()
    /** The last acknowledged answer of each record to each branch. */
    expected = new Map<number, Map<number, unknown>>()
    drafts: { id: number; form: Published; answers: Map<number, unknown> }[] = []
    names = 0
    branches = 3
    /** Parts of split answers, which a save by a form of before the split fills in too. */
    splits: { part: number; of: number; version: number }[] = []
    log: string[] = []
    constructor(seed: number) {
      this.random = seeded(seed)
    }

    get now(): Published {
      return this.forms.at(-1)!
    }
    nameOf(label: string): string {
      return `${label}_${++this.names}`
    }
    valueFor({ type, attrs }: Field): unknown {
      const { random } = this
      if (type === 'integer') return random.between(0, 20)
      if (type === 'text')
        return random.chance(0.3) ? random.pick(['Alpha', 'beta']) : `Words ${++this.names}`
      const { value } = random.pick(attrs!.options!)
      return type === 'multiselect' ? [value] : value
    }

    /** Some move of one field of the present form: the fields with it, and what it makes of values. */
    move(): { fields: Branched[]; taking: Field[]; makes: [number, Conversion][] } {
      const { random, now } = this
      const chosen = random.pick(now.fields)
      const { field, branch } = chosen
      const others = now.fields.filter((one) => one !== chosen)
      const { type, attrs } = field
      const from = field.name
      const options = attrs?.options ?? OPTIONS
      const become = (is: Field, values?: TakenValue[], makes: Conversion = (value) => value) => {
        const taking = { ...is, attrs: { ...is.attrs, takes: { from, ...(values && { values }) } } } as Field
        return {
          fields: [...others, { field: is, branch }],
          taking: [taking],
          makes: [[branch, makes]] as [number, Conversion][],
        }
      }
      const named = (of: Field['type'], own: Field['attrs'] = {}): Field => {
        const name = this.nameOf(of)
        return { name, label: name, type: of, attrs: own }
      }
      const kinds: (() => ReturnType<typeof become>)[] = [
        () => become({ ...field, name: this.nameOf('same') }),
      ]
      if (type === 'text')
        kinds.push(() =>
          become(named('select', { options: OPTIONS }), [{ was: 'Words 1', is: 'gamma' }], (value) =>
            value === 'Words 1' ? 'gamma' : value,
          ),
        )
      if (type === 'integer')
        kinds.push(
          () => become(named('text')),
          () =>
            become(
              named('select', { options: OPTIONS }),
              [
                { max: 9, is: 'alpha' },
                { min: 12, is: 'beta' },
              ],
              (value) => (Number(value) <= 9 ? 'alpha' : Number(value) >= 12 ? 'beta' : value),
            ),
        )
      if (type === 'select')
        kinds.push(
          () => become(named('text')),
          () => become(named('multiselect', { options })),
        )
      if (type === 'multiselect') kinds.push(() => become(named('select', { options })))
      if (type === 'select' && options.length > 1) {
        const [gone, into] = options
        kinds.push(
          () =>
            become(
              { ...field, attrs: { options: options.slice(1) } },
              [{ was: gone.value, is: into.value }],
              (value) => (labelled(value) === gone.value ? into.value : value),
            ),
          () => {
            const table = options.map(({ value }) => ({ was: value, is: value }))
            const first = become(field, table)
            const second = become(named('select', { options }), table)
            const other = this.branches++
            this.splits.push({ part: other, of: branch, version: now.version })
            this.conversions.set(other, [...(this.conversions.get(branch) ?? [])])
            for (const answers of this.expected.values())
              if (answers.has(branch)) answers.set(other, answers.get(branch))
            for (const { answers } of this.drafts)
              if (answers.has(branch)) answers.set(other, answers.get(branch))
            return {
              fields: [...first.fields, { field: second.fields.at(-1)!.field, branch: other }],
              taking: [...first.taking, ...second.taking],
              makes: [],
            }
          },
        )
      }
      return random.pick(kinds)()
    }

    /** All that publications may have made of a value. */
    closure(branch: number, value: unknown): Set<string> {
      const found = new Set([labelled(value)])
      for (let size = 0; size < found.size; ) {
        size = found.size
        for (const make of this.conversions.get(branch) ?? [])
          for (const one of [...found]) found.add(labelled(make(one === 'words 1' ? 'Words 1' : one)))
      }
      return found
    }
  }

  async function publishNext(story: Story): Promise<void> {
    const { fields, taking, makes } = story.move()
    const names = new Set(taking.map(({ name }) => name))
    const plain = fields.map(({ field }) => field).filter(({ name }) => !names.has(name))
    const published = await publish({ case: [...plain, ...taking] })
    for (const [branch, make] of makes)
      story.conversions.set(branch, [...(story.conversions.get(branch) ?? []), make])
    story.forms.push({ version: published, fields, mayUndo: true })
    story.log.push(`${published}: ${taking.map(({ name, attrs }) => `${attrs!.takes!.from} to ${name}`)}`)
  }

  async function undoLast(story: Story): Promise<void> {
    const [before, last] = story.forms.slice(-2)
    if (!last?.mayUndo) return
    const { status, body } = await undo(last.version)
    expect([status, story.log]).toEqual([200, story.log])
    const gone = last.fields.filter(({ branch }) => !before.fields.some((one) => one.branch === branch))
    // A part of a split answer that nobody has changed is the whole answer again.
    for (const answers of story.expected.values()) for (const { branch } of gone) answers.delete(branch)
    story.forms.push({ version: body.version, fields: before.fields, mayUndo: false })
    story.log.push(`${body.version}: undo`)
  }

  async function saveBy(story: Story, form: Published, of: number): Promise<void> {
    const { field, branch } = story.random.pick(form.fields)
    const value = story.valueFor(field)
    const { status, body } = await save(of, { [field.name]: value }, { case_type_version: form.version })
    story.log.push(`save of ${of} by ${form.version}: ${field.name} = ${JSON.stringify(value)}`)
    expect([status, status === 200 ? undefined : body, story.log]).toEqual([200, undefined, story.log])
    const parts = story.splits.filter((split) => split.of === branch && split.version >= form.version)
    for (const filled of [branch, ...parts.map(({ part }) => part)])
      if (story.now.fields.some((one) => one.branch === filled)) story.expected.get(of)!.set(filled, value)
  }

  async function beginDraft(story: Story): Promise<void> {
    const form = story.now
    const answers = new Map(form.fields.map(({ field, branch }) => [branch, story.valueFor(field)]))
    const named = Object.fromEntries(
      form.fields.map(({ field, branch }) => [field.name, answers.get(branch)]),
    )
    const document = { case_type: 1, case: { answers: named }, issue: { answers: {} } }
    const metas = { caseType: { id: 1, version: form.version, since: form.version, fields: {} } }
    const { body } = await advocate('drafts.create', { body: { kind: 'case', payload: { document, metas } } })
    story.drafts.push({ id: body.id, form, answers })
  }

  async function finishDraft(story: Story): Promise<void> {
    const draft = story.drafts.shift()
    if (!draft) return
    const { body } = await advocate('drafts.read', { params: { id: draft.id } })
    const made = await newCase(advocate)
    const caseRecord = made.case as { answers: Values }
    const { names } = body.payload.metas.caseType
    const { id: of } = await createCase(advocate, 1, {
      case_type_version: draft.form.version,
      ...(names && { case_type_names_version: names }),
      case: { ...caseRecord, answers: { ...caseRecord.answers, ...body.payload.document.case.answers } },
    })
    story.log.push(`case ${of} of a draft by ${draft.form.version}`)
    const branches = new Set(story.now.fields.map(({ branch }) => branch))
    story.expected.set(of, new Map([...draft.answers].filter(([branch]) => branches.has(branch))))
  }

  /** The answers that are not found, with what was found in their record. */
  async function missing(story: Story): Promise<unknown[]> {
    const open = (await migrations()).flatMap((one: { open: { case: number; values: Values }[] }) => one.open)
    const lost: unknown[] = []
    for (const [of, answers] of story.expected) {
      const { answers: counting, hidden_answers } = await record(of)
      const hidden = Object.values(hidden_answers as Record<string, { value: unknown }>).map(
        ({ value }) => value,
      )
      const listed = open.filter((one: { case: number }) => one.case === of)
      const there = [
        ...Object.values(counting as Values),
        ...hidden,
        ...listed.flatMap(({ values }: { values: Values }) => Object.values(values)),
      ].map(labelled)
      for (const [branch, value] of answers) {
        const found = story.closure(branch, value)
        if (!there.some((one) => found.has(one)))
          lost.push({ of, branch, value, counting, hidden_answers, listed })
      }
    }
    return lost
  }

  itInFull(
    'keep every answer in its record or in the list',
    async () => {
      for (let seed = 0; seed < 12; seed++) {
        await reset()
        const story = new Story(seed)
        const fields: Field[] = [
          text('note', 'note'),
          { name: 'kind', label: 'kind', type: 'select', attrs: { options: OPTIONS } },
          { name: 'points', label: 'points', type: 'integer' },
        ]
        story.forms.push({
          version: await publish({ case: fields }),
          fields: fields.map((field, branch) => ({ field, branch })),
          mayUndo: false,
        })
        for (let i = 0; i < 3; i++) story.expected.set((await createCase(advocate)).id, new Map())
        for (let step = 0; step < 30; step++) {
          const { random } = story
          const of = random.pick([...story.expected.keys()])
          const dice = random.between(0, 9)
          if (dice < 2) await publishNext(story)
          else if (dice < 4) await saveBy(story, story.now, of)
          else if (dice < 6) await saveBy(story, random.pick(story.forms), of)
          else if (dice === 6) await beginDraft(story)
          else if (dice === 7) await finishDraft(story)
          else if (dice === 8) await undoLast(story)
          else await settled()
          expect([seed, story.log, await missing(story)]).toEqual([seed, story.log, []])
        }
        await settled()
        expect([seed, story.log, await missing(story)]).toEqual([seed, story.log, []])
      }
    },
    900_000,
  )
})
