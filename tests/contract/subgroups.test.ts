import { describe, expect, it } from 'vitest'
import { formInWords } from '../../src/constructor/forms/formInWords.ts'
import { sharedCondition, withSharedCondition } from '../../src/constructor/forms/sharedCondition.ts'
import { sameChoices, weightKey, withWeights } from '../../src/constructor/settings/sameChoices.ts'
import { addressOf } from '../../src/contract/addressOf.ts'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { paperForm } from '../../src/contract/meta/paperForm.ts'
import { whyField } from '../../src/contract/meta/why.ts'
import { both } from '../../src/contract/subgroups.ts'
import { visible } from '../../src/contract/visible.ts'
import { holds, type Values, type When } from '../../src/contract/when.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { caseMeta, choice, field, group, yesno } from './metaBuilders.ts'

describe('a group under another one', () => {
  const groups: Group[] = [
    group('start', [yesno('urgent'), yesno('at_home')]),
    group('risk', [field('a')], { when: { urgent: 'yes' } }),
    group('falls', [field('b')], { under: 'risk', when: { at_home: 'yes' } }),
    group('fire', [field('c')], { under: 'risk', folded: true }),
    group('end', [field('d')]),
  ]
  const shown = (answers: Values, all = groups) => visible(all, { answers }).map(({ name }) => name)

  it('is visible only with it', () => {
    expect(shown({ urgent: 'no', at_home: 'yes' })).toEqual(['start', 'end'])
    expect(shown({ urgent: 'yes', at_home: 'no' })).toEqual(['start', 'risk', 'fire', 'end'])
    expect(shown({ urgent: 'yes', at_home: 'yes' })).toEqual(['start', 'risk', 'falls', 'fire', 'end'])
  })

  it('keeps the heading of a group without fields of its own, and is switched off with it', () => {
    const withRisk = (change: Partial<Group>) =>
      groups.map((one) => (one.name === 'risk' ? { ...one, ...change } : one))
    expect(shown({ urgent: 'yes' }, withRisk({ fields: [] }))).toEqual(['start', 'risk', 'fire', 'end'])
    expect(shown({ urgent: 'yes' }, withRisk({ attrs: { is_on: false } }))).toEqual(['start', 'end'])
  })

  it('says so in words, why and on paper, each condition once', () => {
    expect(formInWords(groups)[3].sentences).toEqual([
      "Stands under 'Risk', and is shown only with it.",
      'Begins folded.',
    ])
    expect(whyField(groups, 'c', { answers: { urgent: 'no' } }).visibleReasons).toEqual([
      "Its group 'Risk' is shown only when 'Urgent' is Yes; 'Urgent' is now No.",
    ])
    expect(paperForm(groups).map(({ label, only, isUnder }) => [label, only, isUnder])).toEqual([
      ['Start', '', false],
      ['Risk', 'Answer part B only if you answered Yes to 1. Otherwise go to part E.', false],
      ['Falls', 'Answer part C only if you answered Yes to 2. Otherwise go to part D.', true],
      ['Fire', '', true],
      ['End', '', false],
    ])
  })

  it.each<[string, Group[]]>([
    [
      "'B' stands under 'gone', but there is no such group; choose another",
      [group('b', [field('x')], { under: 'gone' })],
    ],
    [
      "'C' stands under 'B', which itself stands under a group; choose another",
      [
        group('a', [field('x')]),
        group('b', [field('y')], { under: 'a' }),
        group('c', [field('z')], { under: 'b' }),
      ],
    ],
    [
      "'C' stands under 'A', so it must come right after it; move it",
      [group('a', [field('x')]), group('b', [field('y')]), group('c', [field('z')], { under: 'a' })],
    ],
  ])('is refused: %s', (message, all) => {
    expect(checkMeta(caseMeta(...all), { lookups: {} }).map((one) => one.message)).toEqual([message])
  })

  it('joins two conditions into one that holds while both do', () => {
    const some: When[] = [
      { a: 1 },
      { a: { not: 2 }, b: 1 },
      { any: [{ a: 1 }, { b: 2 }] },
      { a: 1, any: [{ b: 1 }, { c: 1 }] },
    ]
    for (const one of some)
      for (const other of some)
        for (let i = 0; i < 27; i++) {
          const answers = { a: i % 3, b: Math.floor(i / 3) % 3, c: Math.floor(i / 9) }
          const expected = holds(one, { answers }) && holds(other, { answers })
          expect(holds(both(one, other), { answers })).toBe(expected)
        }
  })
})

