import { expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import type { Caller } from '../../src/server/core/call.ts'
import { proposeMapping } from '../../src/server/features/bulk/mapping.ts'
import { normalise, targetsOf } from '../../src/server/features/bulk/targets.ts'
import type { CaseType } from '../../src/server/features/cases/newRecord.ts'
import { contract } from '../loadedContract.ts'

const group = (name: string, label: string, ...fields: string[]): Group => ({
  name,
  label,
  fields: fields.map((field) => ({ name: field, label: 'Details', type: 'text' as const })),
})
const type = {
  id: 1,
  version: 1,
  case_meta: [
    group('risk', 'Risks', 'risk_details'),
    group('home', 'Home', 'home_details_x', 'home_details_y'),
  ],
  issue_meta: [group('aims', 'Aims', 'aim_details')],
} as unknown as CaseType
const targets = targetsOf(contract, type, { groups: [1] } as Caller)

it('heads columns by labels and groups of the form, never by internal names', () => {
  expect(targets.filter(({ field }) => field.label === 'Details').map(({ heading }) => heading)).toEqual([
    'Risks: Details (case)',
    'Home: Details (case) 1',
    'Home: Details (case) 2',
    'Details (issue)',
  ])
  const headings = targets.map(({ heading }) => normalise(heading))
  expect(new Set(headings).size).toBe(headings.length)
  const named = targets.filter(
    ({ heading, field }) => field.name.includes('_') && heading.includes(field.name),
  )
  expect(named).toEqual([])
})

it('knows the columns of its own template, and those of an earlier release', () => {
  const mapping = proposeMapping(
    targets.map(({ heading }) => heading),
    targets,
    new Map(),
  )
  expect(Object.values(mapping)).toEqual(targets.map(({ path }) => path))
  expect(proposeMapping(['Details (case): home_details_y'], targets, new Map())).toEqual({
    0: 'case.answers.home_details_y',
  })
})
