import { describe, expect, it } from 'vitest'
import { mergeByChoices } from '../../src/constructor/forms/mergeConflicts.ts'
import type { Mergeable, Side } from '../../src/contract/caseType/mergeForms.ts'
import { mergeOrder } from '../../src/contract/caseType/mergeOrder.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { isEqual } from '../../src/contract/isEqual.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { formMade, republished } from './formsMade.ts'
import { choice, field, group, repeat, yesno } from './metaBuilders.ts'

const form = (...case_meta: Group[]): Mergeable => ({
  label: 'Care',
  case_meta,
  issue_meta: [],
  tests: [],
  automations: [],
  deadlines: [],
})
const ward = field('ward', 'text', { help: 'Where they are' })
const base = form(
  group('one', [ward, yesno('urgent'), choice('kind', ['a', 'b'])]),
  group('two', [repeat('family', [field('name'), field('phone')])]),
)
/** The base with another field or column in the place of one of that name, or without it. */
function changed(name: string, how: (one: Field) => Field[] | Field): Mergeable {
  const inside = (fields: Field[]): Field[] =>
    fields.flatMap((one) => {
      if (one.name === name) return how(one)
      return one.fields ? { ...one, fields: inside(one.fields) } : one
    })
  return form(...base.case_meta.map((g) => ({ ...g, fields: inside(g.fields) })))
}
const attrs = (more: Field['attrs']) => (one: Field) => ({ ...one, attrs: { ...one.attrs, ...more } })
const merge = (mine: Mergeable, theirs: Mergeable, choices: Record<string, Side> = {}) => {
  const { merged, conflicts } = mergeByChoices({ base, mine, theirs }, choices)
  return { ...merged, conflicts, outline: outlineOf(merged.case_meta) }
}
/** 'one: ward urgent | two: family(name phone)' */
function outlineOf(groups: Group[]): string {
  const words = (one: Field): string => one.name + (one.fields ? `(${one.fields.map(words).join(' ')})` : '')
  return groups.map((g) => `${g.name}: ${g.fields.map(words).join(' ')}`).join(' | ')
}
const START = 'one: ward urgent kind | two: family(name phone)'
const fieldOf = ({ case_meta }: Mergeable, name: string) =>
  case_meta.flatMap((g) => g.fields).find((one) => one.name === name)

