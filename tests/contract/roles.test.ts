import { expect, it } from 'vitest'
import { ROLE } from '../../src/contract/roles.ts'
import { STATUS } from '../../src/contract/status.ts'
import { contract } from '../loadedContract.ts'

const lower = (values: Record<string, number>) =>
  Object.fromEntries(Object.entries(values).map(([name, id]) => [name.toLowerCase(), id]))
const statusesOf = (entity: string) =>
  contract.entities[entity].properties.status.options!.map(({ label, value }) => [
    label.replace(' ', '').toLowerCase(),
    value,
  ])

it('ROLE has the roles of schemas/roles.json, by their names', () => {
  const { roles } = contract.roles
  expect(lower(ROLE)).toEqual(Object.fromEntries(roles.map(({ name, id }) => [name.toLowerCase(), id])))
})

it('STATUS has the statuses of staff, and of other records', () => {
  expect(lower(STATUS)).toEqual(Object.fromEntries(statusesOf('staff')))
  for (const entity of ['client', 'case', 'issue', 'lookupItem', 'managedFile'])
    expect(lower(STATUS)).toMatchObject(Object.fromEntries(statusesOf(entity)))
})
