import { describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import type { MetaName, Metas, Usage } from '../../src/contract/meta/metaTypes.ts'
import { choice, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'
import { known } from './metaErrors.ts'

describe('a change of a form with answers', () => {
  const before = [
    group('one', [{ ...yesno('is_urgent'), label: 'Urgent' }, choice('kind', ['x', 'y']), field('free')]),
  ]
  const usage: Usage = { case_meta: { is_urgent: 12, kind: 1 }, issue_meta: {} }

  function changed(after: Group[], was: Group[] = before, used: Usage = usage, meta: MetaName = 'case_meta') {
    const metas = (groups: Group[]): Metas => ({ case_meta: [], issue_meta: [], [meta]: groups })
    return checkMeta(metas(after), known, { meta: metas(was), usage: used })
  }
  const [urgent, kind, free] = before[0].fields

  it('may remove, rename or retype fields without answers', () => {
    expect(changed([group('one', [urgent, kind])])).toEqual([])
    expect(changed([group('one', [urgent, kind, field('other')])])).toEqual([])
    expect(changed([group('one', [urgent, kind, { ...free, type: 'date' }])])).toEqual([])
  })

  it('may switch off, move, relabel and add', () => {
    const off = { ...urgent, label: 'Hurry', attrs: { is_on: false } }
    expect(changed([group('two', [free, kind]), group('one', [field('new'), off])])).toEqual([])
  })

  it('may not remove answered fields', () => {
    expect(changed([group('one', [kind, free])])).toEqual([
      {
        meta: 'case_meta',
        path: [0],
        field: 'is_urgent',
        message: "'Urgent' is answered in 12 cases; switch it off instead of removing it",
      },
    ])
    expect(changed([group('one', [urgent, free])])[0].message).toContain(
      "'Kind' is answered in 1 case; switch it off",
    )
    expect(changed([])).toHaveLength(2)
  })

  it('counts issues in the issue form', () => {
    const used = { case_meta: {}, issue_meta: { free: 1200 } }
    const [problem] = changed([group('one', [urgent, kind])], before, used, 'issue_meta')
    expect(problem.message).toBe("'Free' is answered in 1,200 issues; switch it off instead of removing it")
  })

  it('may not rename or retype answered fields', () => {
    expect(changed([group('one', [urgent, { ...kind, name: 'sort' }, free])])[0]).toMatchObject({
      path: [0, 'fields', 1, 'name'],
      message: "'Kind' is answered in 1 case, so its name must stay 'kind'; change its label instead",
    })
    expect(changed([group('one', [urgent, { ...kind, type: 'multiselect' }, free])])[0]).toMatchObject({
      path: [0, 'fields', 1, 'type'],
    })
  })

  it('must keep every choice of an answered field, retired or not, and its lookup', () => {
    const retired = {
      ...kind,
      attrs: {
        options: [
          { value: 'x', label: 'X', active: false },
          { value: 'y', label: 'Y' },
        ],
      },
    }
    expect(changed([group('one', [urgent, retired, free])])).toEqual([])
    expect(changed([group('one', [urgent, choice('kind', ['x']), free])])[0].message).toContain(
      "'Y' of 'Kind' is answered in 1 case, so it must stay; retire it",
    )
    expect(
      changed([group('one', [urgent, field('kind', 'select', { lookup: 'gender' }), free])])[0].message,
    ).toContain('its list cannot change')
  })

  it('must keep the columns of an answered repeat', () => {
    const was = [group('one', [repeat('r', [field('a'), field('b')])])]
    const used = { case_meta: { r: 3 }, issue_meta: {} }
    expect(changed([group('one', [repeat('r', [field('b'), field('c'), field('a')])])], was, used)).toEqual(
      [],
    )
    expect(changed([group('one', [repeat('r', [field('b')])])], was, used)[0].message).toContain(
      "'A' is answered in 3 cases",
    )
    expect(
      changed([group('one', [repeat('r', [field('a'), field('b', 'date')])])], was, used)[0].path,
    ).toEqual([0, 'fields', 0, 'fields', 1, 'type'])
  })

  it('must keep fields that lists read, even without answers', () => {
    const unused: Usage = { case_meta: {}, issue_meta: {} }
    expect(changed([group('one', [kind, free])], before, unused)[0].message).toContain(
      "Lists and reports read 'Urgent'",
    )
    expect(changed([group('one', [{ ...urgent, attrs: { is_on: false } }])], before, unused)).toEqual([])
    expect(
      changed([group('one', [{ ...urgent, name: 'hurry' }, kind, free])], before, unused)[0].message,
    ).toContain("its name must stay 'is_urgent'")
  })
})

describe('a removed field', () => {
  const before = { case_meta: [], issue_meta: [] } as Metas
  const [referral, other]: Group[] = [
    group('referral', [field('ward')]),
    group('other', [visibleWhen('note', { ward: { set: true } })]),
  ]
  const usage: Usage = { case_meta: { ward: 12 }, issue_meta: {} }
  const after = (...groups: Group[]) =>
    checkMeta({ ...before, case_meta: groups }, known, {
      meta: { ...before, case_meta: [referral, other] },
      usage,
    })

  it('is named in the errors, not the field now in its place', () => {
    expect(after(other)).toEqual([
      {
        meta: 'case_meta',
        path: [0, 'fields', 0, 'attrs', 'when', 'ward'],
        field: 'note',
        message: "This condition looks at 'Ward', which is removed; choose another or remove it",
      },
      {
        meta: 'case_meta',
        path: [],
        field: 'ward',
        message:
          "'Referral' is removed with 'Ward', which is answered in 12 cases: put the group back and switch it off instead",
      },
    ])
  })

  it('is reported at its group if that stays, wherever it moved', () => {
    const [found] = after(other, { ...referral, fields: [] }).filter((p) => p.path.length === 1)
    expect(found).toMatchObject({ path: [1], field: 'ward' })
  })
})
