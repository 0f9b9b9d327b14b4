import { describe, expect, it } from 'vitest'
import { loadContract } from '../../src/check/load.ts'
import { differences } from '../../src/constructor/forms/diff.ts'
import { impactOf } from '../../src/constructor/forms/impact.ts'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { ComputedDefault } from '../../src/contract/formula.ts'
import type { Field, FieldAttrs, FieldType } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { whyField } from '../../src/contract/meta/why.ts'
import { evaluate } from '../../src/contract/visible.ts'
import type { ConditionContext, Values } from '../../src/contract/when.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { caseMeta, field, group, repeat, yesno } from './metaBuilders.ts'

const today = '2026-06-04'
const around: ConditionContext = {
  today,
  with: { client: { postcode: 'SW1A 1AA', area: 3 }, case: { service: 2 } },
  user: { id: 9, groups: [4] },
}
const begins = (name: string, type: FieldType, preset: ComputedDefault, attrs: FieldAttrs = {}) =>
  field(name, type, { default: preset as never, ...attrs })

const ward = begins('ward', 'postcode', { from: '$client.postcode' })
const due = begins('due', 'date', { calc: 'add_days', of: ['received', 10] })
const form = [
  group('g', [field('received', 'date'), due, ward, begins('by', 'select', { from: '$user.id' })]),
]
const answersOf = (answers: Values, withDefaults = true) =>
  evaluate(form, { ...around, withDefaults, answers }).answers

describe('a default that follows others', () => {
  it('is what a path has or what is calculated, of a new record only', () => {
    expect(answersOf({})).toEqual({ ward: 'SW1A 1AA', by: 9 })
    expect(answersOf({ received: '2026-06-01' })).toMatchObject({ due: '2026-06-11' })
    expect(answersOf({ received: '2026-06-01' }, false)).toEqual({ received: '2026-06-01' })
  })

  it('ends with an answer, and with one that was taken away', () => {
    const answers = { received: '2026-06-01', due: '2026-07-01', ward: null }
    expect(answersOf(answers)).toEqual({ ...answers, by: 9 })
  })

  it('begins one default as another, whatever their order, and steers conditions', () => {
    const groups = [
      group('g', [
        begins('third', 'text', { from: '$second' }),
        begins('second', 'text', { from: '$first' }),
        field('first'),
        field('more', 'text', { when: { third: 'a' } }),
        begins('last', 'text', { from: '$more' }),
      ]),
    ]
    const shown = (answers: Values) => {
      const evaluated = evaluate(groups, { withDefaults: true, answers })
      return [evaluated.answers, evaluated.groups[0].fields.length]
    }
    expect(shown({ first: 'a', more: 'b' })).toEqual([
      { first: 'a', second: 'a', third: 'a', more: 'b', last: 'b' },
      5,
    ])
    expect(shown({ first: 'c', more: 'b' })).toEqual([{ first: 'c', second: 'c', third: 'c' }, 4])
  })
})

const change = (
  groups: typeof form,
  stored: Values,
  sent: Values,
  options: { all?: boolean; conditionContext?: ConditionContext } = {},
) =>
  applyChanges({
    groups,
    stored,
    sent,
    conditionContext: around,
    validateSchema: ajvValidate,
    today,
    ...options,
  })

describe('the save of a record', () => {
  const inNewForm = { all: true, conditionContext: { ...around, withDefaults: true } }

  it('has the defaults that a new form shows, and no others', () => {
    expect(change(form, {}, { received: '2026-06-01', ward: null }, inNewForm).values).toEqual({
      received: '2026-06-01',
      due: '2026-06-11',
      by: 9,
    })
    // A literal default is not given by the server either.
    expect(change(form, {}, { received: '2026-06-01' }, { all: true }).values).toEqual({
      received: '2026-06-01',
    })
  })

  it('leaves answers as they are, whatever their sources become', () => {
    const stored = { received: '2026-06-01', due: '2026-06-11', ward: 'M1 1AE' }
    expect(change(form, stored, { received: '2026-06-02' }).changed).toEqual(['received'])
  })

  it('validates what is offered', () => {
    const wrong = { ...inNewForm.conditionContext, with: { client: { postcode: 'nowhere' } } }
    expect(change(form, {}, {}, { all: true, conditionContext: wrong }).errors).toEqual({
      ward: ['Ward is not in the right form'],
    })
  })
})

