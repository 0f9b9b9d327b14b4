import { beforeAll, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
/** IDs of what an administrator adds: a list, one whose items belong to that, with two items each, and an empty list. */
const ids = { hospitals: 0, wards: 0, towns: 0, general: 0, clinic: 0, ward3: 0, ward9: 0 }

const add = async (type: string, data: Values): Promise<number> => {
  const { status, body } = await admin('admin.add', { params: { app: 'core', type }, body: { data } })
  expect([status, body.data]).toEqual([201, expect.objectContaining(data)])
  return body.id
}
const field = (name: string, params: Values): Group['fields'][number] => ({
  name,
  label: name,
  type: 'select',
  attrs: { is_on: true, lookup: 'shared_list_item', lookup_params: params as never },
})
const publish = async (fields: Group['fields']) => {
  const { body } = await admin('caseTypes.read', { params: { id: 1 } })
  const others = body.case_meta.filter(({ name }: Group) => name !== 'places')
  const case_meta = [...others, { name: 'places', label: 'Places', fields }]
  return admin('caseTypes.update', { params: { id: 1 }, body: { version: body.version, case_meta } })
}

beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  ids.hospitals = await add('shared_list', { label: 'Hospital' })
  ids.wards = await add('shared_list', { label: 'Ward', parent_list: ids.hospitals })
  ids.towns = await add('shared_list', { label: 'Town' })
  const item = (label: string, shared_list: number, of?: number) =>
    add('shared_list_item', { label, shared_list, ...(of && { shared_list_item: of }) })
  ids.general = await item('Fenland General', ids.hospitals)
  ids.clinic = await item('Harbour Clinic', ids.hospitals)
  ids.ward3 = await item('Ward 3', ids.wards, ids.general)
  ids.ward9 = await item('Ward 9', ids.wards, ids.clinic)
})