describe('two people who change the same forms', () => {
  it('have both their changes where these are about different settings', () => {
    const mine = changed('ward', (one) => ({ ...attrs({ required: true })(one), label: 'Ward or unit' }))
    const theirs = changed('ward', attrs({ help: 'The ward', max_length: 40 }))
    const { conflicts, ...merged } = merge(mine, theirs)
    expect(conflicts).toEqual([])
    expect(fieldOf(merged, 'ward')).toEqual({
      ...ward,
      label: 'Ward or unit',
      attrs: { help: 'The ward', required: true, max_length: 40 },
    })
  })

  it('have both their additions, removals and moves', () => {
    const mine = changed('urgent', () => [yesno('safe'), field('risk')])
    const theirs = form(
      base.case_meta[1],
      group('three', [field('note')]),
      group('one', [choice('kind', ['a', 'b']), ward, field('since', 'date'), yesno('urgent')]),
    )
    const { conflicts, outline } = merge(mine, theirs)
    expect(conflicts).toEqual([])
    expect(outline).toBe('two: family(name phone) | three: note | one: kind ward safe risk since')
  })

  it('have a field where it was moved, with what the other changed of it', () => {
    const mine = form(
      group('one', [ward, yesno('urgent')]),
      group('two', [choice('kind', ['a', 'b']), ...base.case_meta[1].fields]),
    )
    const theirs = changed('kind', attrs({ required: true }))
    const { conflicts, outline, ...merged } = merge(mine, theirs)
    expect([conflicts, outline]).toEqual([[], 'one: ward urgent | two: kind family(name phone)'])
    expect(fieldOf(merged, 'kind')?.attrs?.required).toBe(true)
  })

  it('have the choices that both added to one field', () => {
    const mine = changed('kind', () => choice('kind', ['a', 'c', 'b']))
    const theirs = changed('kind', () => choice('kind', ['-a', 'b', 'd']))
    const { conflicts, ...merged } = merge(mine, theirs)
    expect(conflicts).toEqual([])
    expect(fieldOf(merged, 'kind')).toEqual(choice('kind', ['-a', 'c', 'b', 'd']))
  })

  it('choose where both changed the same setting, and keep what else they changed', () => {
    const mine = changed('ward', (one) => ({ ...attrs({ required: true })(one), label: 'Mine' }))
    const theirs = changed('ward', (one) => ({ ...attrs({ help: 'New' })(one), label: 'Theirs' }))
    const { conflicts, ...merged } = merge(mine, theirs)
    expect(conflicts).toEqual([
      {
        key: 'case_meta/ward',
        of: 'case_meta',
        path: ['One', 'Mine'],
        parts: [{ name: 'Label', before: 'Theirs', after: 'Mine' }],
      },
    ])
    expect(fieldOf(merged, 'ward')).toMatchObject({ label: 'Mine', attrs: { required: true, help: 'New' } })
    const chosen = merge(mine, theirs, { 'case_meta/ward': 'theirs' })
    expect(fieldOf(chosen, 'ward')).toMatchObject({ label: 'Theirs', attrs: { required: true, help: 'New' } })
  })

  it('choose where one changed the type and the other a setting, the type with its settings', () => {
    const mine = changed('ward', () => field('ward', 'textarea', { max_words: 50 }))
    const theirs = changed('ward', attrs({ max_length: 40 }))
    const { conflicts, ...merged } = merge(mine, theirs)
    expect(conflicts.map(({ key }) => key)).toEqual(['case_meta/ward'])
    expect(fieldOf(merged, 'ward')).toEqual(field('ward', 'textarea', { max_words: 50 }))
    expect(
      fieldOf(
        merge(
          changed('ward', (one) => one),
          mine,
        ),
        'ward',
      )?.type,
    ).toBe('textarea')
  })

  it('choose where one removed what the other changed, with all that stands in it', () => {
    const mine = form(base.case_meta[0])
    const theirs = changed('phone', (one) => ({ ...one, label: 'Telephone' }))
    const { conflicts, outline } = merge(mine, theirs)
    expect(conflicts.map(({ key, path }) => [key, path])).toEqual([['case_meta/group:two', ['Two']]])
    expect(outline).toBe('one: ward urgent kind')
    const kept = merge(mine, theirs, { 'case_meta/group:two': 'theirs' })
    expect(kept.outline).toBe(START)
    expect(fieldOf(kept, 'family')?.fields?.[1].label).toBe('Telephone')
    expect(merge(theirs, mine).outline).toBe(START)
  })

  it('lose no field that stood in a group that one removed and the other filled', () => {
    const mine = form(group('one', [...base.case_meta[0].fields, base.case_meta[1].fields[0]]))
    const theirs = form(
      group('one', base.case_meta[0].fields.slice(1)),
      group('two', [ward, ...base.case_meta[1].fields]),
    )
    expect(merge(mine, theirs).outline).toBe('one: ward urgent kind family(name phone)')
  })

  it('have one name of the case type, and the tests of both', () => {
    const test = (name: string, today = '2026-01-01') => ({
      name,
      meta: 'case_meta' as const,
      given: {},
      as: { today },
      expect: {},
    })
    const tests = [test('a'), test('b'), test('c')]
    const { merged, conflicts } = mergeByChoices({
      base: { ...base, tests },
      mine: { ...base, label: 'Mine', tests: [test('a', '2026-02-02'), test('c'), test('d')] },
      theirs: { ...base, label: 'Theirs', tests: [test('a'), test('b', '2026-03-03'), test('e')] },
    })
    expect(conflicts.map(({ key }) => key)).toEqual(['label', 'tests/b'])
    expect(merged.label).toBe('Mine')
    expect(merged.tests.map(({ name, as }) => `${name} ${as.today}`)).toEqual([
      'a 2026-02-02',
      'd 2026-01-01',
      'e 2026-01-01',
    ])
  })
})

describe('merged orders', () => {
  it.each([
    ['abc', 'abc', 'abc', 'abc'],
    ['abc', 'cab', 'abcd', 'cdab'],
    ['abc', 'abxc', 'cab', 'cabx'],
    ['abc', 'xabc', 'abcy', 'xabcy'],
    ['', 'ab', 'cd', 'abcd'],
  ])('of %s, mine %s and theirs %s are %s', (was, mine, theirs, expected) => {
    expect(mergeOrder({ base: [...was], mine: [...mine], theirs: [...theirs] }).join('')).toBe(expected)
  })
})

it('whatever two people do, each one’s own changes stay, and nothing stands twice', () => {
  for (let seed = 1; seed <= (FULL ? 5000 : 200); seed++) {
    const random = seeded(seed)
    const start = form(...formMade(random))
    const [mine, theirs] = [1, 2].map(() => form(...republished(start.case_meta, random)))
    expect(mergeByChoices({ base: start, mine, theirs: start }).merged.case_meta).toEqual(mine.case_meta)
    expect(mergeByChoices({ base: start, mine: start, theirs }).merged.case_meta).toEqual(theirs.case_meta)
    const { merged, conflicts } = mergeByChoices({ base: start, mine, theirs })
    const names = merged.case_meta.flatMap((g) => g.fields.map((f) => f.name))
    expect(new Set(names).size).toBe(names.length)
    const hasConflict = (name: string) => conflicts.some(({ key }) => key.split(/[/.]/).includes(name))
    for (const one of mine.case_meta.flatMap((g) => g.fields)) {
      const [was, now] = [fieldOf(start, one.name), fieldOf(merged, one.name)]
      const isTheirs = isEqual(was, one)
      const other = fieldOf(theirs, one.name)
      if (!isTheirs && (isEqual(was, other) || hasConflict(one.name)) && !one.fields) expect(now).toEqual(one)
      if (isTheirs && other && !one.fields) expect(now).toEqual(other)
    }
  }
})
