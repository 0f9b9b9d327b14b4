import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import { type Caller, describeServer, type Reply } from './context.ts'
import { createCase } from './newCase.ts'

const GROUP: Group = {
  name: 'used',
  label: 'Used',
  fields: [
    { name: 'faith', label: 'Faith', type: 'select', attrs: { lookup: 'religion' } },
    { name: 'faiths', label: 'Faiths', type: 'multiselect', attrs: { lookup: 'religion' } },
    {
      name: 'people',
      label: 'People',
      type: 'repeat',
      fields: [{ name: 'faith', label: 'Faith', type: 'select', attrs: { lookup: 'religion' } }],
    },
  ],
}

const context = describeServer()
let admin: Caller
let advocate: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
})

const list = async (type: string, query = {}) => (await admin('admin.list', { params: { type }, query })).body
const form = (type: string, id: number) => admin('admin.form', { params: { app: 'core', type, id } })
const add = (type: string, data: object) =>
  admin('admin.add', { params: { app: 'core', type }, body: { data } })
const change = (type: string, id: number, data: object, more: object = {}) =>
  admin('admin.change', { params: { app: 'core', type, id }, body: { data, ...more } })
const labels = async (path: string) =>
  ((await advocate.raw(path)).body as { label: string }[]).map(({ label }) => label)

describe('the app core', () => {
  it('lists every stored lookup and the files, as Django does', async () => {
    const { status, body } = await admin.raw('/api_admin/core/')
    expect([status, body.app_label]).toEqual([200, 'core'])
    const names = body.models.map((m: { name: string }) => m.name)
    expect(names).toEqual(names.toSorted((a: string, b: string) => a.localeCompare(b, 'en-GB')))
    const stored = Object.entries(context.contract.lookups).filter(([, { from, item }]) => !from || item)
    expect(body.models.map((m: { object_name: string }) => m.object_name).sort()).toEqual(
      [...stored.map(([name]) => name), 'file'].sort(),
    )
    expect(body.models).toContainEqual({
      name: 'Title',
      object_name: 'title',
      count: 13,
      add_url: '/api_admin/core/title/add/',
      list_url: '/api_admin/core/title/list/',
    })
    const { body: found } = await admin.raw('/api_admin/core/?term=outcome&order_by=name')
    expect(found.models.map((m: { name: string }) => m.name)).toEqual(
      [
        'Community outcome',
        'Community outcome group',
        'NDTi outcome',
        'NDTi outcome group',
        'Safeguarding outcome',
      ]
        .concat(
          found.models
            .map((m: { name: string }) => m.name)
            .filter((n: string) => /^(Hospital|Navigation)/.test(n)),
        )
        .sort((a, b) => a.localeCompare(b, 'en-GB')),
    )
  })

  it('says of every list that its items can be retired, so that forms show those of older records', () => {
    const kept = Object.entries(context.contract.lookups).filter(([, { from, item }]) => !from || item)
    expect(kept.filter(([, { retirable }]) => !retirable).map(([name]) => name)).toEqual([])
  })

  it('has every call that the specification names', () => {
    const ours = new Set(Object.values(context.contract.endpoints).map(({ call }) => call))
    const named = readFileSync('tests/fixtures/calls.tsv', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('admin\t'))
      .map((line) => line.split('\t').slice(1, 3).join(' '))
    expect(named.length).toBe(8)
    expect(named.filter((call) => !ours.has(call))).toEqual([])
  })

  it('knows no other lists', async () => {
    for (const type of ['staff', 'role', 'nowhere', '__proto__', 'constructor'])
      expect([type, (await admin.raw(`/api_admin/core/${type}/list/`)).status]).toEqual([type, 404])
    expect((await admin.raw('/api_admin/nowhere/title/add/')).status).toBe(404)
    expect((await admin.raw('/api_admin/core/title/999/change/')).status).toBe(404)
  })

  it('gives a list whole unless asked for pages, found and sorted, with its own columns as fields', async () => {
    const whole = await list('issue_types')
    expect(whole.pagination).toMatchObject({ p: 1, page_size: 5000, count: 53, num_pages: 1 })
    expect(whole.fields.map((f: { name: string }) => f.name)).toEqual(['service'])
    const page = await list('issue_types', { p: 2, page_size: 10, order_by: 'id', sort_order: 'desc' })
    expect(page.data.map((r: { id: number }) => r.id)).toEqual([43, 42, 41, 40, 39, 38, 37, 36, 35, 34])
    expect((await list('issue_types', { term: 'medical' })).data[0]).toMatchObject({
      id: 1,
      label: 'Serious medical treatment',
      service: 1,
      status: 1,
      order: 1,
    })
    expect((await list('sfg_dsl_level', { status: 2 })).pagination.count).toBe(1)
    expect((await admin.raw('/api_admin/core/title/list/?order_by=attrs')).status).toBe(400)
  })

  it('says in the shape of a meta what its forms ask', async () => {
    const { status, body } = await admin.raw('/api_admin/core/contracts/add/?format=json')
    expect([status, body.data, body.name]).toEqual([200, {}, 'Contracts'])
    expect(body.fields.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
      ['label', 'text'],
      ['service', 'select'],
      ['council_areas', 'multiselect'],
      ['status', 'select'],
      ['order', 'integer'],
    ])
    const { body: one } = await admin.raw('/api_admin/core/contracts/1/change/?format=json')
    expect(one).toMatchObject({
      label: 'IMCA - contract A1',
      version: 1,
      data: { label: 'IMCA - contract A1', service: 1, council_areas: [1], status: 1, order: 1 },
    })
  })
})

