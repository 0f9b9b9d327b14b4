import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { createCase } from './newCase.ts'

let context: TestContext
let admin: Caller
let advocate: Caller
/** IDs of what an administrator adds: two lists, of the first an item, of the second one that belongs to it and one that does not. */
const ids = { hospitals: 0, wards: 0, general: 0, clinic: 0, ward3: 0, ward9: 0 }

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
  context = await startTestServer()
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  ids.hospitals = await add('shared_list', { label: 'Hospital' })
  ids.wards = await add('shared_list', { label: 'Ward' })
  const item = (label: string, shared_list: number, of?: number) =>
    add('shared_list_item', { label, shared_list, ...(of && { shared_list_item: of }) })
  ids.general = await item('Fenland General', ids.hospitals)
  ids.clinic = await item('Harbour Clinic', ids.hospitals)
  ids.ward3 = await item('Ward 3', ids.wards, ids.general)
  ids.ward9 = await item('Ward 9', ids.wards, ids.clinic)
})
afterAll(() => context?.end())

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
