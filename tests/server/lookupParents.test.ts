import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

// Of service 1 are the issue types 1 to 4, of issue type 1 the subtypes 1 to 9, of type 2 those from 10, of service 2
// the issue type 12 and contract 8. Team 1 is of area 1, team 3 of area 2; subcategory 1 of safeguarding category 1.
const GROUP: Group = {
  name: 'narrowed',
  label: 'Narrowed',
  fields: [
    { name: 'category', label: 'Category', type: 'multiselect', attrs: { lookup: 'sfg_category' } },
    {
      name: 'subcategory',
      label: 'Subcategory',
      type: 'select',
      attrs: { lookup: 'sfg_subcategory', lookup_params: { sfg_category: '$category' } },
    },
    {
      name: 'team',
      label: 'Team',
      type: 'select',
      attrs: { lookup: 'referral_team', lookup_params: { area: '$client.area' } },
    },
    {
      name: 'lost',
      label: 'Lost',
      type: 'select',
      attrs: { lookup: 'referral_team', lookup_params: { area: '$nowhere.area' } },
    },
    {
      name: 'off',
      label: 'Off',
      type: 'select',
      attrs: { lookup: 'sfg_subcategory', lookup_params: { sfg_category: '$category' }, is_on: false },
    },
    {
      name: 'concerns',
      label: 'Concerns',
      type: 'repeat',
      fields: [
        { name: 'kind', label: 'Kind', type: 'select', attrs: { lookup: 'sfg_category' } },
        {
          name: 'detail',
          label: 'Detail',
          type: 'select',
          attrs: { lookup: 'sfg_subcategory', lookup_params: { sfg_category: '$kind' } },
        },
      ],
    },
  ],
}

const context = describeServer()
let advocate: Caller
/** An item of a lookup whose key has a value, and one of another value. */
const pick: Record<'inFirst' | 'inSecond' | 'inThird', number> = { inFirst: 0, inSecond: 0, inThird: 0 }
beforeAll(async () => {
  advocate = await context.as('advocate')
  await sql`update case_types set case_meta = case_meta || ${JSON.stringify([GROUP])}::jsonb where id = 1`.execute(
    context.db,
  )
  for (const [i, name] of (['inFirst', 'inSecond', 'inThird'] as const).entries()) {
    const { body } = await advocate.raw(`/sfg_subcategory_lookup/?sfg_category=${i + 1}`)
    pick[name] = body[0].value
  }
})

const choices = (label: string) => [`${label} must be one of the choices`]
const change = (name: string, id: number, body: Values) => advocate(name, { params: { id }, body })
const answer = (id: number, answers: Values) => change('cases.update', id, { answers })