describe('an item', () => {
  it('is added under an id of its own, last in its list, and offered at once', async () => {
    const { status, body } = await add('religion', { label: '  Quaker ' })
    expect([status, body.data]).toEqual([201, { label: 'Quaker', status: 1, order: 14 }])
    expect((await labels('/religion_lookup/')).at(-1)).toBe('Quaker')
    const { rows } =
      await sql`select action, entity, record from audit where entity = 'lookup.religion'`.execute(context.db)
    expect(rows).toEqual([{ action: 'create', entity: 'lookup.religion', record: body.id }])
  })

  it('takes its place in the list, and the others make room', async () => {
    const { body } = await add('hos', { label: 'Radio', order: 2 })
    expect((await labels('/hos_lookup/')).slice(0, 3)).toEqual([
      'Ward or hospital staff',
      'Radio',
      'Social worker',
    ])
    await change('hos', body.id, { order: 3 })
    expect((await labels('/hos_lookup/')).slice(0, 3)).toEqual([
      'Ward or hospital staff',
      'Social worker',
      'Radio',
    ])
  })

  it('keeps what its list says besides: null areas are an empty list, services that are none fit every service', async () => {
    const { body } = await add('contracts', { label: 'New contract', service: 2, council_areas: null })
    expect(body.data.council_areas).toEqual([])
    const area = await change('council_area', 3, { has_referrals: 'yes' })
    expect([area.status, area.body.data.has_referrals]).toEqual([200, 'yes'])
    expect(await labels('/council_area_lookup/?has_referrals=true')).toContain(
      'Cambridgeshire County Council',
    )
    const setting = await add('client_setting', { label: 'Boat', services: [] })
    expect(setting.status).toBe(201)
    expect(await labels('/client_setting_lookup/?service=2')).toContain('Boat')
  })

  it('is validated like every other write', async () => {
    const errors = async (data: object) => (await add('contracts', data)).body
    expect(await errors({})).toEqual({ 'data.label': ['Enter label'] })
    expect(await errors({ label: 'A', service: 999 })).toEqual({
      'data.service': ['Service must be one of the choices'],
    })
    expect(await errors({ label: 'A', status: 3 })).toEqual({
      'data.status': ['Status must be one of the choices'],
    })
    expect(await errors({ label: 'A', colour: 'red' })).toHaveProperty(['data.colour'])
    expect(await errors({ label: 'x'.repeat(201) })).toHaveProperty(['data.label'])
    expect((await add('title', { label: 'mr' })).body).toEqual({
      'data.label': ['There is already one like this: ID 1'],
    })
    for (const body of [{}, { data: [] }, { data: null }, { data: { label: 'A' }, id: 7 }])
      expect((await admin('admin.add', { params: { app: 'core', type: 'title' }, body })).status).toBe(400)
  })

  it('is kept with its history; what two people changed is a conflict with both values', async () => {
    const { body } = await add('icas', { label: 'Level nine' })
    const first = await change('icas', body.id, { label: 'Level 9' }, { version: 1 })
    expect([first.status, first.body.version]).toEqual([200, 2])
    const conflict = await change('icas', body.id, { label: 'Level IX' }, { version: 1 })
    expect([conflict.status, conflict.body.code]).toEqual([409, 'conflict'])
    expect(conflict.body.fields['data.label']).toMatchObject({
      base: 'Level nine',
      mine: 'Level IX',
      theirs: 'Level 9',
      by: 'admin Example',
    })
    expect(conflict.body.current).toMatchObject({ version: 2, data: { label: 'Level 9' } })
    expect((await change('icas', body.id, { status: 2 }, { version: 1 })).status).toBe(200)
    expect((await form('icas', body.id)).body).toMatchObject({
      version: 3,
      data: { label: 'Level 9', status: 2 },
    })
  })

  it('lists its history in plain words, newest first', async () => {
    const { body } = await add('contracts', { label: 'Told', service: 1 })
    await change('contracts', body.id, { service: 2, council_areas: [1] })
    await change('contracts', body.id, { status: 2 })
    const params = { app: 'core', type: 'contracts', id: body.id }
    const { body: history } = await admin('admin.history', { params })
    expect(
      history.data.map(({ action, person, changes }: Record<string, unknown>) => [action, person, changes]),
    ).toEqual([
      ['update', 'admin Example', [{ field: 'status', label: 'Status', from: 'Active', to: 'Retired' }]],
      [
        'update',
        'admin Example',
        [
          {
            field: 'service',
            label: 'Service',
            from: 'Independent Mental Capacity Advocacy (IMCA)',
            to: 'Independent Mental Health Advocacy (IMHA)',
          },
          { field: 'council_areas', label: 'Council areas', from: '', to: 'Hertfordshire County Council' },
        ],
      ],
      ['create', 'admin Example', []],
    ])
    expect((await admin('admin.history', { params: { ...params, app: 'axes' } })).status).toBe(404)
  })

  it('gets an id of its own when several people add items at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => add('gender', { label: `New ${i}` })),
    )
    const ids = replies.map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(10)
    expect(Math.min(...ids)).toBe(10)
  })
})

