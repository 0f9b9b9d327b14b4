import { describe, expect, it, test } from 'vitest'
import { partsOf } from '../../src/constructor/forms/diffParts.ts'
import { impactOf } from '../../src/constructor/forms/impact.ts'
import { conditionError, typedValues } from '../../src/contract/answerFilter.ts'
import { calculate } from '../../src/contract/calculate.ts'
import type { Field, FieldAttrs } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { describeCondition } from '../../src/contract/meta/describeCondition.ts'
import { describeScale, pointsOf } from '../../src/contract/scale.ts'
import { toSchema } from '../../src/contract/schema.ts'
import { validateAnswers } from '../../src/contract/validateAnswers.ts'
import { validateSchema } from '../../src/engine/form/store/validateSchema.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { parseCell } from '../../src/server/records/files/cells.ts'
import { caseMeta, group } from './metaBuilders.ts'

const WORDS = { min_text: 'No pain', max_text: 'Unbearable' }
const pain = (attrs: FieldAttrs = {}): Field => ({ name: 'pain', label: 'Pain', type: 'scale', attrs })

test('goes from 0 to 10 unless it says otherwise', () => {
  expect(pointsOf()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(pointsOf({ min: 1, max: 5 })).toEqual([1, 2, 3, 4, 5])
  expect(describeScale()).toBe('0 to 10')
  expect(describeScale({ max: 5, ...WORDS })).toBe('0 (No pain) to 5 (Unbearable)')
})

describe.each([
  ['in the browser', validateSchema],
  ['on the server', ajvValidate],
])('%s', (_, validator) => {
  const errorOf = (value: unknown, attrs: FieldAttrs) => {
    const answers = value === undefined ? {} : { pain: value }
    return validateAnswers(toSchema([group('g', [pain(attrs)])], {}), answers, validator, '2026-06-04')
      .pain?.[0]
  }

  it.each([0, 5])('takes %i', (value) => expect(errorOf(value, { max: 5, ...WORDS })).toBeUndefined())

  it.each([-1, 6, 2.5, '3', null, [3]])('refuses %j', (value) =>
    expect(errorOf(value, { max: 5, ...WORDS })).toBe(
      'Pain must be a number from 0 (No pain) to 5 (Unbearable)',
    ),
  )

  it('asks to choose one where it must be answered', () =>
    expect(errorOf(undefined, { required: true })).toBe('Choose pain'))
})

test.each<[FieldAttrs, string[]]>([
  [{}, []],
  [{ min: -5, max: 5, default: 0 }, []],
  [{ max: 11 }, ["The scale 'Pain' may have 11 numbers; from 0 to 11 it has 12"]],
  [{ min: 10 }, ["The scale 'Pain' must end above 10, where it begins; raise its end"]],
  [{ max: 2.5 }, ["The limits of 'Pain' must be whole numbers; change 2.5"]],
  [{ max: 5, default: 6 }, ["'Pain' begins as '6', which its scale does not have; choose another"]],
  [{ calc: 'add', of: [1, 2] }, ["'Pain' cannot be calculated: 'add' gives a number"]],
])('a scale of %j is published or refused in words', (attrs, expected) => {
  const problems = checkMeta(caseMeta(group('g', [pain(attrs)])), { lookups: {} })
  if (attrs.calc) expect(problems).toHaveLength(1)
  else expect(problems.map(({ message }) => message)).toEqual(expected)
})

test('is calculated with and compared as the number that it is', () => {
  const sum: Field = { name: 's', label: 'S', type: 'integer', attrs: { calc: 'sum', of: ['pain', 'worry'] } }
  expect(calculate(sum, [7, 2].map((value) => ({ value, field: pain() })) as never)).toBe(9)
  const reach = new Map([['pain', pain(WORDS)]])
  expect(describeCondition({ pain: 10 }, reach)).toBe("'Pain' is 10 (Unbearable)")
})

test('is searched by numbers, also by those that its scale no longer has', () => {
  const searched = { form: 'case' as const, group: 'G', field: pain({ max: 5 }) }
  const condition = { caseType: 1, form: 'case' as const, field: 'pain', operator: 'between' as const }
  expect(typedValues(searched, { ...condition, values: ['0', '9'] })).toEqual([0, 9])
  expect(conditionError(searched, { ...condition, values: ['0', '9'] }, validateSchema)).toBeUndefined()
  expect(conditionError(searched, { ...condition, values: ['many', ''] }, validateSchema)).toBe(
    'Pain must be a whole number',
  )
})

test('two versions differ in words, and the publication says what it means for records', () => {
  const [was, is] = [pain(WORDS), pain({ max: 5, ...WORDS, min_text: 'None' })]
  expect(partsOf(was, is, new Map(), new Map())).toEqual([
    { name: 'At most', before: '', after: '5' },
    { name: 'Least means', before: 'No pain', after: 'None' },
  ])
  const usage = { cases: 9, issues: 0, case_meta: { pain: 4 }, issue_meta: {} }
  const words = impactOf(caseMeta(group('g', [was])), caseMeta(group('g', [is])), usage).map(
    (one) => one.words,
  )
  expect(words).toEqual([
    "'Pain' is a scale from 0 (None) to 5 (Unbearable) now, no longer from 0 (No pain) to 10 (Unbearable): 4 of 9 cases have an answer, which stays as it is",
  ])
})

test.each<[string, unknown]>([
  ['7', { value: 7 }],
  ['no PAIN', { value: 0 }],
  ['', { value: null }],
  ['11', { wrong: 'Pain must be a number from 0 (No pain) to 10 (Unbearable)' }],
])('a cell %j is read as %j', (text, expected) =>
  expect(parseCell(text, pain(WORDS), new Map())).toEqual(expected),
)