describe('a field that is hidden', () => {
  const origin = field('origin', 'text', { hidden: true, default: 'letter' })
  const since = field('since', 'date', { hidden: true, default: 'today', when: { urgent: 'yes' } })
  const groups = [
    group('g', [
      yesno('urgent'),
      origin,
      since,
      begins('area', 'select', { from: '$client.area' }, { hidden: true, lookup: 'area' }),
      field('double', 'integer', { hidden: true, calc: 'add', of: ['count', 'count'] }),
      field('count', 'integer'),
      field('why', 'text', { when: { origin: 'letter', double: 4 } }),
    ]),
  ]

  it('has its default from the save on that first shows it, whatever is sent', () => {
    const created = change(groups, {}, { origin: 'phone', area: 99, double: 5, count: 2 }, { all: true })
    expect(created.values).toEqual({ origin: 'letter', area: 3, double: 4, count: 2 })
    const urgent = change(groups, created.values, { urgent: 'yes', since: '1999-01-01' })
    expect(urgent.values).toMatchObject({ since: today })
    expect(
      change(groups, { urgent: 'yes', since: '2026-01-01' }, { urgent: 'yes', count: 1 }).values,
    ).toEqual({ urgent: 'yes', since: '2026-01-01', count: 1, double: 2 })
  })

  it('steers conditions, and is not filled in a record that is older than it', () => {
    const { values } = change(groups, { urgent: 'no' }, { why: 'x', count: 2 })
    expect(values).toEqual({ urgent: 'no', count: 2, double: 4 })
    expect(change(groups, {}, { why: 'x', count: 2 }, { all: true }).values.why).toBe('x')
  })

  it('never refuses an answer: a value that does not suit it counts as none', () => {
    const wrong = [group('g', [begins('home', 'postcode', { from: '$client.area' }, { hidden: true })])]
    expect(change(wrong, {}, {}, { all: true })).toMatchObject({ values: {}, errors: {}, invalid: [] })
  })
})

const { entities } = loadContract('.').contract
const lookups = { area: {}, staff: {}, gender: {} }

function problemsOf(...fields: Field[]): string[] {
  return checkMeta(caseMeta(group('g', fields)), { lookups, entities }).map(({ message }) => message)
}

describe('at a publication a default', () => {
  it('begins as a field, the client or the person who fills it in, of the same kind', () => {
    expect(
      problemsOf(
        field('received', 'date'),
        due,
        ward,
        begins('place', 'text', { from: '$client.postcode' }),
        begins('area', 'select', { from: '$client.area' }, { lookup: 'area' }),
        begins('by', 'select', { from: '$user.id' }, { lookup: 'staff' }),
        begins('pounds', 'money', { from: '$whole' }),
        field('whole', 'integer'),
      ),
    ).toEqual([])
  })

  it.each([
    [
      begins('a', 'text', { from: '$gone' }),
      "'A' begins as 'gone', but there is no such field; choose another",
    ],
    [
      begins('a', 'text', { from: '$client.shoes' }),
      "'A' begins as 'client.shoes', but there is no such field; choose another",
    ],
    [begins('a', 'text', { from: '$a' }), "'A' cannot begin as itself; choose another field"],
    [
      begins('a', 'date', { from: '$client.postcode' }),
      "'A' cannot begin as 'Client's postcode', which is of another kind; choose another",
    ],
    [
      begins('a', 'select', { from: '$client.area' }, { lookup: 'gender' }),
      "'A' cannot begin as 'Client's area', which is of another kind; choose another",
    ],
    [
      begins('a', 'text', { calc: 'sum', of: ['b'] }),
      "The calculation 'Sum' does not give the type of 'A'; make it 'Number' or 'Time taken' or 'Decimal number' or 'Money'",
    ],
    [
      begins('a', 'date', { calc: 'add_days', of: ['gone', 1] }),
      "'A' is calculated from 'gone', but there is no such field; choose another",
    ],
    [begins('a', 'contact', { from: '$b' }), "'A' cannot begin as another value; remove that"],
    [
      repeat('rows', [begins('a', 'text', { from: '$b' })]),
      "In the rows of 'Rows' 'A' cannot begin as another value; remove that",
    ],
    [
      field('a', 'text', { hidden: true }),
      "'A' is hidden, so nobody can answer it; say what it begins as, calculate it, or show it",
    ],
    [
      field('a', 'text', { hidden: true, default: 'x', required: true }),
      "'A' is hidden, so it cannot be required; remove that",
    ],
    [
      repeat('rows', [field('a', 'text', { hidden: true, default: 'x' })]),
      "'A' is hidden in every row, so it must be calculated; calculate or show it",
    ],
    [
      field('a', 'text', { hidden: true, default: 'x', referral: true }),
      "The public referral form cannot ask 'A', which is hidden",
    ],
  ])('is refused: %j', (one, message) => {
    expect(problemsOf(one, field('b', 'integer'))).toEqual([message])
  })

  it('goes in no circle', () => {
    const [message] = problemsOf(
      begins('a', 'text', { from: '$b' }),
      begins('b', 'text', { calc: 'join_text', of: ['a'] }),
    )
    expect(message).toBe(
      "'A' and 'B' depend on each other's answers: remove one of the conditions or calculations",
    )
    expect(
      problemsOf(begins('a', 'integer', { calc: 'sum', of: ['a', 'b'] }), field('b', 'integer')),
    ).toEqual(["'A' is calculated from itself; change its calculation"])
  })
})

