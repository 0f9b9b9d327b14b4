import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
})

const read = async (id = 1) => (await admin('caseTypes.read', { params: { id } })).body
const publish = (id: number, body: object) => admin('caseTypes.update', { params: { id }, body })
const edited = (groups: Group[], name: string, change: (field: Group['fields'][number]) => object): Group[] =>
  groups.map((g) => ({
    ...g,
    fields: g.fields.map((f) => (f.name === name ? ({ ...f, ...change(f) } as typeof f) : f)),
  }))

describe('publishing a case type', () => {
  it('makes a new version, keeps the old one, and draws the next case by it', async () => {
    const advocate = await context.as('advocate')
    const before = await read()
    const case_meta = edited(before.case_meta, 'ward', (f) => ({ attrs: { ...f.attrs, required: true } }))
    const after = await publish(1, { version: before.version, case_meta })
    expect([after.status, after.body.version]).toEqual([200, before.version + 1])
    const { rows } = await sql<{
      version: number
    }>`select version from case_type_versions where case_type = 1 order by version`.execute(context.db)
    expect(rows.map((r) => r.version)).toEqual([before.version, before.version + 1])
    const made = await createCase(advocate)
    const { body } = await advocate('cases.read', { params: { id: made.id } })
    expect(body.answers.ward).toBe('A few words')
    expect(body.case_type_version).toBe(after.body.version)
  })

  it('stores what is chosen by conditions and asked of rows, whatever is sent for it', async () => {
    const advocate = await context.as('advocate')
    const before = await read()
    const column = (name: string, type: Group['fields'][number]['type']) => ({ name, label: name, type })
    const logic: Group = {
      name: 'logic',
      label: 'Logic',
      fields: [
        { ...column('how_many', 'integer') },
        {
          ...column('visits', 'repeat'),
          attrs: { row_label: 'Visit', rows_from: 'how_many', sort_by: 'day', max: 5 },
          fields: [column('day', 'date'), column('done', 'yesno')],
        },
        {
          ...column('state', 'text'),
          attrs: {
            calc: 'choose',
            choose: [
              { when: { visits: { every_row: { done: 'yes' } } }, then: { text: 'Done' } },
              { then: { text: 'Open' } },
            ],
          },
        },
        {
          ...column('open_visits', 'integer'),
          attrs: { calc: 'count_rows', of: ['visits'], rows_when: { done: { not: 'yes' } } },
        },
        { ...column('home', 'uk_address') },
      ],
    }
    const fire: Group = {
      name: 'fire',
      label: 'Fire',
      attrs: { under: 'logic', folded: true },
      fields: [column('alarm', 'yesno')],
    }
    const { status } = await publish(1, {
      version: before.version,
      case_meta: [...before.case_meta, logic, fire],
    })
    expect(status).toBe(200)
    const { id } = await createCase(advocate)
    const save = (answers: object) => advocate('cases.update', { params: { id }, body: { answers } })
    expect((await save({ how_many: 2, visits: [{ row: 'a', day: '2026-02-01' }] })).body).toEqual({
      'answers.visits': ['visits must have 2 rows, as many as the form asks for'],
    })
    const rows = [
      { row: 'a', day: '2026-02-01', done: 'yes' },
      { row: 'b', day: '2026-01-01', done: 'no' },
    ]
    await save({ how_many: 2, visits: rows, state: 'Forged', open_visits: 9 })
    const { answers } = (await advocate('cases.read', { params: { id } })).body
    expect(answers).toMatchObject({ visits: [rows[1], rows[0]], state: 'Open', open_visits: 1 })
  })

  it('refuses a version that is not the last, and shows the last', async () => {
    const { version } = await read()
    const { status, body } = await publish(1, { version: version - 1, label: 'Other' })
    expect([status, body.code, body.current.version]).toEqual([409, 'conflict', version])
    expect(body.by).toBe('admin Example')
  })

  it('refuses what it does not know, and to move a case type to another service', async () => {
    const { version, service } = (await admin('caseTypes.read', { params: { id: 1 } })).body
    const moved = await publish(1, { version, service: service + 1 })
    expect([moved.status, Object.keys(moved.body)]).toEqual([400, ['service']])
    const mistyped = await publish(1, { version, case_mta: [] })
    expect([mistyped.status, mistyped.body]).toEqual([
      400,
      { case_mta: ["no field 'case_mta' in Case type; did you mean 'case_meta'?"] },
    ])
    expect((await publish(1, { version, service })).body.version).toBe(version)
  })

  it.each([
    ['label', 200],
    ['note', 500],
  ])('takes the longest %s, and refuses a longer one', async (key, longest) => {
    const { version, label } = await read(3)
    const send = (length: number) => publish(3, { version, label: `${label} new`, [key]: 'x'.repeat(length) })
    const refused = await send(longest + 1)
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, [key]])
    expect((await send(longest)).status).toBe(200)
    const after = await read(3)
    await publish(3, { version: after.version, label })
  })

  it.each([
    ['0', 404],
    ['1', 200],
    ['2147483647', 404],
    ['2147483648', 404],
  ])('reads version %s with status %i', async (version, status) => {
    expect((await admin('caseTypes.version', { params: { id: 1, version } })).status).toBe(status)
  })

  it('changes nothing when nothing changed', async () => {
    const { version, case_meta } = await read(2)
    expect((await publish(2, { version, case_meta })).body.version).toBe(version)
  })

  it('counts each choice, and lets go of one that no record chose', async () => {
    const options = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }))
    const form = (left: typeof options): Group => ({
      name: 'kinds',
      label: 'Kinds',
      fields: [
        { name: 'kind', label: 'Kind', type: 'select', attrs: { options: left } },
        { name: 'kinds', label: 'Kinds', type: 'multiselect', attrs: { options } },
        {
          name: 'rows_of_kind',
          label: 'Rows',
          type: 'repeat',
          fields: [{ name: 'own', label: 'Own', type: 'select', attrs: { options: left } }],
        },
      ],
    })
    const before = await read(4)
    const publishForm = async (left: typeof options) =>
      publish(4, { version: (await read(4)).version, case_meta: [...before.case_meta, form(left)] })
    expect((await publishForm(options)).status).toBe(200)
    const advocate = await context.as('advocate')
    const answers = [
      {
        kind: 'a',
        kinds: ['a', 'b'],
        rows_of_kind: [
          { row: 'x', own: 'b' },
          { row: 'y', own: 'b' },
        ],
      },
      { kind: 'a', kinds: ['b'] },
    ]
    for (const own of answers) {
      const { id } = await createCase(advocate, 4)
      expect((await advocate('cases.update', { params: { id }, body: { answers: own } })).status).toBe(200)
    }
    const { choices } = (await admin('caseTypes.usage', { params: { id: 4 } })).body
    expect(choices.case_meta).toMatchObject({
      kind: { a: 2 },
      kinds: { a: 1, b: 2 },
      'rows_of_kind.own': { b: 1 },
    })
    const refused = await publishForm(options.slice(0, 1))
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining("'B' of 'Own' is answered in 1 case, so it must stay; retire it instead"),
    ])
    expect((await publishForm(options.slice(0, 2))).status).toBe(200)
  })

  it('counts the answers in unfinished cases and issues', async () => {
    const advocate = await context.as('advocate')
    const { id } = await createCase(advocate, 5)
    const drafts = [
      [
        'case',
        '/case',
        { case_type: 5, case: { answers: { ward: 'A', floor: '' } }, issue: { answers: { aim: 'B' } } },
      ],
      ['case', '/case', { case_type: 6, case: { answers: { ward: 'A' } } }],
      ['case', '/case', { case_type: 5, case: { answers: null } }],
      ['issue', `/cases/${id}/issues/new`, { answers: { aim: 'B' } }],
    ] as const
    for (const [kind, address, document] of drafts) {
      const body = { kind, address, title: 'Unfinished', payload: { document } }
      expect((await advocate('drafts.create', { body })).status).toBe(201)
    }
    const usage = await admin('caseTypes.usage', { params: { id: 5 } })
    expect(usage.body.drafts).toEqual({ case_meta: { ward: 1 }, issue_meta: { aim: 2 } })
  })

  it('counts the saved views, uploads and public forms that use its fields', async () => {
    const advocate = await context.as('advocate')
    const view = (name: string, answers: string) =>
      advocate('savedViews.create', { body: { screen: 'search-cases', name, query: { answers } } })
    // One view counts once, and not for the case type whose number begins alike.
    expect((await view('One', '5.case.ward.set*5.case.ward.unset*5.issue.aim.set')).status).toBe(201)
    expect((await view('Another', '55.case.ward.set*5.case.floor.set')).status).toBe(201)
    for (const hub of [1, 1, 2])
      await sql`insert into bulk_uploads (name, created_by, acting, hub, case_type, headings, mapping) values ('a', 1, 1, ${hub}, 5, '["A", "B"]',
        '{"0": "case.answers.ward", "1": "case.answers.gp.phone", "2": "client.first_name"}')`.execute(
        context.db,
      )
    await sql`insert into referral_forms (service, status, case_type, hub, routes)
      values (77, 1, 4, 1, '[{"council_area": 1, "case_type": 5}]'), (78, 2, 5, 1, '[]')`.execute(context.db)
    const { body } = await admin('caseTypes.usage', { params: { id: 5 } })
    expect(body.uses).toEqual({
      views: { case_meta: { ward: 1, floor: 1 }, issue_meta: { aim: 1 } },
      uploads: { case_meta: { ward: 2, gp: 2 }, issue_meta: {} },
      publicForms: 1,
    })
    await sql`delete from bulk_uploads`.execute(context.db)
    await sql`delete from referral_forms where service in (77, 78)`.execute(context.db)
  })

  it('refuses to rename, retype or remove a field with answers', async () => {
    await createCase(await context.as('advocate'), 3)
    const before = await read(3)
    const [name] = Object.keys((await admin('caseTypes.usage', { params: { id: 3 } })).body.case_meta)
    const field = before.case_meta
      .flatMap((g: Group) => g.fields)
      .find((f: { name: string }) => f.name === name)
    for (const change of [{ name: 'other_name' }, { type: field.type === 'text' ? 'date' : 'text' }]) {
      const { status } = await publish(3, {
        version: before.version,
        case_meta: edited(before.case_meta, name, () => change),
      })
      expect(status).toBe(400)
    }
    const without = before.case_meta.map((g: Group) => ({
      ...g,
      fields: g.fields.filter((f) => f.name !== name),
    }))
    expect((await publish(3, { version: before.version, case_meta: without })).status).toBe(400)
    expect((await read(3)).version).toBe(before.version)
  })

  it.each([
    ['markup as a name', [{ name: '<b>', label: 'x', fields: [] }]],
    ['an unknown type', [{ name: 'g', label: 'G', fields: [{ name: 'f', label: 'F', type: 'html' }] }]],
    [
      'an unknown key',
      [{ name: 'g', label: 'G', fields: [{ name: 'f', label: 'F', type: 'text', script: '1' }] }],
    ],
    [
      'a reserved name',
      [{ name: 'g', label: 'G', fields: [{ name: 'constructor', label: 'F', type: 'text' }] }],
    ],
    [
      'a dead condition',
      [
        {
          name: 'g',
          label: 'G',
          fields: [{ name: 'f', label: 'F', type: 'text', attrs: { when: { nowhere: 'yes' } } }],
        },
      ],
    ],
    ['no list', { name: 'g' }],
  ])('refuses %s', async (_, case_meta) => {
    const { status, body } = await admin('caseTypes.create', {
      body: { service: 1, label: 'Hostile', case_meta, issue_meta: [] },
    })
    expect([status, Object.keys(body)[0].startsWith('case_meta')]).toEqual([400, true])
  })

  it('stores hostile labels as text', async () => {
    const label = '<img src=x onerror=alert(1)> {Id} $' + '{1}'
    const case_meta = [{ name: 'g', label, fields: [{ name: 'f', label, type: 'text' }] }]
    const { status, body } = await admin('caseTypes.create', {
      body: { service: 1, label, case_meta, issue_meta: [] },
    })
    expect([status, body.label, body.case_meta]).toEqual([201, label, case_meta])
  })
})

describe('a draft', () => {
  it('belongs to its owner and may be invalid', async () => {
    const [advocate, volunteer] = [await context.as('advocate'), await context.as('volunteer')]
    const made = await advocate('drafts.create', {
      body: { kind: 'case', title: 'Ann', payload: { document: { service: 'wrong' } } },
    })
    expect(made.status).toBe(201)
    const { id } = made.body
    const saved = await advocate('drafts.update', {
      params: { id },
      body: { payload: { step: 2 }, version: 1 },
    })
    expect([saved.body.payload, saved.body.version]).toEqual([{ step: 2 }, 2])
    expect((await volunteer('drafts.read', { params: { id } })).status).toBe(404)
    expect((await volunteer('drafts.remove', { params: { id } })).status).toBe(404)
    expect((await volunteer('drafts.list')).body.data).toEqual([])
  })
})
