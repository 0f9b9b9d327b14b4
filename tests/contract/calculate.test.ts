import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { Argument } from '../../src/contract/formula.ts'
import type { CalculationName, Field, FieldType, Group } from '../../src/contract/generated.ts'
import { evaluate } from '../../src/contract/visible.ts'
import { holds, type Values } from '../../src/contract/when.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { choice, field, group, repeat, visibleWhen } from './metaBuilders.ts'

const today = '2026-03-15'

function calculated(
  name: string,
  calc: CalculationName,
  of: Argument[],
  type: FieldType = 'integer',
  more = {},
): Field {
  return field(name, type, { calc, of, ...more })
}

const risk = choice('risk', [], {
  options: [
    { value: 'low', label: 'Low', weight: 1 },
    { value: 'high', label: 'High', weight: 10 },
    { value: 'none', label: 'None' },
  ],
})
const FIELDS = [
  field('a', 'integer'),
  field('b', 'integer'),
  field('from', 'date'),
  field('to', 'date'),
  field('first', 'text'),
  field('last', 'text'),
  risk,
  { ...risk, name: 'risks', type: 'multiselect' as const },
  repeat('costs', [field('amount', 'integer'), choice('kind', ['food', 'rent'])]),
]

/** The value that a calculation of these answers gives. */
function result(calc: CalculationName, of: Argument[], answers: Values, type: FieldType = 'integer') {
  const groups = [group('one', [...FIELDS, calculated('result', calc, of, type)])]
  return evaluate(groups, { answers, today }).answers.result
}