describe('in words', () => {
  const partsBetween = (was: FieldAttrs, is: FieldAttrs) =>
    differences(
      caseMeta(group('g', [field('a', 'text', was), field('b')])),
      caseMeta(group('g', [field('a', 'text', is), field('b')])),
    ).flatMap(({ parts }) => parts)

  it('versions differ by what a field begins as, and by whether it is hidden', () => {
    expect(
      partsBetween({ default: { from: '$b' } }, { hidden: true, default: { from: '$client.postcode' } }),
    ).toEqual([
      { name: 'Begins as', before: "what is answered in 'B'", after: "the client's postcode" },
      { name: 'Hidden from everybody', before: 'No', after: 'Yes' },
    ])
    expect(partsBetween({}, { default: { calc: 'join_text', of: ['b', 'b'] } })).toEqual([
      { name: 'Begins as', before: '', after: "the texts of 'B' and 'B'" },
    ])
  })

  it('a publication says what is no longer shown, or shown again', () => {
    const metas = (attrs: FieldAttrs) => caseMeta(group('g', [field('a', 'text', attrs)]))
    const usage = { cases: 9, issues: 0, case_meta: { a: 7 }, issue_meta: {} }
    const words = (was: FieldAttrs, is: FieldAttrs) =>
      impactOf(metas(was), metas(is), usage).map((one) => one.words)
    expect(words({}, { hidden: true, default: 'x' })).toEqual([
      "'A' is hidden now: 7 of 9 cases have an answer, which stays and is no longer shown",
    ])
    expect(words({ hidden: true, default: 'x' }, {})).toEqual([
      "'A' is no longer hidden: 7 of 9 cases have an answer, which people see and may change now",
    ])
  })

  it('why says what a field begins as', () => {
    const groups = [
      group('g', [
        begins('a', 'text', { from: '$b' }),
        field('b'),
        begins('c', 'postcode', { from: '$client.postcode' }, { hidden: true }),
        field('d', 'date', { hidden: true, default: 'today', when: { b: 'y' } }),
      ]),
    ]
    const why = (name: string) =>
      whyField(groups, name, { ...around, withDefaults: true, answers: { b: 'x' } })
    expect(why('a').required).toEqual([
      "'A' is optional.",
      "'A' begins as what is answered in 'B' until somebody changes it; 'B' is now x.",
    ])
    expect([...why('d').visibleReasons, ...why('d').required]).toEqual([
      "'D' has a value only when 'B' is y; 'B' is now x.",
      "The save that first needs 'D' fills in the day of that.",
    ])
    expect(why('c').visibleReasons).toEqual(["'C' is hidden: nobody sees it."])
    expect(why('c').required).toEqual(["The save that first needs 'C' fills in the client's postcode."])
  })
})
