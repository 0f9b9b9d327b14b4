import { describe, expect, test } from 'vitest'
import { partsOf } from '../../src/constructor/forms/diffParts.ts'
import { calculate } from '../../src/contract/calculate.ts'
import { formatDecimal, parseDecimal, presetOf } from '../../src/contract/decimal.ts'
import { decimalPattern } from '../../src/contract/decimalFormat.ts'
import { describeAnswer } from '../../src/contract/describeAnswer.ts'
import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import type { Field, FieldAttrs, FieldType } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { describeCondition } from '../../src/contract/meta/describeCondition.ts'
import { toSchema } from '../../src/contract/schema.ts'
import { validateAnswers } from '../../src/contract/validateAnswers.ts'
import { holds } from '../../src/contract/when.ts'
import { validateSchema } from '../../src/engine/form/store/validateSchema.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { parseCell } from '../../src/server/records/files/cells.ts'
import { caseMeta } from './metaBuilders.ts'

const field = (type: FieldType, attrs: FieldAttrs = {}): Field => ({
  name: 'of',
  label: 'Amount',
  type,
  attrs,
})
const money = field('money')
const decimal = field('decimal', { unit: 'kg', places: 1 })

test.each([
  ['12', '12.00'],
  ['1,234.5', '1234.50'],
  ['£12', '12.00'],
  [' 12.5 ', '12.50'],
  ['-£3', '-3.00'],
  ['£-3', '-3.00'],
  ['−3', '-3.00'],
  ['GBP 7', '7.00'],
  ['.5', '0.50'],
  ['007', '7.00'],
  ['-0', '0.00'],
  ['1.500', '1.50'],
  ['999999999999999', '999999999999999.00'],
])('reads %s as money', (text, value) => {
  expect(parseDecimal(text, money)).toBe(value)
  expect(value).toMatch(new RegExp(decimalPattern(2)))
})

test.each(['1,5', '12,34', '1.234', '€3', 'twelve', '1e3', '.', '1234567890123456', '1 2 x'])(
  'leaves %s as it was typed',
  (text) => {
    expect(parseDecimal(text, money)).toBe(text)
    expect(text).not.toMatch(new RegExp(decimalPattern(2)))
  },
)

test('stores fifteen digits before the point, and not sixteen', () => {
  const stores = (digits: number) => new RegExp(decimalPattern(2)).test(`${'9'.repeat(digits)}.00`)
  expect([stores(15), stores(16)]).toEqual([true, false])
})

test.each([
  [10, 'x, x, x, x, x, x, x, x, x, x'],
  [11, 'x, x, x, x, x, x, x, x, x, x, 1 more'],
])('lists the first ten of %i values', (count, words) => {
  expect(describeAnswer(undefined, Array(count).fill('x'))).toBe(words)
})

test('describes eighty characters whole, and shortens more', () => {
  expect(describeAnswer(undefined, 'x'.repeat(80))).toBe('x'.repeat(80))
  expect(describeAnswer(undefined, 'x'.repeat(81))).toMatch(/^x+…$/)
})

test('reads a decimal number with its unit, and nothing as nothing', () => {
  expect(parseDecimal('12.5 KG', decimal)).toBe('12.5')
  expect(parseDecimal('12', field('decimal', { places: 0 }))).toBe('12')
  expect(parseDecimal('  ', decimal)).toBeUndefined()
})

test('writes what is stored for people, every digit of it', () => {
  expect(formatDecimal('1234.50', money)).toBe('£1,234.50')
  expect(formatDecimal('-3.00', field('money', { currency: 'EUR' }))).toBe('-€3.00')
  expect(formatDecimal('12.5', decimal)).toBe('12.5 kg')
  expect(formatDecimal('40', field('decimal', { unit: '%', places: 0 }))).toBe('40%')
  expect(formatDecimal('123456789012345.67', money)).toBe('£123,456,789,012,345.67')
  expect(formatDecimal('unknown', money)).toBe('unknown')
})

test('begins as its default in the form in which it is stored', () => {
  expect(presetOf(field('money', { default: 12.5 }))).toBe('12.50')
  expect(presetOf(field('integer', { default: 12 }))).toBe(12)
})

describe.each([
  ['in the browser', validateSchema],
  ['on the server', ajvValidate],
])('%s', (_, validate) => {
  const errorsOf = (of: Field, value: unknown) => {
    const schema = toSchema([{ name: 'g', label: 'G', fields: [of] }], {})
    return validateAnswers(schema, { of: value }, validate, '2026-06-04').of?.[0]
  }

  test.each(['decimal', 'money', 'year', 'month', 'time'] as const)('takes the example of %s', (type) => {
    expect(errorsOf(field(type), FIELD_TYPES[type].example)).toBeUndefined()
  })

  test.each<[FieldType, FieldAttrs, unknown, string]>([
    ['money', {}, '12.5', 'Amount must be an amount such as 12.50'],
    ['money', {}, 12.5, 'Amount must be an amount such as 12.50'],
    ['money', {}, '-0.00', 'Amount must be an amount such as 12.50'],
    ['money', { min: 10 }, '9.50', 'Amount must be 10 or more'],
    ['money', { max: 1000 }, '1000.01', 'Amount must be 1,000 or less'],
    ['decimal', { places: 3 }, '1', 'Amount must be a number such as 12.500'],
    ['year', {}, 99, 'Amount must be 1000 or more'],
    ['year', {}, 'soon', 'Amount must be a year such as 2026'],
    ['month', {}, '2026-13', 'Amount must be a month and a year such as June 2026'],
    ['time', {}, '24:00', 'Amount must be a time of day such as 14:30'],
  ])('refuses of %s %o: %o', (type, attrs, value, message) => {
    expect(errorsOf(field(type, attrs), value)).toBe(message)
  })
})