describe('a list that an administrator made', () => {
  it('gives its items alone, and those that belong to a chosen one', async () => {
    const labels = async (query: string) =>
      (await advocate.raw(`/shared_list_item_lookup/?${query}`)).body.map((i: { label: string }) => i.label)
    expect(await labels(`shared_list=${ids.hospitals}`)).toEqual(['Fenland General', 'Harbour Clinic'])
    expect(await labels(`shared_list=${ids.wards}&shared_list_item=${ids.clinic}`)).toEqual(['Ward 9'])
  })

  it('has no item that does not say its list', async () => {
    const { status, body } = await admin('admin.add', {
      params: { app: 'core', type: 'shared_list_item' },
      body: { data: { label: 'Nowhere' } },
    })
    expect([status, Object.keys(body)]).toEqual([400, ['data.shared_list']])
  })

  it('has only items that belong to one of its parent list', async () => {
    const refusal = async (type: string, data: Values) => {
      const { status, body } = await admin('admin.add', { params: { app: 'core', type }, body: { data } })
      return [status, body]
    }
    const item = { label: 'Ward 12', shared_list: ids.wards }
    expect(await refusal('shared_list_item', item)).toEqual([
      400,
      {
        'data.shared_list_item': [
          "Belongs to is missing: each item of 'Ward' belongs to an item of 'Hospital'",
        ],
      },
    ])
    expect(await refusal('shared_list_item', { ...item, shared_list_item: ids.ward3 })).toEqual([
      400,
      {
        'data.shared_list_item': [
          "Belongs to must be an item of 'Hospital', to which the items of 'Ward' belong",
        ],
      },
    ])
    const clinic = { label: 'Second Clinic', shared_list: ids.hospitals, shared_list_item: ids.general }
    expect(await refusal('shared_list_item', clinic)).toEqual([
      400,
      { 'data.shared_list_item': ["Belongs to must be empty: 'Hospital' has no parent list"] },
    ])
  })

  it('offers for what an item belongs to only items of the parent list', async () => {
    const { body } = await admin('admin.form', {
      params: { app: 'core', type: 'shared_list_item', id: ids.ward3 },
    })
    const { attrs } = body.fields.find(({ name }: { name: string }) => name === 'shared_list_item')
    expect(attrs).toMatchObject({
      lookup_params: { parents_of: '$shared_list' },
      when: { shared_list: { set: true } },
    })
    const labels = async (list: number) =>
      (await admin.raw(`/shared_list_item_lookup/?parents_of=${list}`)).body.map(
        (i: { label: string }) => i.label,
      )
    expect(await labels(ids.wards)).toEqual(['Fenland General', 'Harbour Clinic'])
    expect(await labels(ids.hospitals)).toEqual([])
  })

  it('keeps its parent while it has items, and is never its own', async () => {
    const change = async (type: string, id: number, data: Values) => {
      const { status, body } = await admin('admin.change', {
        params: { app: 'core', type, id },
        body: { data },
      })
      return status === 200 ? status : Object.entries(body)
    }
    expect(await change('shared_list', ids.wards, { parent_list: ids.towns })).toEqual([
      ['data.parent_list', [expect.stringContaining("Parent list must stay: 'Ward' has 2 items")]],
    ])
    expect(await change('shared_list', ids.wards, { label: 'Ward', order: 1 })).toBe(200)
    expect(await change('shared_list', ids.towns, { parent_list: ids.towns })).toEqual([
      ['data.parent_list', ['Parent list must be another list']],
    ])
    expect(await change('shared_list', ids.towns, { parent_list: ids.wards })).toBe(200)
    const streets = await add('shared_list', { label: 'Street', parent_list: ids.towns })
    expect(await change('shared_list', ids.towns, { parent_list: streets })).toEqual([
      ['data.parent_list', ["Parent list must be a list that does not itself belong to 'Town'"]],
    ])
    expect(await change('shared_list_item', ids.general, { shared_list: streets })).toEqual([
      ['data.shared_list_item', [expect.stringContaining('Belongs to is missing')]],
    ])
    expect(await change('shared_list', ids.towns, { parent_list: null })).toBe(200)
    expect(await change('shared_list_item', ids.general, { shared_list: ids.towns })).toEqual([
      ['data.shared_list', ['List must stay: 1 item of another list belongs to this one']],
    ])
  })

  it('is narrowed by nothing but a field of its parent list', async () => {
    const problems = async (...fields: Group['fields']) => Object.values((await publish(fields)).body).flat()
    const wards = field('ward_of', { shared_list: ids.wards, shared_list_item: '$hospital' })
    expect(await problems(field('hospital', { shared_list: ids.towns }), wards)).toEqual([
      "'ward_of' chooses from 'Ward', whose items belong to 'Hospital'; narrow it by a field that chooses from 'Hospital'",
    ])
    const towns = field('town', { shared_list: ids.towns, shared_list_item: '$hospital' })
    expect(await problems(field('hospital', { shared_list: ids.hospitals }), towns)).toEqual([
      "'town' chooses from 'Town', which has no parent list; remove what narrows it",
    ])
  })

  it('is named by every field that chooses from it', async () => {
    const { status, body } = await publish([field('hospital', {})])
    expect([status, Object.values(body).flat()]).toEqual([
      400,
      [expect.stringContaining("Choose which shared list gives the choices of 'hospital'")],
    ])
  })

  it('is held to by answers, the second to the first', async () => {
    const fields = [
      field('hospital', { shared_list: ids.hospitals }),
      field('ward_of', { shared_list: ids.wards, shared_list_item: '$hospital' }),
    ]
    expect((await publish(fields)).status).toBe(200)
    const { id } = await createCase(advocate)
    const answer = async (answers: Values) => {
      const { status, body } = await advocate('cases.update', { params: { id }, body: { answers } })
      return status === 200 ? status : body
    }
    expect(await answer({ hospital: ids.ward3 })).toEqual({
      'answers.hospital': ['hospital must be one of the choices'],
    })
    expect(await answer({ hospital: ids.general, ward_of: ids.ward9 })).toEqual({
      'answers.ward_of': ['ward_of must be one of the choices'],
    })
    expect(await answer({ hospital: ids.general, ward_of: ids.ward3 })).toBe(200)
  })

  it('says which forms choose from it, and how many records chose an item', async () => {
    const uses = async (type: string, id: number) => {
      const { body } = await admin.raw(`/api_admin/core/${type}/${id}/usage/`)
      return body.map(({ table, count }: { table: string; count: number }) => [table, count])
    }
    expect(await uses('shared_list', ids.wards)).toEqual(
      expect.arrayContaining([
        ['lookup.shared_list_item', 2],
        ['case_types', 1],
      ]),
    )
    expect(await uses('shared_list_item', ids.general)).toEqual(
      expect.arrayContaining([
        ['cases', 1],
        ['lookup.shared_list_item', 1],
      ]),
    )
  })
})