describe('a condition of a whole group', () => {
  const when = { urgent: 'yes' }
  it('is offered if all fields have it, and is then stored once', () => {
    const risk = group('risk', [field('a', 'text', { when }), field('b', 'text', { when, required: true })])
    expect(sharedCondition(risk)).toEqual(when)
    expect(withSharedCondition(risk)).toEqual(
      group('risk', [field('a', 'text', {}), field('b', 'text', { required: true })], { when }),
    )
    expect(sharedCondition(group('risk', [field('a', 'text', { when }), field('b')]))).toBeUndefined()
    expect(sharedCondition(group('risk', [field('a', 'text', { when })]))).toBeUndefined()
  })
})

describe('an address', () => {
  const groups = [group('one', [field('home', 'uk_address')])]
  const apply = (home: unknown) =>
    applyChanges({
      groups,
      stored: {},
      sent: { home },
      conditionContext: {},
      validateSchema: ajvValidate,
      today: '2026-03-15',
      all: true,
    })

  it('has a first line, a town and a postcode, in one form', () => {
    const { values, errors } = apply({ line_1: ' 1  High Street', town: 'Leeds', postcode: 'ls11aa' })
    expect(errors).toEqual({})
    expect(values.home).toEqual({ line_1: '1 High Street', town: 'Leeds', postcode: 'LS1 1AA' })
    expect(apply({ line_2: 'Flat 2', postcode: 'Leeds' }).errors).toEqual({
      'home.line_1': ['Enter address line 1'],
      'home.town': ['Enter town or city'],
      'home.postcode': ['Postcode is not in the right form'],
    })
    expect(apply({}).values).toEqual({})
  })

  it('takes its parts from a line that was found by its postcode', () => {
    expect(addressOf('10 High Street, Armley, Leeds, LS1 1AA', 'ls11aa')).toEqual({
      line_1: '10 High Street',
      line_2: 'Armley',
      town: 'Leeds',
      postcode: 'ls11aa',
    })
    expect(addressOf('10 High Street, Leeds LS1 1AA', 'LS1 1AA')).toEqual({
      line_1: '10 High Street',
      town: 'Leeds',
      postcode: 'LS1 1AA',
    })
  })
})

describe('weights of several questions', () => {
  const often = (name: string) => choice(name, ['never', 'often'])
  const groups = [group('one', [often('a'), often('b'), choice('c', ['red', 'blue']), field('d')])]

  it('are those of all questions with the same choices, entered at once', () => {
    const alike = sameChoices(groups, ['one', 'a'])
    expect(alike).toEqual([
      ['one', 'a'],
      ['one', 'b'],
    ])
    const [, option] = groups[0].fields[0].attrs!.options!
    const weights = new Map(alike.map((address) => [weightKey(address, option), '3']))
    const weighed = withWeights(groups, alike, weights)
    expect(weighed[0].fields.map(({ attrs }) => attrs?.options?.map(({ weight }) => weight))).toEqual([
      [undefined, 3],
      [undefined, 3],
      [undefined, undefined],
      undefined,
    ])
    const cleared = withWeights(weighed, alike, new Map([[weightKey(['one', 'b'], option), '']]))
    expect(cleared[0].fields[1].attrs?.options?.[1]).not.toHaveProperty('weight')
  })
})

describe('a hint of a choice', () => {
  it('is shown in words, and its choice is the same without it', () => {
    const risk = choice('risk', ['low', 'high'])
    risk.attrs!.options![1] = { ...risk.attrs!.options![1], hint: 'Harm is likely within a week' }
    expect(formInWords([group('one', [risk])])[0].below[0].sentences[0]).toBe(
      'One choice: Low, High (Harm is likely within a week).',
    )
  })
})
