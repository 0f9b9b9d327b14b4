import { Ajv } from 'ajv'
import { RE2JS } from 're2js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { adviceOn } from '../../src/constructor/forms/advice.ts'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { costOf, MAX_COST } from '../../src/contract/meta/formCost.ts'
import { matchesPattern } from '../../src/contract/patterns.ts'
import { mostRows } from '../../src/contract/repeatLimits.ts'
import { evaluate } from '../../src/contract/visible.ts'
import type { Values } from '../../src/contract/when.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { caseMeta, choice, demoMetas, field, group, repeat } from './metaBuilders.ts'

afterEach(() => vi.restoreAllMocks())

const range = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const columns = [
  field('amount', 'integer'),
  field('double', 'integer', { calc: 'add', of: ['amount', 'amount'] }),
]
const totals = (count: number) =>
  range(count, (i) => field(`total${i}`, 'integer', { calc: 'sum', of: ['costs.double'] }))
const withTotals = (count: number, attrs = {}): Group[] => [
  group('one', [repeat('costs', columns, attrs), ...totals(count)]),
]
const save = (groups: Group[], stored: Values, sent: Values) =>
  applyChanges({
    groups,
    stored,
    sent,
    conditionContext: {},
    validateSchema: ajvValidate,
    today: '2026-03-15',
  })

/** Rows that count how often they are read. */
function countedRows(count: number) {
  let reads = 0
  const rows = range(count, (amount) =>
    Object.defineProperty({}, 'amount', {
      enumerable: true,
      get: () => {
        reads++
        return amount
      },
    }),
  )
  return { rows, reads: () => reads }
}

describe('an evaluation', () => {
  const readsOf = (groups: Group[], count: number) => {
    const { rows, reads } = countedRows(count)
    evaluate(groups, { answers: { costs: rows } })
    return reads()
  }

  it('evaluates each row once, for however many totals', () => {
    expect(readsOf(withTotals(50), 20)).toBe(readsOf(withTotals(1), 20))
  })

  it('reads no row again that was evaluated before', () => {
    const { rows, reads } = countedRows(20)
    evaluate(withTotals(3), { answers: { costs: rows } })
    const once = reads()
    const groups = withTotals(3)
    evaluate(groups, { answers: { costs: rows } })
    expect(reads()).toBe(once)
    evaluate(groups, { answers: { costs: rows.with(4, { amount: 7 }) } })
    expect(reads()).toBe(once)
  })

  it('evaluates a row again once what its columns refer to around it is another', () => {
    const rated = [
      field('amount', 'integer'),
      field('cost', 'integer', { calc: 'multiply', of: ['amount', 'rate'] }),
    ]
    const total = field('total', 'integer', { calc: 'sum', of: ['costs.cost'] })
    const groups = [group('one', [total, field('rate', 'integer'), repeat('costs', rated)])]
    const costs = [{ amount: 2 }, { amount: 3 }]
    const totalWith = (rate: number) => evaluate(groups, { answers: { costs, rate } }).answers.total
    expect([totalWith(1), totalWith(10), totalWith(1)]).toEqual([5, 50, 5])
  })

  it('does not look into rows over the limit', () => {
    const groups = withTotals(3)
    const limit = mostRows(groups[0].fields[0])
    expect(readsOf(groups, limit + 1)).toBe(0)
    expect(readsOf(groups, limit)).toBeGreaterThan(0)
  })
})

describe('rows over the limit', () => {
  const stored = {
    costs: [
      { row: 'a', amount: 1 },
      { row: 'b', amount: 2 },
    ],
    total0: 6,
  }

  it('are refused for their number', () => {
    const { errors } = save(withTotals(1, { max: 2 }), {}, { costs: range(3, () => ({ amount: 1 })) })
    expect(errors).toEqual({ costs: ['Costs must have at most 2'] })
  })

  it('that are stored keep their total, which nobody can set', () => {
    const groups = withTotals(1, { max: 1 })
    expect(save(groups, stored, {}).values.total0).toBe(6)
    expect(save(groups, stored, { total0: 99 }).values.total0).toBe(6)
    expect(save(withTotals(1, { max: 2 }), stored, { total0: 99 }).values.total0).toBe(6)
  })
})