describe('a calculated value', () => {
  const costs = [{ amount: 5 }, { amount: 7 }, {}]
  it.each<[CalculationName, Argument[], Values, unknown, FieldType?]>([
    ['sum', ['a', 'b'], { a: 2, b: 3 }, 5],
    ['sum', ['a', 'b'], { b: 3 }, 3],
    ['sum', ['a', 'b'], {}, undefined],
    ['sum', ['costs.amount', 'a', 1], { costs, a: 2 }, 15],
    ['sum', ['costs.amount'], { costs: [] }, undefined],
    ['count', ['a', 'b', 'first'], { a: 0, first: ' ' }, 2],
    ['count', ['costs'], { costs }, 3],
    ['count', ['costs.amount'], { costs }, 2],
    ['count', ['costs.amount'], {}, 0],
    ['count', ['risks'], { risks: ['low', 'high'] }, 2],
    ['min', ['a', 'b'], { a: 2, b: -3 }, -3],
    ['max', ['costs.amount'], { costs }, 7],
    ['min', ['from', 'to'], { from: '2026-02-01', to: '2025-12-31' }, '2025-12-31', 'date'],
    ['max', ['from', '$today'], { from: '2026-02-01' }, today, 'date'],
    ['add', ['a', 'b'], { a: 2, b: 3 }, 5],
    ['add', ['a', 'b'], { a: 2 }, undefined],
    ['subtract', ['a', 'b', 1], { a: 10, b: 3 }, 6],
    ['multiply', ['a', 3], { a: 5 }, 15],
    ['divide', ['a', 'b'], { a: 7, b: 2 }, 4],
    ['divide', ['a', 'b'], { a: 7, b: 0 }, undefined],
    ['round', ['a'], { a: 7 }, 7],
    ['round', ['first', -1], { first: '2.5' }, '3.00', 'decimal'],
    ['round', ['first', 1], { first: '2.55' }, '2.60', 'decimal'],
    ['round', ['first', 7], { first: '0.005' }, '0.01', 'money'],
    ['round', ['first', 7], { first: '-0.005' }, '-0.01', 'money'],
    ['round', ['first', 7], { first: '0.0049' }, '0.00', 'money'],
    ['sum', ['first'], { first: '2147483647.4' }, 2_147_483_647],
    ['sum', ['first'], { first: '2147483647.5' }, undefined],
    ['days_between', ['from', 'to'], { from: '2026-03-28', to: '2026-03-30' }, 2],
    ['days_between', ['to', 'from'], { from: '2026-03-28', to: '2026-03-30' }, -2],
    ['days_between', ['from', 'to'], { from: '2026-02-30', to: '2026-03-30' }, undefined],
    ['add_days', ['from', 'a'], { from: '2026-02-27', a: 3 }, '2026-03-02', 'date'],
    ['add_days', ['from', 0], { from: '9999-12-31' }, '9999-12-31', 'date'],
    ['add_days', ['from', 1], { from: '9999-12-31' }, undefined, 'date'],
    ['add_days', ['from', -1], { from: '0001-01-01' }, undefined, 'date'],
    ['add_days', ['from', 100_000], { from: '2000-01-01' }, '2273-10-16', 'date'],
    ['add_days', ['from', 100_001], { from: '2000-01-01' }, undefined, 'date'],
    ['add_working_days', ['from', 2], { from: '2026-03-13' }, '2026-03-17', 'date'],
    ['add_working_days', ['from', -1], { from: '2026-03-16' }, '2026-03-13', 'date'],
    ['age_at', ['from', 'to'], { from: '2008-03-16', to: '2026-03-15' }, 17],
    ['age_at', ['from', '$today'], { from: '2008-03-15' }, 18],
    ['age_at', ['from', '$today'], { from: today }, 0],
    ['age_at', ['from', 'to'], { from: '2026-03-16', to: '2026-03-15' }, undefined],
    ['score', ['risk', 'risks'], { risk: 'high', risks: ['low', 'high', 'none'] }, 21],
    ['score', ['risk'], { risk: 'none' }, 0],
    ['score', ['risk'], {}, undefined],
    ['choice_label', ['risks'], { risks: ['high', 'low'] }, 'Low, High', 'text'],
    ['join_text', ['first', { text: ', ' }, 'last'], { first: 'Ann', last: 'Ash' }, 'Ann, Ash', 'text'],
    ['join_text', ['first', { text: ', ' }, 'last'], { last: 'Ash' }, 'Ash', 'text'],
    ['join_text', ['first', 'a', 'risk'], { first: 'Ann', a: 3, risk: 'low' }, 'Ann 3 Low', 'text'],
    ['join_text', ['costs.kind'], { costs: [{ kind: 'food' }, { kind: 'rent' }] }, 'Food Rent', 'text'],
    ['first_set', ['first', 'last'], { last: 'Ash' }, 'Ash', 'text'],
    ['first_set', ['first', 'last'], {}, undefined, 'text'],
  ])('%s of %j with %j is %j', (calc, of, answers, expected, type) => {
    expect(result(calc, of, answers, type)).toEqual(expected)
  })

  it.each(['12', 'x', Number.NaN, Number.POSITIVE_INFINITY, true, {}, [[]], '1e99999999'])(
    'is none or a number with %j typed where a number belongs',
    (a) => {
      const sum = result('sum', ['a', 'b'], { a, b: 1 })
      expect(sum === undefined || Number.isSafeInteger(sum)).toBe(true)
    },
  )

  it('is none where its type cannot hold it', () => {
    expect(result('multiply', ['a', 'a'], { a: 2_000_000_000 })).toBeUndefined()
    expect(
      String(result('join_text', ['first', 'last'], { first: 'x'.repeat(500), last: 'y' }, 'text')),
    ).toHaveLength(500)
  })

  it('is not what was given for it', () => {
    const groups = [group('one', [field('a', 'integer'), calculated('twice', 'add', ['a', 'a'])])]
    expect(evaluate(groups, { answers: { a: 2, twice: 99 } }).answers).toEqual({ a: 2, twice: 4 })
    expect(evaluate(groups, { answers: { twice: 99 } }).answers).toEqual({})
  })

  it('counts hidden fields as unset, steers conditions, and follows other calculated values in any order', () => {
    const groups = [
      group('one', [
        visibleWhen('why', { double: { min: 10 } }),
        calculated('double', 'multiply', ['total', 2]),
        calculated('total', 'sum', ['a', 'b']),
        field('a', 'integer'),
        field('b', 'integer', { when: { a: { min: 3 } } }),
      ]),
    ]
    const shown = (answers: Values) => {
      const { groups: visibleGroups, answers: evaluated } = evaluate(groups, { answers })
      return { evaluated, isAsked: visibleGroups[0].fields.some(({ name }) => name === 'why') }
    }
    expect(shown({ a: 2, b: 50, why: 'x' })).toEqual({
      evaluated: { a: 2, total: 2, double: 4 },
      isAsked: false,
    })
    expect(shown({ a: 3, b: 50, why: 'x' })).toEqual({
      evaluated: { a: 3, b: 50, why: 'x', total: 53, double: 106 },
      isAsked: true,
    })
  })

  it('is calculated in the rows of a repeat, from the row first, and over all rows', () => {
    const rows = repeat('costs', [
      field('each', 'integer'),
      field('count', 'integer', { when: { each: { min: 1 } } }),
      calculated('cost', 'multiply', ['each', 'count', 'rate']),
    ])
    const groups = [group('one', [field('rate', 'integer'), rows, calculated('all', 'sum', ['costs.cost'])])]
    const answers = {
      rate: 2,
      costs: [
        { each: 3, count: 4, cost: 1 },
        { each: 0, count: 9 },
      ],
    }
    expect(evaluate(groups, { answers }).answers.all).toBe(24)
    const { values } = applyChanges({
      groups,
      stored: {},
      sent: answers,
      conditionContext: {},
      validateSchema: ajvValidate,
      today,
      all: true,
    })
    expect(values).toEqual({ rate: 2, costs: [{ each: 3, count: 4, cost: 24 }, { each: 0 }], all: 24 })
  })
})

