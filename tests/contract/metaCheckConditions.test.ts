import { describe, expect, it } from 'vitest'
import type { Argument } from '../../src/contract/formula.ts'
import type { Field, FieldAttrs } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import type { When } from '../../src/contract/when.ts'
import { caseMeta, choice, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'
import { check, known, messages } from './metaErrors.ts'

describe('conditions', () => {
  const ab = [choice('a', ['x', 'y']), yesno('u'), field('n', 'integer'), field('c', 'contact')]
  const against = (when: When) => messages(...ab, visibleWhen('z', when))

  it.each<When>([
    { a: 'x' },
    { a: ['x', 'y'] },
    { a: { not: 'x' } },
    { u: 'not_known' },
    { n: { min: 3, max: 5 } },
    { n: { min: 0 } },
    { c: { set: true } },
    { 'c.email': 'x' },
    { a: null },
    { 'record.is_opened': true, 'user.id': 4 },
    { any: [{ a: 'x' }, { u: 'yes', n: 1 }] },
  ])('are accepted: %j', (when) => {
    expect(against(when)).toEqual([])
  })

  it.each<[When, string]>([
    [{ b: 'x' }, 'no such field'],
    [{ '': '' }, 'Choose the field'],
    [{ a: '' }, "Choose a value of 'A'"],
    [{ a: [] }, "Choose a value of 'A'"],
    [{ a: { not: [] } }, "Choose a value of 'A'"],
    [{ n: { min: '' } }, "Choose a value of 'N'"],
    [{ a: 'w' }, "no choice 'w'"],
    [{ a: ['x', 'w'] }, "no choice 'w'"],
    [{ u: 'maybe' }, "no choice 'maybe'"],
    [{ u: { not: true } }, "no choice 'true'"],
    [{ n: 'x' }, "can never be the value of 'N'"],
    [{ c: 'x' }, 'only ask whether it has a value'],
    [{ any: [{ a: 'x' }, { b: 'x' }] }, 'no such field'],
    [{ toString: 'x' } as never, 'no such field'],
  ])('are refused: %j', (when, words) => {
    expect(against(when)).toEqual([expect.stringContaining(words)])
  })

  it('are checked on groups, in required_when and in repeats', () => {
    expect(check(group('one', [], { when: { b: 1 } }))[0].path).toEqual([0, 'attrs', 'when', 'b'])
    expect(check(group('one', [field('a', 'text', { required_when: { b: 1 } })]))[0].path).toEqual([
      0,
      'fields',
      0,
      'attrs',
      'required_when',
      'b',
    ])
    const columns = repeat('r', [choice('a', ['p']), visibleWhen('z', { a: 'p', u: 'yes' })])
    expect(messages(...ab, columns)).toEqual([])
    expect(check(group('one', [...ab, repeat('r', [visibleWhen('z', { q: 1 })])]))[0]).toMatchObject({
      path: [0, 'fields', 4, 'fields', 0, 'attrs', 'when', 'q'],
      field: 'r',
    })
    expect(messages(repeat('r', [choice('a', ['p'])]), visibleWhen('z', { a: 'p' }))).toHaveLength(1)
  })
})

describe('circles of conditions', () => {
  const on = (name: string, other: string) => visibleWhen(name, { [other]: { set: true } })

  it('are found whatever their length, on each of their fields', () => {
    expect(messages(on('a', 'a'))).toEqual(["'A' is shown depending on itself; change its condition"])
    const message = "'A' and 'B' depend on each other's answers: remove one of the conditions"
    expect(check(group('one', [on('a', 'b'), on('b', 'a')]))).toEqual([
      { meta: 'case_meta', path: [0, 'fields', 0, 'attrs', 'when'], field: 'a', message },
      { meta: 'case_meta', path: [0, 'fields', 1, 'attrs', 'when'], field: 'b', message },
    ])
    const ofThree = messages(on('a', 'b'), on('b', 'c'), on('c', 'a'), on('d', 'a'))
    expect(ofThree).toHaveLength(3)
    expect(ofThree[0]).toBe(
      "These depend on each other's answers in a circle, 'A' on 'B', 'B' on 'C' and 'C' on 'A': remove one of the conditions",
    )
    expect(messages(on('a', 'b'), on('b', 'a'), on('c', 'd'), on('d', 'c'))).toHaveLength(4)
  })

  it('may run through `any`, through a group and within a row', () => {
    expect(
      messages(visibleWhen('a', { any: [{ b: 'x' }, { c: 'x' }] }), field('b'), on('c', 'a')),
    ).toHaveLength(2)
    expect(check(group('one', [field('a')], { when: { a: 'x' } }))[0].path).toEqual([0, 'attrs', 'when'])
    expect(messages(repeat('r', [on('a', 'b'), on('b', 'a')]))).toHaveLength(2)
  })

  it('are not reported for required_when, or for two fields that depend on a third', () => {
    expect(messages(field('a', 'text', { required_when: { b: 'x' } }), on('b', 'a'))).toEqual([])
    expect(messages(field('a'), on('b', 'a'), on('c', 'a'), on('d', 'b'))).toEqual([])
  })
})

describe('calculations', () => {
  const sum = (of: Argument[], attrs: FieldAttrs = {}, name = 'total') =>
    field(name, 'integer', { calc: 'sum', of, ...attrs })
  const costs = repeat('costs', [field('amount', 'integer'), field('note')])

  it('may name fields, columns of all rows, numbers, today and texts', () => {
    expect(
      messages(
        field('a', 'integer'),
        field('from', 'date'),
        costs,
        sum(['a', 'costs.amount', 3]),
        field('due', 'date', { calc: 'add_working_days', of: ['from', 10] }),
        field('age', 'integer', { calc: 'age_at', of: ['from', '$today'] }),
        field('name', 'text', { calc: 'join_text', of: ['a', { text: ', ' }, 'costs.note'] }),
        field('rows', 'integer', { calc: 'count', of: ['costs'] }),
        field('score', 'integer', { calc: 'score', of: ['kind'] }),
        choice('kind', ['x', 'y']),
      ),
    ).toEqual([])
  })

  it.each<[string, Field[]]>([
    ["'Total' is calculated from 'gone', but there is no such field; choose another", [sum(['gone'])]],
    [
      "'Total' is calculated from 'cost' of 'Costs', but there is no such column",
      [costs, sum(['costs.cost'])],
    ],
    ["Choose the column of 'Costs' from which 'Total' is calculated", [costs, sum(['costs'])]],
    ["Choose what 'Total' is calculated from", [sum([''])]],
    [
      "Choose how 'Total' is calculated, or remove what it is calculated from",
      [sum([3], { calc: undefined })],
    ],
    ["Choose what 'Total' is calculated from: 'Sum' needs at least 1 and at most 50", [sum([])]],
    [
      "From 'A' this cannot be calculated: the calculation 'Sum' needs a number there",
      [field('a', 'date'), sum(['a'])],
    ],
    ["Today is a date, but the calculation 'Sum' needs a number there", [sum(['$today'])]],
    [
      "From 'Gender' this cannot be calculated: the calculation 'Score' needs choices that are written with the field there",
      [
        field('gender', 'select', { lookup: 'gender' }),
        field('s', 'integer', { calc: 'score', of: ['gender'] }),
      ],
    ],
    [
      "The calculation 'Sum' does not give the type of 'Total'; make it 'Number' or 'Time taken' or 'Decimal number' or 'Money'",
      [{ ...sum([3]), type: 'text' }],
    ],
    ["'Total' is calculated, so it cannot be required; remove that", [sum([3], { required: true })]],
    ["'Total' is calculated, so it cannot have limits; remove that", [sum([3], { max: 3 })]],
    [
      "'Age' changes from day to day, so cases cannot be searched by it",
      [field('a', 'date'), field('age', 'integer', { calc: 'age_at', of: ['a', '$today'], report: true })],
    ],
    ["'Total' is calculated from itself; change its calculation", [sum(['total'])]],
    [
      "'A' and 'Total' depend on each other's answers: remove one of the conditions or calculations",
      [field('a', 'integer', { when: { total: { min: 3 } } }), sum(['a'])],
    ],
    [
      "'Costs' and 'Total' depend on each other's answers: remove one of the conditions or calculations",
      [repeat('costs', [sum(['total'], {}, 'cost')]), sum(['costs.cost'])],
    ],
    ["The public referral form cannot ask 'Total', which is calculated", [sum([3], { referral: true })]],
  ])('are refused: %s', (message, fields) => {
    // A circle is reported on each of its fields.
    expect([...new Set(messages(...fields))]).toEqual([message])
  })

  it('take no place of answers that people gave', () => {
    const before = caseMeta(group('one', [field('a', 'integer')]))
    const after = caseMeta(group('one', [field('a', 'integer', { calc: 'sum', of: [3] })]))
    const used = (count: number) => ({ meta: before, usage: { case_meta: { a: count }, issue_meta: {} } })
    expect(checkMeta(after, known, used(0))).toEqual([])
    expect(checkMeta(after, known, used(2)).map((p) => p.message)).toEqual([
      "'A' is answered in 2 cases, so it cannot be calculated; add a new field",
    ])
    // The other way round the values become answers.
    expect(checkMeta(before, known, { ...used(2), meta: after })).toEqual([])
  })
})

describe('notes and answers in texts', () => {
  const named = (text: string, attrs: FieldAttrs = {}) => ({ ...field('b', 'text', attrs), label: text })

  it('may name fields of the form and, in a row, its columns', () => {
    expect(
      messages(
        field('a'),
        named('About {a}', { help: '{a}' }),
        field('note', 'note', { text: '{a}', when: { a: { set: true } } }),
        repeat('rows', [field('c'), { ...field('d'), label: '{c} of {a}' }]),
      ),
    ).toEqual([])
  })

  it.each<[string, Field[]]>([
    ["This text names '{gone}', but there is no such field; choose another or remove it", [named('{gone}')]],
    ["'{b}' cannot stand in its own text; remove '{b}'", [named('{b}')]],
    ["The answer of 'A' cannot stand in a text; remove '{a}'", [field('a', 'contact'), named('{a}')]],
    [
      "The answer of 'A' cannot stand in a text; remove '{a}'",
      [field('a', 'text', { sensitive: true }), named('{a}')],
    ],
    [
      "Cases can be searched by 'Of {a}', so no answer can stand in its label",
      [field('a'), named('Of {a}', { report: true })],
    ],
    ["'N' is a note, which nobody answers; remove that", [field('n', 'note', { required: true })]],
    [
      "'N' is a note, which has no value; choose another field or remove this",
      [field('n', 'note'), visibleWhen('a', { n: { set: true } })],
    ],
    [
      "From 'N' this cannot be calculated: the calculation 'Number of answers' needs an answer there",
      [field('n', 'note'), field('a', 'integer', { calc: 'count', of: ['n'] })],
    ],
  ])('are refused: %s', (message, fields) => {
    expect(messages(...fields)).toEqual([message])
  })
})