describe('retiring', () => {
  it('takes an item out of what is offered, and leaves it where it was chosen', async () => {
    const { body: made } = await add('title', { label: 'Captain' })
    const { client } = await createCase(advocate)
    await advocate('clients.update', { params: { id: client }, body: { title: made.id } })
    expect((await change('title', made.id, { status: 2 })).body.data.status).toBe(2)
    expect(await labels('/title_lookup/')).not.toContain('Captain')
    expect((await advocate.raw('/title_lookup/?active=false')).body.at(-1)).toEqual({
      value: made.id,
      label: 'Captain',
      active: false,
    })
    const again = await advocate('clients.update', {
      params: { id: client },
      body: { title: made.id, known_as: 'Cap' },
    })
    expect([again.status, again.body.title]).toEqual([200, made.id])
    const { client: other } = await createCase(advocate)
    const refused = await advocate('clients.update', { params: { id: other }, body: { title: made.id } })
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['title']])
    await change('title', made.id, { status: 1 })
    expect(await labels('/title_lookup/')).toContain('Captain')
  })

  it('says before how many records use it, by table and field, answers and other lists included', async () => {
    await sql`update case_types set case_meta = case_meta || ${JSON.stringify([GROUP])}::jsonb where id = 1`.execute(
      context.db,
    )
    const usage = async (type: string, id: number) =>
      (await admin('admin.usage', { params: { app: 'core', type, id } })).body
    expect(await usage('religion', 9)).toEqual([])
    const made = await createCase(advocate)
    const other = await createCase(advocate)
    for (const { client } of [made, other])
      await advocate('clients.update', { params: { id: client }, body: { religion: 9 } })
    const answers = { faith: 9, faiths: [2, 9], people: [{ row: 'a', faith: 9 }] }
    const saved = await advocate('cases.update', { params: { id: made.id }, body: { answers } })
    expect(saved.status).toBe(200)
    const uses = await usage('religion', 9)
    expect(uses.map(({ table, field, count }: Record<string, unknown>) => [table, field, count])).toEqual([
      ['clients', 'religion', 2],
      ['cases', 'answers.faith', 1],
      ['cases', 'answers.faiths', 1],
      ['cases', 'answers.people', 1],
    ])
    expect(uses[0].label).toBe('Client, Religion or belief: 2 records')
    const service = await usage('services', 1)
    expect(service.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining([
        'cases.service',
        'issues.service',
        'staff.services',
        'lookup.issue_types.service',
      ]),
    )
    const open = await advocate('issues.update', {
      params: { id: made.issue },
      body: { ndti_outcomes: [{ row: 'a', type: 3 }] },
    })
    expect(open.status).toBe(200)
    expect(await usage('ndti_outcome_type', 3)).toMatchObject([
      { table: 'issues', field: 'ndti_outcomes', count: 1 },
    ])
  })

  it('says which automations and deadlines use it: groups that are notified, actions that meet, conditions', async () => {
    const uses = async (type: string, id: number) =>
      (await admin('admin.usage', { params: { app: 'core', type, id } })).body
        .filter(({ table, field }: Record<string, string>) => table === 'case_types' && field !== 'forms')
        .map(({ field, label }: Record<string, string>) => [field, label])
    expect(await uses('staff_groups', 1)).toEqual([
      [
        'automations',
        expect.stringMatching(/^Case type: 6 automations name it: .*Serious medical treatment/),
      ],
    ])
    expect(await uses('action_type', 6)).toEqual([
      ['deadlines', expect.stringMatching(/^Case type: \d+ deadlines name it: /)],
    ])
    const automation = {
      name: 'area',
      label: 'Area',
      of: 'issue',
      when: { '$case.council_area': [2, 3] },
      then: [{ alert: 'Area', level: 'info' }],
    }
    await sql`update case_types set automations = automations || ${JSON.stringify([automation])}::jsonb
      where id = 1`.execute(context.db)
    expect(await uses('council_area', 3)).toEqual([
      ['automations', "Case type: 1 automation names it: 'IMCA - Serious medical treatment'"],
    ])
    expect(await uses('council_area', 4)).toEqual([])
  })
})