describe('a change of answers', () => {
  const change = (groups: Group[], stored: Values, sent: Values) =>
    applyChanges({ groups, stored, sent, conditionContext: {}, validateSchema: ajvValidate, today })
  const due = calculated('due', 'add_working_days', ['received', 10], 'date')
  const groups = [
    group('one', [
      field('received', 'date'),
      due,
      field('answered', 'date', { rules: ['after:due'] }),
      calculated('waiting', 'days_between', ['received', '$today']),
      calculated('waits_long', 'subtract', ['waiting', 5]),
      visibleWhen('why_late', { waiting: { min: 10 } }, { required: true }),
    ]),
  ]

  it('stores the calculated values with what they are calculated from, and says that they changed', () => {
    const { values, changed } = change(groups, {}, { received: '2026-03-13', due: '1999-01-01' })
    expect(values).toEqual({ received: '2026-03-13', due: '2026-03-27' })
    expect(changed).toEqual(['received', 'due'])
    expect(change(groups, values, { received: null }).values).toEqual({})
  })

  it('never stores what depends on today, though it shows and requires fields', () => {
    const { values, visibleValues, errors } = change(groups, {}, { received: '2026-03-01' })
    expect(Object.keys(values)).toEqual(['received', 'due'])
    expect(Object.keys(visibleValues)).toEqual(['received', 'due'])
    expect(Object.keys(errors)).toEqual(['why_late'])
  })

  it('validates what is compared with a calculated value that changes', () => {
    const stored = { received: '2026-03-02', due: '2026-03-16', answered: '2026-03-16' }
    const { errors } = change(groups, stored, { received: '2026-03-09' })
    expect(errors).toEqual({ answered: ['Answered must not be before due'] })
  })

  it('never clears an answer by a formula that is another now', () => {
    const now = [
      group('one', [
        field('a', 'integer'),
        calculated('sum', 'sum', ['a']),
        visibleWhen('why', { sum: { min: 10 } }),
      ]),
    ]
    const stored = { a: 5, sum: 20, why: 'Because' }
    expect(change(now, stored, {}).values).toEqual({ a: 5, sum: 5, why: 'Because' })
    expect(change(now, stored, { a: 6 }).values).toEqual({ a: 6, sum: 6, why: 'Because' })
    expect(change(now, { a: 12, sum: 12, why: 'Because' }, { a: 6 }).values).toEqual({ a: 6, sum: 6 })
  })
})

/** The answers of visible fields, straight from what a form means; fields only name those before them. */
function byDefinition(fields: Field[], given: Values): Values {
  const answers: Values = {}
  for (const { name, attrs } of fields) {
    if (!holds(attrs?.when, { answers })) continue
    const of = (attrs?.of ?? []).flatMap((one) =>
      typeof one === 'number' ? one : (answers[one as string] ?? []),
    )
    const value = attrs?.calc ? sumOrCount(attrs.calc, of as number[]) : given[name]
    if (value !== undefined) answers[name] = value
  }
  return answers
}

function sumOrCount(calc: CalculationName, of: number[]): number | undefined {
  if (calc === 'count') return of.length
  return of.length > 0 ? of.reduce((a, b) => a + b) : undefined
}

describe('generated forms with calculated fields', () => {
  const COUNT = FULL ? 10_000 : 500

  it(`mean what each field says, in ${COUNT} documents, in any order of the form`, () => {
    const random = seeded(7)
    for (let i = 0; i < COUNT; i++) {
      const names = Array.from({ length: random.between(2, 12) }, (_, n) => `f${n}`)
      const fields = names.map((name, n) => {
        const before = names.slice(0, n)
        const when = n > 0 &&
          random.chance(0.4) && {
            [random.pick(before)]: random.pick([{ min: 4 }, { max: 6 }, { set: true }, { set: false }]),
          }
        const attrs = when ? { when } : {}
        if (n === 0 || random.chance(0.5)) return field(name, 'integer', attrs)
        const of = Array.from({ length: random.between(1, 3) }, () =>
          random.chance(0.2) ? 3 : random.pick(before),
        )
        return calculated(name, random.pick(['sum', 'count'] as const), of, 'integer', attrs)
      })
      const given = Object.fromEntries(
        names.filter(() => random.chance(0.7)).map((name) => [name, random.between(0, 9)]),
      )
      const shuffled = fields
        .map((one) => ({ one, at: random.between(0, 99) }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one)
      const half = random.between(0, shuffled.length)
      const groups = [group('g', shuffled.slice(0, half)), group('h', shuffled.slice(half))]
      const { answers } = evaluate(groups, { answers: given })
      expect(answers, JSON.stringify({ fields, given })).toEqual(byDefinition(fields, given))
      expect(evaluate(groups, { answers }).answers).toEqual(answers)
    }
  })
})
