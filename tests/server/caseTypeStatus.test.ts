import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
})

const read = async (id: number) => (await admin('caseTypes.read', { params: { id } })).body
const rowOf = async (id: number) => {
  const { data } = (await admin('caseTypes.list', { query: { page_size: 100 } })).body
  return data.find((row: { id: number }) => row.id === id)
}

describe('the name of a case type', () => {
  it('is not that of another one of its service, case and spaces aside', async () => {
    const [one, two] = [await read(1), await read(2)]
    const taken = ` ${one.label.toUpperCase().replaceAll(' ', '  ')}`
    const words = [`Another case type of this service is called '${one.label}': choose another name`]
    const body = { label: taken, service: one.service }
    expect((await admin('caseTypes.begin', { body })).body).toEqual({ label: words })
    expect((await admin('caseTypes.create', { body })).body).toEqual({ label: words })
    const { status } = await admin('caseTypes.begin', { body: { label: taken, service: one.service + 1 } })
    expect(status).toBe(201)
    const own = { version: one.version, label: one.label.toUpperCase() }
    expect((await admin('caseTypes.update', { params: { id: 1 }, body: own })).status).toBe(200)
    await sql`update case_types set service = ${one.service} where id = 2`.execute(context.db)
    const renamed = await admin('caseTypes.update', {
      params: { id: 2 },
      body: { version: two.version, label: taken },
    })
    expect([renamed.status, Object.keys(renamed.body)]).toEqual([400, ['label']])
    await sql`update case_types set service = ${two.service} where id = 2`.execute(context.db)
  })
})

describe('a retired case type', () => {
  it('is offered for no new case; its cases and forms go on; it can be made active again', async () => {
    const made = await createCase(advocate, 3)
    const body = await newCase(advocate, 3)
    const before = await read(3)
    const retired = await admin('caseTypes.retire', { params: { id: 3 } })
    expect([retired.status, retired.body.status, retired.body.version]).toEqual([200, 2, before.version])
    expect(await rowOf(3)).toMatchObject({ state: 'Retired', status: 2, cases: 1, open_cases: 1 })
    expect((await admin('caseTypes.usage', { params: { id: 3 } })).body).toMatchObject({
      cases: 1,
      open_cases: 1,
    })

    const refused = await advocate('cases.create', { body })
    expect([refused.status, refused.body]).toEqual([400, { case_type: ['This case type is retired'] }])
    const { body: items } = await advocate.raw('/case_type_lookup/')
    const item = items.find((one: { value: number }) => one.value === 3)
    expect([item.active, item.label]).toEqual([false, before.label])

    const { body: file } = await advocate('cases.read', { params: { id: made.id } })
    const { answers, version } = file
    expect(
      (await advocate('cases.update', { params: { id: made.id }, body: { answers, version } })).status,
    ).toBe(200)
    const issue = await advocate('cases.addIssue', { params: { id: made.id }, body: body.issue as object })
    expect(issue.status).toBe(201)
    const { version: last } = await read(3)
    const published = await admin('caseTypes.update', {
      params: { id: 3 },
      body: { version: last, label: `${before.label} (old)` },
    })
    expect([published.status, published.body.status]).toEqual([200, 2])

    const back = await admin('caseTypes.offer', { params: { id: 3 } })
    expect([back.body.status, back.body.version]).toEqual([1, last + 1])
    expect((await rowOf(3)).state).toBe('Offered')
    expect((await advocate('cases.create', { body: await newCase(advocate, 3) })).status).toBe(201)
  })

  it('is for administrators, and was published', async () => {
    expect((await advocate('caseTypes.retire', { params: { id: 3 } })).status).toBe(403)
    const { body } = await admin('caseTypes.begin', { body: { label: 'In the making', service: 1 } })
    expect((await admin('caseTypes.retire', { params: { id: body.id } })).status).toBe(400)
    expect((await rowOf(body.id)).state).toBe('Not published yet')
    expect((await admin('caseTypes.retire', { params: { id: 999 } })).status).toBe(404)
  })
})

describe('a case type that was never published', () => {
  it('can be deleted for good; another cannot', async () => {
    const { body } = await admin('caseTypes.begin', { body: { label: 'Mistake', service: 1, copy_of: 1 } })
    const params = { id: body.id }
    expect((await advocate('caseTypes.remove', { params })).status).toBe(403)
    expect((await admin('caseTypes.remove', { params })).status).toBe(204)
    expect((await admin('caseTypes.read', { params })).status).toBe(404)
    expect((await admin('caseTypes.begin', { body: { label: 'Mistake', service: 1 } })).status).toBe(201)
    const kept = await admin('caseTypes.remove', { params: { id: 1 } })
    expect([kept.status, (await read(1)).id]).toEqual([400, 1])
  })
})

describe('an item that a published form names', () => {
  it('is listed before it is retired, and does not block staff afterwards', async () => {
    const kind = 'religion'
    const begins: Field = {
      name: 'faith',
      label: 'Faith',
      type: 'select',
      attrs: { lookup: kind, default: 9 },
    }
    const asks: Field = {
      name: 'more',
      label: 'More',
      type: 'text',
      attrs: { when: { any: [{ faith: [9] }] } },
    }
    const { version, issue_meta, ...type } = await read(4)
    const case_meta: Group[] = [...type.case_meta, { name: 'own', label: 'Own', fields: [begins, asks] }]
    await admin('caseTypes.update', { params: { id: 4 }, body: { version, case_meta, issue_meta } })
    const params = { app: 'core', type: kind, id: 9 }
    const { body: uses } = await admin('admin.usage', { params })
    expect(uses).toEqual([
      {
        id: 'case_types.forms',
        label: `Case type: 1 form names it: '${type.label}'`,
        table: 'case_types',
        field: 'forms',
        count: 1,
      },
    ])
    await admin('admin.change', { params, body: { data: { status: 2 } } })

    const body = await newCase(admin, 4)
    const withFaith = (faith: number) => {
      const file = body.case as { answers: object }
      return { ...body, case: { ...file, answers: { ...file.answers, faith, more: 'x' } } }
    }
    expect((await admin('cases.create', { body: withFaith(9) })).status).toBe(201)
    await admin('admin.change', { params: { ...params, id: 8 }, body: { data: { status: 2 } } })
    const other = await admin('cases.create', { body: withFaith(8) })
    expect([other.status, Object.keys(other.body)]).toEqual([400, ['case.answers.faith']])
    const unknown = await admin('cases.create', { body: withFaith(999) })
    expect(unknown.status).toBe(400)
  })
})