describe('the name of a group of people in automations', () => {
  const on = (id?: number) => ({ app: 'core', type: 'staff_groups', ...(id && { id }) })
  const codeErrors = ({ status, body }: Reply) => [status, body['data.code']]

  it('is small letters, and of one group alone', async () => {
    const add = (code: string) =>
      admin('admin.add', { params: on(), body: { data: { label: `Group ${code}`, code } } })
    expect(codeErrors(await add('Ward Leads!'))).toEqual([
      400,
      [expect.stringMatching(/must be small letters, digits and _/)],
    ])
    expect(codeErrors(await add('safeguarding_leads'))).toEqual([
      400,
      ["The group 'Safeguarding leads' has this name"],
    ])
    expect((await add('ward_leads')).status).toBe(201)
  })

  it('stays while published automations notify it', async () => {
    const change = (data: object) => admin('admin.change', { params: on(1), body: { data } })
    for (const code of ['leads', null])
      expect(codeErrors(await change({ code }))).toEqual([
        400,
        [expect.stringMatching(/^Automations notify the group by this name in .*Serious medical treatment/)],
      ])
    expect((await change({ label: 'Leads' })).status).toBe(200)
  })
})

describe('the order of a list', () => {
  it('is set at once for all, and audited; other ids change nothing', async () => {
    const order = (ids: unknown) => admin('admin.order', { params: { type: 'sp_type' }, body: { ids } })
    const before = (await list('sp_type')).data.map((r: { id: number }) => r.id)
    const { status, body } = await order([3, 1, 2])
    expect([status, body.ids]).toEqual([200, [3, 1, 2, ...before.slice(3)]])
    expect((await list('sp_type')).data.map((r: { order: number }) => r.order)).toEqual(
      before.map((_: number, i: number) => i + 1),
    )
    for (const wrong of [[1, 1], [999], 'all', undefined, [null], ['1']])
      expect([wrong, (await order(wrong)).status]).toEqual([wrong, 400])
    expect((await list('sp_type')).data[0].id).toBe(3)
    const lookupVersion = async () => {
      const { body } = await admin('versionEvents.read')
      return body.find(({ entity }: { entity: string }) => entity === 'lookup').version
    }
    const version = await lookupVersion()
    await order([3, 1, 2])
    expect(await lookupVersion()).toBe(version)
    await order([3, 2, 1])
    expect(await lookupVersion()).not.toBe(version)
    await order([3, 1, 2])
    const { rows } = await sql`select distinct changes -> 'order' -> 'to' -> 0 as first from audit
      where action = 'order'`.execute(context.db)
    expect(rows).toEqual([{ first: 3 }])
  })
})
