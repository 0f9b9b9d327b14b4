import { describe, expect, it } from 'vitest'
import { adviceOn } from '../../src/constructor/forms/advice.ts'
import { neverVisible } from '../../src/constructor/forms/neverVisible.ts'
import { nodesOf } from '../../src/constructor/forms/nodes.ts'
import { possible } from '../../src/constructor/forms/possible.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { visible } from '../../src/contract/visible.ts'
import { holds, type Test, type When } from '../../src/contract/when.ts'
import {
  caseMeta,
  choice,
  demoMetas,
  field,
  group,
  hostileMetas,
  repeat,
  visibleWhen,
  yesno,
} from './metaBuilders.ts'

const messages = (...fields: Field[]) => ofGroups(group('one', fields))
const ofGroups = (...groups: Group[]) => adviceOn(caseMeta(...groups)).map((p) => p.message)

describe('advice', () => {
  it('is empty for the case types of the demo', () => {
    for (const metas of demoMetas()) expect(adviceOn(metas)).toEqual([])
  })

  it('names the numbers that no band has or several have, but not a cascade', () => {
    const banded = (type: 'integer' | 'decimal', ...limits: [number?, number?][]) =>
      messages(
        field('score', type),
        field('level', 'text', {
          calc: 'choose',
          choose: [
            ...limits.map(([min, max], i) => ({
              when: { score: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) } },
              then: { text: `Level ${i}` },
            })),
            {},
          ],
        }),
      )
    expect(banded('integer', [0, 4], [5, 9], [10])).toEqual([])
    expect(banded('integer', [20], [15], [10])).toEqual([])
    expect(banded('integer', [0, 4], [6, 9], [11])).toEqual([
      "No band of 'Level' has 5: such numbers get the value under ‘Otherwise’",
      "No band of 'Level' has 10: such numbers get the value under ‘Otherwise’",
    ])
    expect(banded('decimal', [0, 4], [5, 9])).toEqual([
      "No band of 'Level' has what lies between 4 and 5: such numbers get the value under ‘Otherwise’",
    ])
    expect(banded('integer', [0, 5], [5, 9])).toEqual([
      "Two bands of 'Level' have 5: these get the value of the first, 0 to 5",
    ])
    expect(banded('integer', [0, 9], [3, 4])).toEqual([
      "The band 3 to 4 of 'Level' is never used: 0 to 9 comes before it and has all its numbers",
    ])
  })

  it('reports the meta, the path and the field; a column as its repeat', () => {
    const columns = [yesno('a', { is_on: false }), visibleWhen('b', { a: 'yes' })]
    const metas = { case_meta: [], issue_meta: [group('one', [repeat('family', columns)])] }
    expect(adviceOn(metas)).toEqual([
      {
        meta: 'issue_meta',
        path: [0, 'fields', 0, 'fields', 1, 'attrs', 'when'],
        field: 'family',
        message: "'B' of 'Family' can never be shown: 'A' is switched off",
      },
    ])
  })

  it('warns of conditions on a retired choice, not of those that exclude it', () => {
    const setting = choice('setting', ['home', '-ward'])
    expect(messages(setting, visibleWhen('a', { setting: ['home', 'ward'] }))).toEqual([
      "'A' is shown depending on 'Ward' of 'Setting', a choice that is retired",
    ])
    expect(messages(setting, field('a', 'text', { required_when: { any: [{ setting: 'ward' }] } }))).toEqual([
      "'A' is required depending on 'Ward' of 'Setting', a choice that is retired",
    ])
    expect(messages(setting, visibleWhen('a', { setting: { not: 'ward' } }))).toEqual([])
  })

  it('warns of two choices with the same words, which may be published', () => {
    const options = [
      { value: 'x', label: 'At home' },
      { value: 'y', label: ' at  Home' },
    ]
    const form = caseMeta(group('one', [field('a', 'select', { options })]))
    expect(checkMeta(form, { lookups: {} })).toEqual([])
    expect(adviceOn(form)).toEqual([
      {
        meta: 'case_meta',
        path: [0, 'fields', 0, 'attrs', 'options', 1, 'label'],
        field: 'a',
        message: "'A' offers 'at Home' twice, so nobody can tell which is meant",
      },
    ])
    // What is retired is offered no more.
    const [first, second] = options
    expect(messages(field('a', 'select', { options: [{ ...first, active: false }, second] }))).toEqual([])
  })

  it('warns of lookup items that are retired or gone', () => {
    const itemLabel = (_: string, value: number) => ['', 'Home', 'Ward'][value]
    const itemFate = (_: string, value: number) =>
      (['offered', 'offered', 'retired'] as const)[value] ?? 'gone'
    const advice = (...fields: Field[]) =>
      adviceOn(caseMeta(group('one', fields)), itemLabel, itemFate).map((p) => [p.path.at(-1), p.message])
    const list = (preset?: number | number[], type: Field['type'] = 'select') =>
      field('setting', type, { lookup: 'setting', default: preset })
    expect(advice(list(1))).toEqual([])
    expect(advice(list(2))).toEqual([
      ['default', "'Setting' begins as 'Ward', which is retired; choose another"],
    ])
    expect(advice(list([1, 9], 'multiselect'))).toEqual([
      ['default', "'Setting' begins as 'item 9', which its list does not have; choose another"],
    ])
    expect(
      advice(list(), visibleWhen('a', { setting: [1, 2] }), visibleWhen('b', { setting: { not: 2 } })),
    ).toEqual([['when', "'A' is shown depending on 'Ward' of 'Setting', a choice that is retired"]])
    // Without the items there is no advice on them.
    expect(adviceOn(caseMeta(group('one', [list(2)])), itemLabel)).toEqual([])
  })

  it('warns of conditions on fields that are off', () => {
    const off = yesno('urgent', { is_on: false })
    expect(messages(off, visibleWhen('a', { urgent: 'yes' }))).toEqual([
      "'A' can never be shown: 'Urgent' is switched off",
    ])
    expect(messages(off, visibleWhen('a', { urgent: { not: 'yes' } }))).toEqual([
      "'A' is shown depending on 'Urgent', which is switched off and so never has a value",
    ])
    expect(
      ofGroups(
        group('one', [yesno('urgent')], { is_on: false }),
        group('two', [visibleWhen('a', { urgent: 'yes' })]),
      ),
    ).toEqual(["'A' can never be shown: 'Urgent' is switched off"])
  })

  it('ignores fields that are off', () => {
    const off = yesno('urgent', { is_on: false })
    expect(
      messages(off, visibleWhen('a', { urgent: 'yes' }, { is_on: false, required: true }), field('b')),
    ).toEqual([])
    expect(ofGroups(group('one', [visibleWhen('a', { x: { min: 3, max: 1 } })], { is_on: false }))).toEqual(
      [],
    )
  })

  it('follows chains of fields that can never be visible, in any order', () => {
    expect(
      messages(
        visibleWhen('c', { b: 'x' }, { required: true }),
        visibleWhen('b', { a: { set: true } }),
        yesno('a', { is_on: false }),
      ),
    ).toEqual([
      "'C' is required, but can never be shown: 'B' can never be shown",
      "'B' can never be shown: 'A' is switched off",
    ])
  })

  it('lists every field of a group that can never be visible', () => {
    const groups = [
      group('one', [yesno('a', { is_on: false }), field('z')]),
      group('two', [field('b', 'text', { required: true }), repeat('r', [field('c')])], {
        when: { a: 'yes' },
      }),
      group('three', [visibleWhen('d', { b: { set: true } })]),
    ]
    expect(ofGroups(...groups)).toEqual([
      "The group 'Two' can never be shown: 'A' is switched off",
      "'B' is required, but can never be shown: its group 'Two' never is",
      "'R' can never be shown: its group 'Two' never is",
      "'D' can never be shown: 'B' can never be shown",
    ])
  })

  it('uses the labels of lookup items', () => {
    const fields = [field('kind', 'select', { lookup: 'kinds' }), visibleWhen('a', { kind: { set: false } })]
    const both = caseMeta(
      group('one', [...fields, visibleWhen('b', { kind: 14, any: [{ kind: 15 }] })]),
      group('two', [visibleWhen('c', { kind: 14 })], { when: { kind: 16 } }),
    )
    const advice = adviceOn(both, (lookup, value) => (value < 16 ? `${lookup} ${value}` : undefined))
    expect(advice.map((p) => p.message)).toEqual([
      `'B' can never be shown: "'Kind' is kinds 14" and "'Kind' is kinds 15" exclude each other`,
      `'C' can never be shown: "'Kind' is kinds 14" and "'Kind' is item 16" exclude each other`,
    ])
  })

  it('detects conditions that contradict themselves, their group or another field’s condition', () => {
    expect(messages(field('n', 'integer'), visibleWhen('a', { n: { min: 5, max: 3 } }))).toEqual([
      `'A' can never be shown: "'N' is at least 5 and is at most 3" is never true`,
    ])
    expect(
      ofGroups(
        group('zero', [yesno('u')]),
        group('one', [visibleWhen('a', { u: 'no' })], { when: { u: 'yes' } }),
      ),
    ).toEqual([`'A' can never be shown: "'U' is No" and "'U' is Yes" exclude each other`])
    expect(
      messages(yesno('u'), visibleWhen('b', { u: 'no' }), visibleWhen('a', { u: 'yes', b: { set: true } })),
    ).toEqual([`'A' can never be shown: "'U' is Yes" and "'U' is No" (for 'B') exclude each other`])
    const dead = { any: [{ u: ['yes'], b: 'x' }, { u: { not: ['yes', 'no', 'not_known'], set: true } }] }
    expect(messages(yesno('u'), visibleWhen('b', { u: 'no' }), visibleWhen('a', dead))[0]).toContain(
      "'A' can never be shown: none of its alternatives can hold",
    )
    expect(messages(yesno('u'), visibleWhen('a', { any: [{ u: 'yes' }, { u: 'no' }] }))).toEqual([])
  })

  it('detects required_when that is never true', () => {
    expect(messages(yesno('u'), visibleWhen('a', { u: 'yes' }, { required_when: { u: 'no' } }))).toEqual([
      `'A' is never required: "'U' is No" and "'U' is Yes" exclude each other`,
    ])
    const off = yesno('o', { is_on: false })
    expect(messages(off, field('a', 'text', { required_when: { o: 'yes' } }))[0]).toBe(
      "'A' is never required: 'O' is switched off",
    )
    expect(
      messages(yesno('u'), visibleWhen('a', { u: 'yes' }, { required: true, required_when: { u: 'no' } })),
    ).toEqual([])
  })

  it('detects fields that cannot be filled in', () => {
    expect(messages(repeat('r', [field('a', 'text', { is_on: false })]))).toEqual([
      "'R' has rows without anything to fill in: all its columns are switched off",
    ])
    expect(messages(choice('c', ['-a', '-b'], { required: true }))).toEqual([
      "'C' cannot be answered, though it is required: all its choices are retired",
    ])
    expect(messages(choice('c', ['-a', '-b'], {}, 'multiselect'))).toHaveLength(1)
    expect(ofGroups(group('one', [field('a', 'text', { is_on: false })]), group('two', []))).toEqual([
      "The group 'One' is not shown: all its fields are switched off",
      "The group 'Two' is not shown: it has no fields",
    ])
  })

  it('does not repeat errors of checkMeta or their consequences', () => {
    const refused = caseMeta(
      group('one', [
        visibleWhen('a', { nowhere: 'x' }),
        visibleWhen('b', { a: 'x' }, { required: true }),
        choice('c', ['x']),
        visibleWhen('d', { c: 'no such choice' }),
        visibleWhen('e', { f: 'x' }),
        visibleWhen('f', { e: { set: false } }),
      ]),
    )
    expect(checkMeta(refused, { lookups: {} }).length).toBeGreaterThan(2)
    expect(adviceOn(refused)).toEqual([])
  })

  it('ignores a name that two fields share', () => {
    const columns = [yesno('u', { is_on: false }), visibleWhen('a', { u: 'yes' })]
    expect(messages(yesno('u'), repeat('r', columns))).toEqual([])
  })

  it('does not throw on hostile forms', () => {
    for (const metas of hostileMetas()) {
      for (const one of adviceOn(metas)) expect(one.message.length).toBeLessThan(1500)
    }
  })
})