test('conditions compare numbers, not texts', () => {
  const passes = (of: string, test: object | number) => holds({ of: test as never }, { answers: { of } })
  expect(passes('9.50', { min: 10 })).toBe(false)
  expect(passes('10.00', { min: 10 })).toBe(true)
  expect(passes('10.00', 10)).toBe(true)
  expect(passes('10.50', { not: 10.5 })).toBe(false)
  expect(holds({ of: { max: { path: 'other' } } }, { answers: { of: '9.50', other: '10.00' } })).toBe(true)
  expect(describeCondition({ of: { min: 500 } }, new Map([['of', money]]))).toBe(
    "'Amount' is at least £500.00",
  )
})

test('a calculation gives exactly the places of its field', () => {
  const total = field('money', { calc: 'sum', of: ['a', 'b'] })
  expect(calculate(total, [{ value: '0.10' }, { value: '0.20' }])).toBe('0.30')
  expect(calculate(field('money', { calc: 'sum', of: ['a'] }), [{ value: -0.001 }])).toBe('0.00')
})

describe('publishing', () => {
  const messages = (now: Field, was = now) => {
    const meta = (of: Field) => caseMeta({ name: 'g', label: 'G', fields: [of] })
    const usage = { case_meta: { of: 3 }, issue_meta: {} }
    return checkMeta(meta(now), { lookups: {} }, { meta: meta(was), usage }).map(({ message }) => message)
  }

  test('keeps currency and places once they are answered', () => {
    expect(messages(field('money', { currency: 'EUR' }), money)).toEqual([
      "'Amount' is answered in 3 cases, so its currency cannot change; switch it off and add a new field",
    ])
    expect(messages(field('decimal', { places: 2 }), decimal)).toEqual([
      "'Amount' is answered in 3 cases, so its decimal places cannot change; switch it off and add a new field",
    ])
    expect(messages(field('decimal', { places: 2 }), field('decimal'))).toEqual([])
  })

  test('takes limits and a default with a point, but none of too many places', () => {
    expect(messages(field('money', { min: 0.5, max: 9.5, default: 1.5 }))).toEqual([])
    expect(messages(field('money', { default: 1.234 }))).toEqual([
      "'Amount' cannot begin as '1.234'; write it with 2 decimal places",
    ])
  })

  test('says in a comparison what changed', () => {
    const parts = partsOf(decimal, field('decimal', { unit: '%', places: 1, min: 0 }), new Map(), new Map())
    expect(parts).toEqual([
      { name: 'Unit', before: 'kg', after: '%' },
      { name: 'At least', before: '', after: '0' },
    ])
  })
})

test('yes or no without Not known is refused it, and its publication says so', () => {
  const [was, is] = [{}, { known_only: true }].map((attrs) => field('yesno', attrs))
  const errors = (of: Field) => {
    const schema = toSchema([{ name: 'g', label: 'G', fields: [of] }], {})
    return validateAnswers(schema, { of: 'not_known' }, ajvValidate, '2026-06-04')
  }
  expect(errors(was)).toEqual({})
  expect(errors(is)).toEqual({ of: ['Amount must be one of the choices'] })
  expect(partsOf(was, is, new Map(), new Map())).toEqual([
    { name: 'Without ‘Not known’', before: 'No', after: 'Yes' },
  ])
})

test('a default month and a time read as people write them', () => {
  expect(describeAnswer(field('month'), '2026-06')).toBe('June 2026')
  expect(describeAnswer(field('time'), '14:30')).toBe('14:30')
})

test('cells of a spreadsheet are read as people write them', () => {
  const read = (type: FieldType, cell: unknown) => parseCell(cell, field(type), new Map())
  expect(read('money', 12.5)).toEqual({ value: '12.50' })
  expect(read('money', 0.30000000000000004)).toEqual({ value: '0.30' })
  expect(read('money', '£1,234.5')).toEqual({ value: '1234.50' })
  expect(read('money', '1,5')).toEqual({ wrong: 'Amount must be an amount such as 12.50' })
  expect(read('year', 2026)).toEqual({ value: 2026 })
  for (const cell of ['June 2026', 'Jun 2026', '2026-06', '6/2026', '4/6/2026'])
    expect([cell, read('month', cell)]).toEqual([cell, { value: '2026-06' }])
  expect(read('month', 46177)).toEqual({ wrong: 'Amount must be a month such as June 2026 or 2026-06' })
  expect(read('month', '13/2026')).toEqual({ wrong: 'Amount must be a month such as June 2026 or 2026-06' })
  expect(read('time', '9:30')).toEqual({ value: '09:30' })
  expect(read('time', 0.604166666666667)).toEqual({ value: '14:30' })
  expect(read('time', '25:00')).toEqual({ wrong: 'Amount must be a time of day such as 14:30' })
})
