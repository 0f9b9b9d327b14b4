import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let colleague: Caller
let advocate: Caller
let caseMeta: Group[]

const SECRET = 'Only in the record'
const choices = (...labels: string[]) =>
  labels.map((label) => ({ value: label.toLowerCase().replaceAll(' ', '_'), label }))
const text = (name: string, label: string, attrs: Field['attrs'] = {}): Field => ({
  name,
  label,
  type: 'text',
  attrs,
})
const URGENCY: Field = {
  name: 'urgency',
  label: 'How urgent',
  type: 'select',
  attrs: { options: choices('Low', 'High', 'Someday', 'Declined'), report: true },
}
const FIELDS: Field[] = [
  URGENCY,
  { name: 'agrees', label: 'Agrees', type: 'yesno' },
  text('secret_words', 'Words', { when: { urgency: 'high' } }),
  {
    name: 'kin',
    label: 'Kin',
    type: 'repeat',
    fields: [
      { name: 'relation', label: 'Relation', type: 'select', attrs: { options: choices('Sister', 'Other') } },
      text('call', 'Telephone'),
    ],
  },
  text('never_asked', 'Never asked'),
]

const ours = (fields: Field[]): Group[] => [...caseMeta, { name: 'ours', label: 'Ours', fields }]
const type = async (id = 1) => (await admin('caseTypes.read', { params: { id } })).body
async function publish(fields: Field[]): Promise<number> {
  const { version } = await type()
  const { status, body } = await admin('caseTypes.update', {
    params: { id: 1 },
    body: { version, case_meta: ours(fields) },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.version
}
async function saveDraft(fields: Field[]): Promise<void> {
  const { version, issue_meta, label } = await type()
  const { body: draft } = await admin('caseTypes.draft', { params: { id: 1 } })
  const body = { rev: draft.rev, base_version: version, label, case_meta: ours(fields), issue_meta }
  expect((await admin('caseTypes.saveDraft', { params: { id: 1 }, body })).status).toBe(200)
}
const about = (field: string, form = 'case') => ({ params: { id: 1, form, field } })
const read = async (field: string) => (await admin('fields.read', about(field))).body
const rowsOf = async (call: string, field: string, form = 'case') =>
  (await admin(call, about(field, form))).body.rows
const answer = async (id: number, answers: Values) => {
  const { status, body } = await advocate('cases.update', { params: { id }, body: { answers } })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

beforeAll(async () => {
  await sql`update staff set groups = array[1] where username = 'stranger'`.execute(context.db)
  ;[admin, colleague, advocate] = await Promise.all(['admin', 'stranger', 'advocate'].map(context.as))
  caseMeta = (await type()).case_meta
  await publish(FIELDS)
  const ids: number[] = []
  for (let i = 0; i < 4; i++) ids.push((await createCase(advocate)).id)
  await answer(ids[0], {
    urgency: 'high',
    agrees: 'not_known',
    secret_words: SECRET,
    kin: [
      { row: 'a', relation: 'sister' },
      { row: 'b', call: '01234 567890' },
    ],
  })
  await answer(ids[1], { urgency: 'high', agrees: 'yes', kin: [{ row: 'a', relation: 'sister' }] })
  await answer(ids[2], { urgency: 'declined', agrees: 'no' })
  await sql`update issues set is_opened = false, close_date = start_date where "case" = ${ids[1]}`.execute(
    context.db,
  )
})

describe('the page of a field', () => {
  it('says where it stands and how many records answer it, open and closed', async () => {
    expect(await read('urgency')).toEqual({
      case_type_label: (await type()).label,
      label: 'How urgent',
      form: 'case',
      place: 'Ours',
      name: 'urgency',
      type_label: 'One choice',
      state: 'used',
      answered: '75%: 3 of 4 cases',
      rows: null,
      not_known: 'Declined: 33% of the answers (1)',
      open: '67%: 2 of 3 open cases',
      closed: '100%: 1 of 1 closed case',
      last_used: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      counted: null,
    })
    expect(await read('agrees')).toMatchObject({ not_known: 'Not known: 33% of the answers (1)' })
    expect(await rowsOf('fields.choices', 'urgency')).toMatchObject([
      { label: 'Low', count: 0, share: '0%', state: 'never' },
      { label: 'High', count: 2, share: '67%', state: null },
      { label: 'Someday', count: 0, state: 'never' },
      { label: 'Declined', count: 1, share: '33%' },
    ])
  })

  it('counts a column in records and in rows', async () => {
    expect(await read('kin.relation')).toMatchObject({
      place: 'Ours › Kin',
      answered: '50%: 2 of 4 cases',
      rows: '67%: 2 of 3 rows',
    })
    expect(await rowsOf('fields.choices', 'kin.relation')).toMatchObject([
      { label: 'Sister', count: 2 },
      { label: 'Other', count: 0, state: 'never' },
    ])
  })

  it('never has the words of an answer', async () => {
    for (const call of ['fields.read', 'fields.choices', 'fields.uses', 'fields.history'])
      for (const field of ['secret_words', 'kin.call', 'kin'])
        expect(JSON.stringify((await admin(call, about(field))).body)).not.toMatch(/Only in|567890/)
    expect(await rowsOf('fields.choices', 'secret_words')).toEqual([])
  })

  it('counts hidden answers too, which may come back', async () => {
    const { rows } = await sql<{
      id: number
    }>`select id from cases where answers ->> 'secret_words' = ${SECRET}`.execute(context.db)
    await answer(rows[0].id, { urgency: 'declined' })
    expect(await read('secret_words')).toMatchObject({ answered: '25%: 1 of 4 cases' })
    await answer(rows[0].id, { urgency: 'high' })
  })

  it('lists what refers to it, in the draft and outside', async () => {
    await saveDraft([...FIELDS, text('draft_only', 'Draft only', { when: { urgency: 'low' } })])
    const uses = await rowsOf('fields.uses', 'urgency')
    expect(uses.map(({ kind, words }: { kind: string; words: string }) => [kind, words])).toEqual([
      ['shown', 'Words'],
      ['shown', 'Draft only'],
      ['outside', 'Cases can be searched by it'],
      ['outside', 'Exports of the history show its answers'],
    ])
    expect(uses[0].page).toBe('/dashboard/module-constructor/1/fields/case/secret_words')
    expect(await read('draft_only')).toMatchObject({ state: 'new', answered: null })
    expect((await admin('caseTypes.deleteDraft', { params: { id: 1 } })).status).toBe(204)
    expect((await admin('fields.read', about('draft_only'))).status).toBe(404)
  })

  it('is there for administrators only, and for fields that there are or were', async () => {
    for (const name of ['manager', 'advocate', 'hubmanager']) {
      const staff = await context.as(name)
      for (const call of ['fields.read', 'fields.choices', 'fieldComments.ofField', 'fieldComments.counts'])
        expect((await staff(call, about('urgency'))).status).toBe(403)
    }
    for (const [field, form] of [
      ['nothing'],
      ['urgency', 'issue'],
      ['urgency', 'client'],
      ['__proto__'],
      ["a' or 1=1"],
      ['kin.relation.x.y'],
    ])
      expect((await admin('fields.read', about(field, form))).status).toBe(404)
  })
})

describe('the comments on a field', () => {
  const write = (who: Caller, field: string, words: unknown = 'Is it asked twice?') =>
    who('fieldComments.create', { ...about(field), body: { text: words } })
  const thread = async (field: string) => (await admin('fieldComments.ofField', about(field))).body.data
  const counts = async () => (await admin('fieldComments.counts', { params: { id: 1 } })).body
  const notices = async (who: Caller) =>
    (await who('workNotices.list', { query: { kind: 'comment', seen: 'Unread' } })).body.data
  const version = async () =>
    (await admin('versionEvents.read')).body.find(
      ({ entity }: { entity: string }) => entity === 'fieldComment',
    ).version

  it('are a thread, of which those who write in it are notified', async () => {
    const before = await version()
    const first = await write(admin, 'urgency')
    expect([first.status, first.body.state, first.body.label]).toEqual([201, 'open', 'How urgent'])
    expect(await version()).not.toBe(before)
    expect(await notices(colleague)).toEqual([])
    const second = await write(colleague, 'urgency', 'Yes, in the issue')
    expect(await notices(colleague)).toEqual([])
    expect(await notices(admin)).toMatchObject([
      {
        sentence: `stranger Example wrote about “How urgent” of ${(await type()).label}`,
        page: '/dashboard/module-constructor/1/fields/case/urgency',
      },
    ])
    expect((await admin('workNotices.counts')).body.comments).toBe(1)
    expect(await counts()).toEqual({ open: 2, case: { urgency: 2 }, issue: {} })
    // Both are resolved, and opened again, together.
    const resolved = await admin('fieldComments.resolve', { params: { id: second.body.id } })
    expect(resolved.body).toMatchObject({ state: 'resolved', resolved_by_name: 'admin Example' })
    expect(await counts()).toMatchObject({ open: 0 })
    const third = await write(admin, 'urgency', 'And here')
    await admin('fieldComments.reopen', { params: { id: first.body.id } })
    expect(await counts()).toMatchObject({ open: 3 })
    expect((await admin('fieldComments.remove', { params: { id: third.body.id } })).status).toBe(204)
    expect((await thread('urgency')).map((one: Values) => [one.created_by_name, one.text])).toEqual([
      ['stranger Example', 'Yes, in the issue'],
      ['admin Example', 'Is it asked twice?'],
    ])
    // What a former administrator was notified of is no longer theirs to read.
    await write(admin, 'urgency', 'Thank you')
    expect(await notices(colleague)).toHaveLength(1)
    await sql`update staff set groups = array[4] where username = 'stranger'`.execute(context.db)
    expect(await notices(colleague)).toEqual([])
    await write(admin, 'urgency', 'Nobody else is left')
    await sql`update staff set groups = array[1] where username = 'stranger'`.execute(context.db)
    expect(await notices(colleague)).toHaveLength(1)
  })

  it('have a text of at most 2,000 characters, on a field that there is', async () => {
    for (const words of ['', ' ', 'x'.repeat(2001), 5, null])
      expect((await write(admin, 'urgency', words)).status).toBe(400)
    expect((await write(admin, 'nothing')).status).toBe(404)
    await sql`insert into field_comments (case_type, form, field, label, text)
      select 2, 'case', 'x', 'X', 'x' from generate_series(1, 2000)`.execute(context.db)
    const { body: other } = await admin('caseTypes.read', { params: { id: 2 } })
    const field = other.case_meta[0].fields[0].name
    const full = await admin('fieldComments.create', {
      params: { id: 2, form: 'case', field },
      body: { text: 'x' },
    })
    expect([full.status, Object.keys(full.body)]).toEqual([400, expect.arrayContaining(['text'])])
  })

  it('follow their field through a draft, its discarding and a publication', async () => {
    await write(admin, 'kin.call', 'A number')
    const [{ id }] = await thread('kin.call')
    const kin = FIELDS[3]
    const renamed: Field[] = [
      ...FIELDS.slice(0, 3),
      {
        ...kin,
        fields: [kin.fields![0], { ...kin.fields![1], name: 'telephone', label: 'Telephone number' }],
      },
    ]
    await saveDraft(renamed)
    expect(await thread('kin.telephone')).toMatchObject([{ id, label: 'Telephone number' }])
    await admin('caseTypes.deleteDraft', { params: { id: 1 } })
    expect(await thread('kin.call')).toMatchObject([{ id, label: 'Telephone' }])
    const taking: Field[] = [
      { ...URGENCY, name: 'how_urgent', attrs: { ...URGENCY.attrs, takes: { from: 'urgency' } } },
      FIELDS[1],
      text('secret_words', 'Words', { when: { how_urgent: 'high' } }),
      FIELDS[3],
    ]
    const before = (await thread('urgency')).length
    await saveDraft(taking)
    expect(await thread('how_urgent')).toHaveLength(before)
    expect(await read('how_urgent')).toMatchObject({ answered: '75%: 3 of 4 cases' })
    const published = await publish(taking)
    expect(await thread('how_urgent')).toHaveLength(before)
    // Also while the answers are being moved.
    expect(await read('how_urgent')).toMatchObject({ answered: '75%: 3 of 4 cases' })
    // Its history goes back over the rename, and that of a field that has left stays.
    const history = await rowsOf('fields.history', 'how_urgent')
    expect(history).toMatchObject([
      { version: published, words: ['Stored as how_urgent, until then as urgency'], by: 'admin Example' },
      { version: published - 1, words: ["Added as 'How urgent', One choice"] },
    ])
    expect(await read('never_asked')).toMatchObject({ state: 'left', answered: '0%: 0 of 4 cases' })
    expect((await rowsOf('fields.history', 'never_asked'))[0]).toMatchObject({
      version: published,
      words: ['Removed from the form'],
    })
    expect(
      (await admin('fieldComments.list', { params: { id: 1 }, query: { state: 'open' } })).body.data.map(
        ({ field }: { field: string }) => field,
      ),
    ).toContain('kin.call')
  })

  it('are no part of the forms, and go with their case type', async () => {
    expect(JSON.stringify(await type())).not.toMatch(/A number|asked twice/)
    const begun = await admin('caseTypes.begin', { body: { label: 'Short-lived', service: 1, copy_of: 1 } })
    const params = { id: begun.body.id, form: 'case', field: 'agrees' }
    expect((await admin('fieldComments.list', { params: { id: begun.body.id } })).body.data).toEqual([])
    expect((await admin('fieldComments.create', { params, body: { text: 'x' } })).status).toBe(201)
    expect((await admin('caseTypes.remove', { params: { id: begun.body.id } })).status).toBe(204)
    const { rows } = await sql`select from field_comments where case_type = ${begun.body.id}`.execute(
      context.db,
    )
    expect(rows).toEqual([])
  })
})
