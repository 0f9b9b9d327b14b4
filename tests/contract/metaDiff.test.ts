import { describe, expect, it } from 'vitest'
import { alignItems } from '../../src/constructor/forms/alignItems.ts'
import { differences } from '../../src/constructor/forms/diff.ts'
import { longestIncreasingSubsequence } from '../../src/constructor/forms/longestIncreasingSubsequence.ts'
import type { FieldAttrs, Group } from '../../src/contract/generated.ts'
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

const between = (before: Group[], after: Group[]) => differences(caseMeta(...before), caseMeta(...after))
const changes = (before: Group[], after: Group[]) =>
  between(before, after).map(({ change, path }) => `${change} ${path.join(' › ')}`)
const parts = (before: FieldAttrs, after: FieldAttrs, type: 'text' | 'integer' | 'date' = 'text') => {
  const others = [yesno('urgent'), field('since', 'date')]
  const found = between(
    [group('one', [field('a', type, before), ...others])],
    [group('one', [field('a', type, after), ...others])],
  )
  return found.flatMap((one) => one.parts.map((p) => [p.name, p.before, p.after]))
}

describe('differences', () => {
  it('are empty between equal forms', () => {
    for (const metas of demoMetas()) expect(differences(metas, structuredClone(metas))).toEqual([])
    expect(parts({ is_on: true, options: [] }, { options: [] })).toEqual([])
  })

  it('have meta, path, change and parts', () => {
    const before = { case_meta: [], issue_meta: [group('one', [repeat('family', [field('phone')])])] }
    const after = structuredClone(before)
    after.issue_meta[0].fields[0].fields![0].label = 'Telephone'
    expect(differences(before, after)).toEqual([
      {
        meta: 'issue_meta',
        path: ['One', 'Family', 'Telephone'],
        change: 'changed',
        parts: [{ name: 'Label', before: 'Phone', after: 'Telephone' }],
      },
    ])
  })

  it('describe a calculation and what choices weigh', () => {
    // What is not chosen yet.
    expect(parts({}, { calc: 'days_between', of: ['since', ''] }, 'integer').at(-1)?.[2]).toContain(' to …')
    expect(parts({}, { calc: 'add_days', of: ['since', 10] }, 'date')).toEqual([
      ['Calculated', '', "10 days after 'Since'"],
    ])
    const of = (weight?: number) => [{ value: 'x', label: 'Ex', ...(weight !== undefined && { weight }) }]
    expect(parts({ options: of() }, { options: of(3) })).toEqual([['Choices', 'Ex', 'Ex, weight 3']])
  })

  it('describe settings in words', () => {
    expect(parts({}, { is_on: false, help: 'Ask', max_length: 2000 })).toEqual([
      ['Help', '', 'Ask'],
      ['In use', 'Yes', 'No'],
      ['Longest answer', '', '2,000 characters'],
    ])
    expect(parts({}, { pattern: { matches: '[A-Z]\\d', example: 'A1' } })).toEqual([
      ['Pattern', '', "Must be like 'A1': [A-Z]\\d"],
    ])
    expect(parts({ required: true }, { required_when: { urgent: 'yes' } })).toEqual([
      ['Required', 'Always', "When 'Urgent' is Yes"],
    ])
    expect(parts({}, { when: { any: [{ urgent: 'yes' }, { urgent: 'no' }] } })).toEqual([
      ['Shown when', 'Always', "('Urgent' is Yes or 'Urgent' is No)"],
    ])
    expect(
      parts({ rules: ['not_future'] }, { rules: ['not_future', 'after:since'], default: 'today' }, 'date'),
    ).toEqual([
      ['Rules', 'Must not be in the future', "Must not be in the future\nMust not be before 'Since'"],
      ['Begins as', '', 'Today'],
    ])
    expect(parts({ min: 1 }, { min: 1, max: 1000, report: true, sensitive: true }, 'integer')).toEqual([
      ['At most', '', '1,000'],
      ['Sensitive', 'No', 'Yes'],
      ['Cases can be searched by it', 'No', 'Yes'],
    ])
    expect(
      parts({ lookup: 'council_area' }, { lookup: 'wards', lookup_params: { area: '$since', x: 3 } }),
    ).toEqual([
      ['List', 'council area', 'wards'],
      ['Narrowed by', '', "area: what is answered in 'Since'\nx: item 3"],
    ])
  })

  it('use the labels of lookup items', () => {
    const form = (kind: FieldAttrs, when?: number) => [
      group('one', [
        field('kind', 'select', { lookup: 'kinds', ...kind }),
        field('b', 'text', when ? { when: { kind: when }, required_when: { kind: when } } : {}),
      ]),
    ]
    const found = differences(
      caseMeta(...form({ default: 14, lookup_params: { service: 1 } })),
      caseMeta(...form({ default: 15, lookup_params: { service: 2, own: true } }, 16)),
      (lookup, value) => (value === 16 ? undefined : `${lookup} ${value}`),
    )
    expect(found.flatMap((one) => one.parts)).toEqual([
      { name: 'Narrowed by', before: 'service: service 1', after: 'service: service 2\nown: Yes' },
      { name: 'Begins as', before: 'kinds 14', after: 'kinds 15' },
      { name: 'Required', before: 'No', after: "When 'Kind' is item 16" },
      { name: 'Shown when', before: 'Always', after: "'Kind' is item 16" },
    ])
    const same = differences(
      caseMeta(...form({ default: 14 })),
      caseMeta(...form({ default: 15 })),
      () => 'Other',
    )
    expect(same[0].parts).toEqual([{ name: 'Begins as', before: '14', after: '15' }])
  })

  it('distinguish choices with the same label', () => {
    const one = (...values: string[]) => [group('g', [choice('a', values)])]
    expect(between(one('x', 'y'), one('x', '-y', 'z'))[0].parts).toEqual([
      { name: 'Choices', before: 'X\nY', after: 'X\nY (retired)\nZ' },
    ])
    expect(between(one('x'), one('X'))[0].parts).toEqual([
      { name: 'Choices', before: 'X, stored as x', after: 'X, stored as X' },
    ])
  })

  it('ignore a new label in the words of a condition', () => {
    const before = [group('g', [yesno('a'), visibleWhen('b', { a: 'yes' })])]
    const after = [group('g', [{ ...yesno('a'), label: 'Changed' }, visibleWhen('b', { a: 'yes' })])]
    expect(changes(before, after)).toEqual(['changed G › Changed'])
  })

  it('are ordered as in the later form, removed ones at their old place', () => {
    const before = [
      group('x', [field('a')]),
      group('one', [field('a1'), field('b'), field('c')]),
      group('y', []),
    ]
    const after = [
      group('one', [field('new'), field('a1'), field('c')]),
      group('z', [repeat('r', [field('p')])]),
    ]
    expect(changes(before, after)).toEqual([
      'removed X',
      'removed X › A',
      'added One › New',
      'removed One › B',
      'removed Y',
      'added Z',
      'added Z › R',
      'added Z › R › P',
    ])
  })

  it('report fields that moved, not those that shifted', () => {
    const form = (names: string) => [
      group(
        'g',
        [...names].map((name) => field(name)),
      ),
    ]
    expect(changes(form('abcdef'), form('fabcde'))).toEqual(['moved G › F'])
    expect(changes(form('abcdef'), form('bcdefa'))).toEqual(['moved G › A'])
    expect(changes(form('abc'), form('xabc'))).toEqual(['added G › X'])
    expect(changes(form('abcd'), form('bcd'))).toEqual(['removed G › A'])
    expect(between(form('abc'), form('cab'))[0].parts).toEqual([
      { name: 'Place', before: "After 'B'", after: 'First' },
    ])
    const groups = (names: string) => [...names].map((name) => group(name, []))
    expect(changes(groups('abc'), groups('cab'))).toEqual(['moved C'])
    const rows = (names: string) => [
      group('g', [
        repeat(
          'r',
          [...names].map((name) => field(name)),
        ),
      ]),
    ]
    expect(changes(rows('abc'), rows('acb'))).toHaveLength(1)
  })

  it('follow a field into another group', () => {
    const before = [group('one', [field('a'), field('b')]), group('two', [field('c')])]
    const after = [group('one', [field('b')]), group('two', [field('c'), field('a', 'text', { help: 'x' })])]
    expect(between(before, after)).toEqual([
      {
        meta: 'case_meta',
        path: ['Two', 'A'],
        change: 'changed',
        parts: [
          { name: 'Place', before: "In 'One'", after: "In 'Two'" },
          { name: 'Help', before: '', after: 'x' },
        ],
      },
    ])
  })

  it('do not throw on hostile forms', () => {
    const all = [...hostileMetas(), caseMeta()]
    for (const before of all) for (const after of all) differences(before, after)
    expect(differences(caseMeta(), hostileMetas()[1])[1].path[1]).toContain('<script>')
  })
})

describe('the longest increasing subsequence', () => {
  it.each([
    [[], 0],
    [[5], 1],
    [[1, 2, 3], 3],
    [[3, 2, 1], 1],
    [[3, 1, 2, 5, 4], 3],
    [[1, 1, 1], 1],
  ])('of %j is %i long', (numbers, length) => {
    const run = [...longestIncreasingSubsequence(numbers)].sort((a, b) => a - b).map((i) => numbers[i])
    expect(run).toHaveLength(length)
    expect(run).toEqual([...new Set(run)].sort((a, b) => a - b))
  })
})

describe('alignItems', () => {
  it('pairs each item once, also if a name occurs twice', () => {
    const [a, b] = [{ name: 'a' }, { name: 'a' }]
    expect(alignItems([a, b], [a, b])).toEqual([
      { was: a, is: a, isMoved: false },
      { was: b, isMoved: false },
      { is: b, isMoved: false },
    ])
  })
})
