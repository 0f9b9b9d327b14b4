import { describe, expect, it } from 'vitest'
import { adviceOn } from '../../src/constructor/forms/advice.ts'
import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import type { Field, FieldAttrs, FieldType } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { caseMeta, choice, demoMetas, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'
import { messages } from './metaErrors.ts'

const one = (type: FieldType, attrs: FieldAttrs) => field('one', type, attrs)

describe('a form that could never be filled in or saved', () => {
  const NOTHING = "'One' must be answered, but is only shown and begins as nothing"
  const columns = [field('paid', 'yesno'), field('amount', 'integer')]

  it.each<[string, Field[], string]>([
    ['required and only shown', [one('text', { required: true, read_only: true })], NOTHING],
    [
      'required by a condition and only shown',
      [yesno('other'), one('date', { required_when: { other: 'yes' }, read_only: true })],
      NOTHING,
    ],
    ['a column of it', [repeat('rows', [one('text', { required: true, read_only: true })])], NOTHING],
    ['rows that nobody can add', [repeat('one', columns, { min: 1, read_only: true })], NOTHING],
    ['no rows at all', [repeat('one', columns, { max: 0 })], "'One' may have no rows"],
    ['a year of five digits', [one('year', { min: 12_000 })], 'from 1000 to 9999, so never 12000 or more'],
    ['a number that is too large', [one('integer', { min: 3_000_000_000 })], 'so never 3000000000 or more'],
    ['a start above the most', [one('integer', { default: 9, max: 5 })], 'which is more than its maximum, 5'],
    [
      'a start below the least',
      [one('money', { default: '1.00', min: 5 })],
      'which is less than its minimum, 5',
    ],
    [
      'a start that is too long',
      [one('text', { default: 'long', max_length: 3 })],
      'longer than its 3 characters',
    ],
    [
      'rules that exclude each other',
      [one('text', { rules: ['email', 'nhs_number'] })],
      'No text can follow all rules',
    ],
    [
      'a rule for longer texts',
      [one('text', { rules: ['nhs_number'], max_length: 5 })],
      'No text of 5 characters',
    ],
    [
      'a pattern for other texts than its rule',
      [one('text', { rules: ['email'], pattern: { matches: 'A.*', example: 'Ab' } })],
      "The example 'Ab' of 'One' must be like name@example.org",
    ],
    [
      'a pattern for longer texts',
      [one('text', { max_length: 2, pattern: { matches: 'A.*', example: 'Abc' } })],
      "The example 'Abc' of 'One' is longer than its 2 characters",
    ],
    [
      'checks that refuse every choice',
      [
        one('yesno', {
          known_only: true,
          checks: [
            { when: { one: 'yes' }, message: 'Not yes' },
            { when: { one: 'no' }, message: 'Not no' },
          ],
        }),
      ],
      "The checks of 'One' refuse every answer",
    ],
    [
      'a check that refuses every answer',
      [one('text', { checks: [{ when: { one: { set: true } }, message: 'No' }] })],
      "The checks of 'One' refuse every answer",
    ],
    [
      'a condition on a column of a repeat from outside',
      [repeat('costs', columns), visibleWhen('one', { 'costs.paid': 'yes' })],
      "'Paid' of 'Costs' has an answer in every row, so this condition can never hold",
    ],
    [
      'a comparison with such a column',
      [
        repeat('costs', columns),
        field('n', 'integer'),
        visibleWhen('one', { n: { min: { path: 'costs.amount' } } }),
      ],
      "'Amount' of 'Costs' has an answer in every row",
    ],
    [
      'a condition on a column through the name of its own repeat',
      [repeat('costs', [...columns, visibleWhen('one', { 'costs.paid': 'yes' })])],
      "'Paid' of 'Costs' has an answer in every row",
    ],
    [
      'a condition on a part that a value lacks',
      [field('gp', 'contact'), visibleWhen('one', { 'gp.shoe': 'x' })],
      "'Gp' has no part 'shoe'",
    ],
    [
      'a condition on a part of a text',
      [field('t'), visibleWhen('one', { 't.x': 'x' })],
      "'T' has no part 'x'",
    ],
  ])('is refused for %s', (_, fields, words) => {
    expect(messages(...fields)).toEqual([expect.stringContaining(words)])
  })

  it.each<[string, Field]>([
    ['a start value', one('text', { required: true, read_only: true, default: 'x' })],
    ['a calculated one', one('integer', { calc: 'count', of: ['rows'] })],
    ['nothing that must be answered', one('text', { read_only: true })],
    ['rules that go together', one('text', { rules: ['digits', 'nhs_number'], max_length: 10 })],
    [
      'a check that leaves a choice',
      one('yesno', { checks: [{ when: { one: ['yes', 'no'] }, message: 'No' }] }),
    ],
    [
      'a check of others',
      one('text', { checks: [{ when: { one: { set: true }, rows: { set: false } }, message: 'No' }] }),
    ],
  ])('is none with %s', (_, tested) => {
    expect(messages(tested, repeat('rows', columns))).toEqual([])
  })

  it('is none of those in use', () => {
    for (const metas of demoMetas())
      expect(
        checkMeta(metas, { lookups: {} }).filter(({ message }) => !message.startsWith('There is no list')),
      ).toEqual([])
  })

  it('has a shortest text for each rule of texts', () => {
    for (const rule of FIELD_TYPES.text.rules!)
      expect(messages(one('text', { rules: [rule] })), rule).toEqual([])
  })
})

describe('a form that may never be filled in', () => {
  const advice = (...fields: Field[]) => adviceOn(caseMeta(group('g', fields))).map(({ message }) => message)

  it('is explained where it begins as something that may be empty', () => {
    const preset = { from: '$client.postcode' }
    expect(advice(one('postcode', { required: true, read_only: true, default: preset }))).toEqual([
      "'One' must be answered, but is only shown: while what it begins as is empty, no form can be saved",
    ])
  })

  it('is explained where its choices depend on a field that never has a value', () => {
    const narrowed = field('one', 'select', { lookup: 'towns', lookup_params: { region: '$region' } })
    expect(advice(choice('region', ['a'], { is_on: false }), narrowed)).toEqual([
      "The choices of 'One' depend on 'Region', which is switched off and so never has a value",
    ])
  })
})