/** Numbers below n, the same in every run. */
function dice(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

const VALUES = ['x', 'y', 'z']

function someTest(roll: (n: number) => number): Test {
  const value = () => VALUES[roll(3)]
  const tests: Test[] = [value(), [value(), value()], { not: value() }, { not: [value(), value()] }, null]
  return [...tests, { set: true }, { set: false }, { not: null }, { not: value(), set: true }][roll(9)]
}

describe('possible and neverVisible', () => {
  it('agree with every value of generated tests', () => {
    const roll = dice(1)
    const one = choice('c', VALUES)
    const many = choice('c', VALUES, {}, 'multiselect')
    const subsets = Array.from({ length: 8 }, (_, bits) => VALUES.filter((_, i) => bits & (1 << i)))
    for (let i = 0; i < 3000; i++) {
      const tests = Array.from({ length: 1 + roll(3) }, () => someTest(roll))
      const passes = (c: unknown) => tests.every((test) => holds({ c: test }, { answers: { c } }))
      expect(possible(tests, one), JSON.stringify(tests)).toBe([undefined, ...VALUES].some(passes))
      const some = [undefined, ...subsets.filter((s) => s.length > 0)].some(passes)
      expect(possible(tests, many), JSON.stringify(tests)).toBe(some)
    }
  })

  it('consider whole numbers between two limits', () => {
    const number = field('n', 'integer')
    expect(possible([{ min: 3, max: 5, not: [3, 5] }], number)).toBe(true)
    expect(possible([{ min: 3, max: 5, not: [3, 4, 5] }], number)).toBe(false)
    expect(possible([{ min: '2026-01-01' }, { max: '2025-12-31' }], field('d', 'date'))).toBe(false)
  })

  it('agree with the visible fields of generated forms', () => {
    const roll = dice(7)
    const names = ['a', 'b', 'c', 'd']
    // Only names that come before, so that there is no cycle.
    const when = (before: number): When => {
      const one = () => ({ [names[roll(before)]]: someTest(roll) })
      return roll(3) === 0 ? { any: [one(), { ...one(), ...one() }], ...one() } : { ...one(), ...one() }
    }
    let found = 0
    for (let i = 0; i < 250; i++) {
      const fields = names.map((name, n) =>
        choice(name, VALUES, { ...(n > 0 && { when: when(n) }), ...(roll(6) === 0 && { is_on: false }) }),
      )
      const groups = [group('two', fields.slice(2), { when: when(2) }), group('one', fields.slice(0, 2))]
      const { never } = neverVisible(nodesOf(groups, () => true))
      if (never.size === 0) continue
      found++
      const seen = new Set<string>()
      for (let bits = 0; bits < 256; bits++) {
        const entries = names.map((name, n) => [name, [undefined, ...VALUES][(bits >> (2 * n)) & 3]])
        const shown = visible(groups, { answers: Object.fromEntries(entries) })
        for (const one of shown.flatMap((g) => g.fields)) seen.add(one.name)
      }
      for (const one of fields)
        if (never.has(one)) expect(seen, JSON.stringify(groups)).not.toContain(one.name)
    }
    expect(found).toBeGreaterThan(50)
  })
})