describe('the first save of a form', () => {
  it('compiles no validator for each limit and list of choices', () => {
    const compile = vi.spyOn(Ajv.prototype, 'compile')
    const fields = range(300, (i): Field[] => [
      field(`text${i}`, 'text', { max_length: 600 + i }),
      field(`number${i}`, 'integer', { max: 5000 + i }),
      field(`choice${i}`, 'multiselect', { options: [{ value: `${i}`, label: 'One' }] }),
      field(`code${i}`, 'text', { pattern: { matches: `[A-Z]{2}${i}`, example: `AB${i}` } }),
    ]).flat()
    const sent = Object.fromEntries(
      range(300, (i) => [
        [`text${i}`, 'x'],
        [`number${i}`, 5001 + i],
        [`choice${i}`, ['no']],
        [`code${i}`, 'ab'],
      ]).flat(),
    )
    const { errors } = save([group('one', fields)], {}, sent)
    expect(Object.keys(errors)).toHaveLength(900)
    expect(compile.mock.calls.length).toBeLessThan(20)
  })

  it('compiles its patterns, and no later one does', () => {
    const match = () => range(600, (i) => matchesPattern(`[A-Z]{3}-${i}`, `ABC-${i}`))
    expect(match().every(Boolean)).toBe(true)
    const compile = vi.spyOn(RE2JS, 'compile')
    expect(match().every(Boolean)).toBe(true)
    expect(compile).not.toHaveBeenCalled()
  })
})

describe('the budget of a form', () => {
  const problems = (groups: Group[], before?: Group[]) =>
    checkMeta(
      caseMeta(...groups),
      { lookups: {} },
      before && { meta: caseMeta(...before), usage: { case_meta: {}, issue_meta: {} } },
    ).map(({ message }) => message)
  const patterns = (count: number) => [
    group(
      'one',
      range(count, (i) =>
        field(`f${i}`, 'text', { pattern: { matches: `[A-Z]{2}${i}`, example: `AB${i}` } }),
      ),
    ),
  ]

  it('is far above what the forms in use cost', () => {
    for (const { case_meta, issue_meta } of demoMetas())
      for (const groups of [case_meta, issue_meta])
        expect(costOf(groups).steps).toBeLessThan(MAX_COST.steps / 5)
  })

  it('names what exceeds it', () => {
    expect(problems(withTotals(1000, { max: 500 }))).toEqual([
      "This form is too slow: with all its rows it takes 511,005 steps to save, of at most 25,000. Most of them are of 1,000 calculations over rows ('Total0', 'Total1', 'Total2', 'Total3', 'Total4' and 995 more); 'Costs', 500 rows of 2 columns. Lower the most rows, or remove columns, calculations or conditions",
    ])
    expect(problems(withTotals(5, { max: 1_000_000_000 }))).toHaveLength(1)
    expect(problems(patterns(200))).toEqual([])
    expect(problems(patterns(201))).toEqual([
      'A form may have 200 different patterns, and this one has 201; use the same for several fields, or remove 1',
    ])
    const slow = (i: number) => ({ pattern: { matches: `[ab]*a[ab]{100}|${i}`, example: `${i}` } })
    expect(
      problems([
        group('one', [
          repeat(
            'r',
            range(2, (i) => field(`f${i}`, 'text', slow(i))),
          ),
        ]),
      ]),
    ).toEqual([expect.stringContaining('The patterns of this form are too slow')])
  })

  it('counts each choice of several, in each row', () => {
    const several = (count: number) =>
      choice(
        'c',
        range(count, (i) => `v${i}`),
        {},
        'multiselect',
      )
    const cost = (count: number) =>
      costOf([group('one', [repeat('rows', [several(count)], { max: 10 })])]).steps
    expect(cost(40) - cost(10)).toBe(10 * 30)
    expect(problems([group('one', [repeat('rows', [several(400)], { max: 100 })])])).toEqual([
      expect.stringContaining('This form is too slow'),
    ])
  })

  it('counts one pattern of many fields once, and what is switched off not at all', () => {
    const [{ fields }] = patterns(300)
    const same = fields.map((one) => ({ ...one, attrs: fields[0].attrs }))
    expect(problems([group('one', same)])).toEqual([])
    const off = fields.map((one) => ({ ...one, attrs: { ...one.attrs, is_on: false } }))
    expect(costOf([group('one', off)])).toEqual({ steps: 0, patterns: 0, matching: 0 })
  })

  it('refuses a published form over it only for what grows, and warns', () => {
    const before = withTotals(1000, { max: 500 })
    expect(problems(before, before)).toEqual([])
    expect(problems(withTotals(990, { max: 500 }), before)).toEqual([])
    expect(problems(withTotals(1001, { max: 500 }), before)).toHaveLength(1)
    expect(adviceOn(caseMeta(...before)).map(({ message }) => message)).toEqual([
      expect.stringContaining('This form is too slow'),
    ])
  })
})