describe('a new case', () => {
  const refused = async (part: 'case' | 'issue', values: Values) => {
    const body = await newCase(advocate)
    const { answers, ...own } = body[part] as { answers: Values }
    const { answers: more, ...others } = values
    const changed = { ...own, ...others, answers: { ...answers, ...(more as Values) } }
    const reply = await advocate('cases.create', { body: { ...body, [part]: changed } })
    return reply.status === 201 ? 'taken' : [reply.status, reply.body]
  }

  it('takes only a contract and an issue type of its service, and a subtype of the issue type', async () => {
    expect(await refused('case', { contract: 8 })).toEqual([400, { 'case.contract': choices('Contract') }])
    expect(await refused('issue', { issue_type: 12 })).toEqual([
      400,
      { 'issue.issue_type': choices('Issue type') },
    ])
    expect(await refused('issue', { issue_type: 1, issue_subtype: 10 })).toEqual([
      400,
      { 'issue.issue_subtype': choices('Issue subtype') },
    ])
    expect(await refused('issue', { issue_type: 1, issue_subtype: 9 })).toBe('taken')
  })

  it('takes only answers that go with the case, the client and each other', async () => {
    expect(await refused('case', { answers: { client_setting: 2 } })).toEqual([
      400,
      { 'case.answers.client_setting': choices('Setting') },
    ])
    const rows = [
      { kind: 1, detail: pick.inFirst },
      { kind: 1, detail: pick.inSecond },
    ]
    expect(
      await refused('case', { answers: { category: [1], subcategory: pick.inSecond, concerns: rows } }),
    ).toEqual([
      400,
      {
        'case.answers.subcategory': choices('Subcategory'),
        'case.answers.concerns.1.detail': choices('Detail'),
      },
    ])
  })

  it('takes the teams of the area of a client, and all where the area is not known', async () => {
    const body = await newCase(advocate)
    const send = async (client: object, team: number) => {
      const own = body.case as { answers: Values }
      const reply = await advocate('cases.create', {
        body: { ...body, client, case: { ...own, answers: { ...own.answers, team } } },
      })
      return reply.status
    }
    const name = { first_name: 'Ann', last_name: 'Somewhere' }
    expect(await send({ ...name, area: 1 }, 3)).toBe(400)
    expect(await send({ ...name, area: 1 }, 1)).toBe(201)
    expect(await send(name, 3)).toBe(201)
  })

  it('takes nothing for a list that hangs on what cannot be known', async () => {
    expect(await refused('case', { answers: { lost: 1 } })).toEqual([
      400,
      { 'case.answers.lost': choices('Lost') },
    ])
  })
})

describe('a change', () => {
  it('of an issue is held to the issue type, whichever of the two it sends', async () => {
    const { issue } = await createCase(advocate)
    expect((await change('issues.update', issue, { issue_subtype: 1 })).status).toBe(200)
    const wrong = [400, { issue_subtype: choices('Issue subtype') }]
    const reply = async (body: Values) => {
      const { status, body: errors } = await change('issues.update', issue, body)
      return status === 200 ? status : [status, errors]
    }
    expect(await reply({ issue_subtype: 10 })).toEqual(wrong)
    expect(await reply({ issue_type: 2 })).toEqual(wrong)
    expect(await reply({ issue_type: 12, issue_subtype: null })).toEqual([
      400,
      { issue_type: choices('Issue type') },
    ])
    expect(await reply({ issue_type: 2, issue_subtype: 10 })).toBe(200)
    expect(await reply({ issue_type: 1, issue_subtype: null })).toBe(200)
  })

  it('of a case takes only a contract of its service', async () => {
    const { id } = await createCase(advocate)
    const manager = await context.as('manager')
    const move = (contract: number) => manager('cases.update', { params: { id }, body: { contract } })
    expect((await move(8)).body).toEqual({ contract: choices('Contract') })
    expect((await move(13)).status).toBe(200)
  })

  it('of answers is held to the answers it leaves, in rows too', async () => {
    const { id } = await createCase(advocate)
    const rows = [
      { row: 'a', kind: 1, detail: pick.inFirst },
      { row: 'b', kind: 2, detail: pick.inSecond },
    ]
    const good = { category: [1, 2], subcategory: pick.inSecond, concerns: rows }
    expect((await answer(id, good)).status).toBe(200)
    expect((await answer(id, { category: [1] })).body).toEqual({
      'answers.subcategory': choices('Subcategory'),
    })
    expect((await answer(id, { category: [2, 3] })).status).toBe(200)
    expect((await answer(id, { category: null })).status).toBe(200)
    expect((await answer(id, { concerns: [rows[1], { ...rows[0], kind: 3 }] })).body).toEqual({
      'answers.concerns.1.detail': choices('Detail'),
    })
    expect((await answer(id, { concerns: [rows[1], rows[0]] })).status).toBe(200)
  })

  it('of something else is never kept back by what is stored', async () => {
    const { id, issue } = await createCase(advocate)
    await sql`update issues set issue_type = 12, issue_subtype = 59 where id = ${issue}`.execute(context.db)
    await sql`update cases set contract = 8, answers = answers || ${JSON.stringify({
      category: [1],
      subcategory: pick.inSecond,
      lost: 1,
      off: pick.inThird,
      concerns: [{ row: 'a', kind: 1, detail: pick.inThird }],
    })}::jsonb where id = ${id}`.execute(context.db)
    expect((await change('issues.update', issue, { start_date: '2026-01-31' })).status).toBe(200)
    expect((await change('issues.update', issue, { issue_subtype: 59, issue_type: 12 })).status).toBe(200)
    expect((await change('cases.update', id, { council_area: 1 })).status).toBe(200)
    expect((await answer(id, { ward: 'Ward 9', subcategory: pick.inSecond })).status).toBe(200)
    // The switched-off field does not hinder what the others hang on.
    expect((await answer(id, { category: [2] })).status).toBe(200)
  })

  it('keeps a retired choice that fits, and refuses it as a new one', async () => {
    const { id } = await createCase(advocate)
    await answer(id, { category: [1], subcategory: pick.inFirst })
    await sql`update lookup set active = false where kind = 'sfg_subcategory' and value = ${pick.inFirst}`.execute(
      context.db,
    )
    expect((await answer(id, { category: [1, 2] })).status).toBe(200)
    expect((await answer(id, { category: [3] })).status).toBe(400)
    await answer(id, { subcategory: null })
    expect((await answer(id, { subcategory: pick.inFirst })).status).toBe(400)
    await sql`update lookup set active = true where kind = 'sfg_subcategory'`.execute(context.db)
  })
})

