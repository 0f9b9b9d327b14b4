import { describe, expect, it } from 'vitest'
import type { Field, FormScreen, WizardScreen } from '../../src/contract/generated.ts'
import type { Occasion } from '../../src/contract/setBy.ts'
import { type FormSection, resolveSections } from '../../src/engine/form/store/sections.ts'
import { stepSections } from '../../src/engine/kinds/wizard/steps.ts'
import { contract } from '../loadedContract.ts'

const roleIds = contract.roles.roles.map(({ id }) => id)
const userOf = (role: number) => ({ id: 5, groups: [role] })

const fieldIn = (sections: FormSection[], name: string): Field | undefined =>
  sections.flatMap((s) => s.groups.flatMap((g) => g.fields)).find((f) => f.name === name)
const fieldOn = (screen: string, entity: string, name: string, occasion: Occasion, role: number) => {
  const { groups } = contract.screens[screen] as FormScreen
  return fieldIn(resolveSections(contract, groups, entity, { user: userOf(role) }, occasion), name)
}
const inWizard = (id: string, name: string, role: number) => {
  const step = (contract.screens['new-case'] as WizardScreen).steps.find((one) => one.id === id)!
  return fieldIn(stepSections(contract, step, { user: userOf(role) }), name)
}
/** How a form offers a field: a choice of anybody, of oneself, read-only, or absent. */
const how = (field: Field | undefined) => {
  if (!field) return 'absent'
  if (field.attrs?.read_only) return 'read-only'
  return field.attrs?.lookup_params?.self ? 'self' : 'any'
}
const byRole = (one: (role: number) => Field | undefined) =>
  Object.fromEntries(roleIds.map((role) => [role, how(one(role))]))

describe('the advocate', () => {
  const expected = {
    ...{ 1: 'absent', 5: 'absent', 2: 'any', 7: 'any', 9: 'any' },
    ...{ 3: 'self', 4: 'self', 6: 'self', 8: 'self' },
  }

  it('of a new issue or case is offered by role', () => {
    expect(byRole((role) => fieldOn('case-new-issue', 'issue', 'advocate', 'create', role))).toEqual(expected)
    expect(byRole((role) => inWizard('issue-details', 'advocate', role))).toEqual(expected)
  })

  it('of an existing issue is read-only', () => {
    const found = byRole((role) => fieldOn('issue-details', 'issue', 'advocate', 'update', role))
    expect(new Set(Object.values(found))).toEqual(new Set(['read-only']))
  })
})

it('the contract of a new case is chosen by all, and changed by overseeing roles', () => {
  expect(new Set(Object.values(byRole((role) => inWizard('case-details', 'contract', role))))).toContain(
    'any',
  )
  const found = byRole((role) => fieldOn('case-details', 'case', 'contract', 'update', role))
  expect(Object.keys(found).filter((role) => found[role] === 'any')).toEqual(['1', '2', '7', '9'])
})

it('the service and case type of a new case are offered to every role', () => {
  for (const name of ['service', 'case_type']) expect(how(inWizard('service', name, 4))).toBe('any')
})

it('where people work is read-only unless the role administers staff', () => {
  for (const name of ['groups', 'services', 'contracts', 'hub', 'line_manager']) {
    expect(how(fieldOn('staff-details', 'staff', name, 'update', 1))).toBe('any')
    expect(how(fieldOn('staff-details', 'staff', name, 'update', 2))).toBe('read-only')
  }
})

it('the fields of a screen are the same objects every time', () => {
  expect(fieldOn('case-details', 'case', 'contract', 'update', 4)).toBe(
    fieldOn('case-details', 'case', 'contract', 'update', 4),
  )
})
