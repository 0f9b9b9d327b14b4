import { describe, expect, it } from 'vitest'
import { lostUses, type TypeUses, usesOf } from '../../src/contract/caseType/fieldUses.ts'
import type { Automation, FormTest } from '../../src/contract/generated.ts'
import { caseMeta, field, group, yesno } from './metaBuilders.ts'

const ward = field('ward', 'text', { report: true, referral: true })
const uses: TypeUses = {
  views: { case_meta: { ward: 2 }, issue_meta: {} },
  uploads: { case_meta: { ward: 1 }, issue_meta: { ward: 5 } },
  publicForms: 1,
}
const test: FormTest = {
  name: 'Ward',
  meta: 'case_meta',
  given: { urgent: 'yes' },
  as: { today: '2026-03-15', roles: [] },
  expect: { visible: ['ward'] },
}
const DEPENDENT = [
  'cases can be searched by it',
  '2 saved views search by it',
  '1 public referral form asks it',
  'uploads of 1 hub have a column for it',
  '1 form test names it',
  '1 automation looks at it',
]
const NOTHING = { tests: [] }
const WATCH: Automation = {
  name: 'watch',
  label: 'Watch',
  of: 'issue',
  when: { any: [{ '$case.ward': { set: true } }, { other: 'yes' }] },
  then: [{ alert: 'Watch', level: 'info' }],
}
const OFF: Automation = { ...WATCH, is_on: false }
/** Looks at a field of the same name in the other form. */
const OTHER: Automation = {
  ...WATCH,
  when: { ward: { set: true } },
  then: [{ alert: '{ward}', level: 'info' }],
}

describe('the uses of a field', () => {
  it('are named where there are some', () => {
    expect(usesOf('case_meta', ward, uses, { tests: [test], automations: [WATCH, OFF, OTHER] })).toEqual([
      ...DEPENDENT,
      'exports of the history show its answers',
    ])
    expect(
      usesOf('case_meta', field('constructor', 'text', { sensitive: true }), uses, { tests: [test] }),
    ).toEqual([])
    expect(usesOf('case_meta', field('note', 'note'), uses, NOTHING)).toEqual([])
    expect(usesOf('case_meta', yesno('is_urgent', { sensitive: true }), undefined, NOTHING)).toEqual([
      'lists and reports read it',
    ])
  })

  it('that a publication ends are named with the field', () => {
    const form = (...fields: (typeof ward)[]) => caseMeta(group('one', fields))
    const lost = (after: ReturnType<typeof caseMeta>) =>
      lostUses(form(ward, field('other')), { ...after, tests: [test], automations: [WATCH] }, uses)
    expect(lost(form(ward))).toEqual([])
    expect(lost(form({ ...ward, attrs: { ...ward.attrs, is_on: false } }))).toEqual([
      `'Ward' is switched off, but ${DEPENDENT.join('; ')}`,
    ])
    expect(lost(form())).toEqual([`'Ward' is removed, but ${DEPENDENT.join('; ')}`])
    expect(lost(caseMeta(group('one', [ward], { is_on: false })))).toHaveLength(1)
    expect(lost(form(field('ward')))).toEqual([
      "Cases can no longer be searched by 'Ward', but 2 saved views search by it",
    ])
  })
})