describe('an issue', () => {
  it('is closed with reasons of its service only', async () => {
    const { issue } = await createCase(advocate)
    const { body } = await advocate.raw('/icr_lookup/')
    const { value } = body.find((r: { services?: number[] }) => r.services && !r.services.includes(1))
    const refused = await advocate('issues.close', { params: { id: issue }, body: { reasons: [1, value] } })
    expect([refused.status, refused.body]).toEqual([400, { reasons: choices('Reasons') }])
  })

  it('is given only to people with cases who are at work', async () => {
    const [manager, volunteer] = [await context.as('manager'), await context.as('volunteer')]
    const { issue } = await createCase(advocate)
    const give = (to: Caller) =>
      manager('issues.assign', { params: { id: issue }, body: { advocate: to.id } })
    const refused = { advocate: ['Advocate must be one of the choices'] }
    expect((await give(await context.as('admin'))).body).toEqual(refused)
    expect((await give(manager)).body).toEqual(refused)
    await sql`update staff set status = 2 where id = ${volunteer.id}`.execute(context.db)
    expect((await give(volunteer)).body).toEqual(refused)
    await sql`update staff set status = 1 where id = ${volunteer.id}`.execute(context.db)
    expect((await give(volunteer)).status).toBe(200)
  })
})

describe('a lookup', () => {
  const values = async (path: string): Promise<number[]> =>
    (await advocate.raw(path)).body.map((item: { value: number }) => item.value)

  it('takes a repeated parameter, in either spelling, as OR', async () => {
    const both = (await values('/sfg_subcategory_lookup/?sfg_category=1&sfg_category=2')).sort()
    const one = await values('/sfg_subcategory_lookup/?sfg_category=1')
    const two = await values('/sfg_subcategory_lookup/?sfg_category=2')
    expect(both).toEqual([...one, ...two].sort())
    expect((await values('/sfg_subcategory_lookup/?sfg_category[]=1&sfg_category[]=2')).sort()).toEqual(both)
    expect(await values('/staff_lookup/?role=4&role=6')).toEqual(await values('/staff_lookup/?role=4,6'))
  })

  it('of roles offers all but the commissioner, in their order', async () => {
    const { body } = await advocate.raw('/role_lookup/')
    expect(body.map((r: { value: number }) => r.value)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(body.filter((r: { active?: boolean }) => r.active === false)).toMatchObject([{ value: 5 }])
  })
})
