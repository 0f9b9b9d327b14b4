import { describe, expect, it } from 'vitest'
import { formInWords } from '../../src/constructor/forms/formInWords.ts'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { Field, FieldAttrs, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { describeCondition } from '../../src/contract/meta/describeCondition.ts'
import { costOf } from '../../src/contract/meta/formCost.ts'
import { paperForm } from '../../src/contract/meta/paperForm.ts'
import { fieldsByName } from '../../src/contract/meta/places.ts'
import { whyField } from '../../src/contract/meta/why.ts'
import { todayDependentNames } from '../../src/contract/todayDependent.ts'
import { evaluate } from '../../src/contract/visible.ts'
import { holds, pathsOf, type Values, type When } from '../../src/contract/when.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { caseMeta, choice, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'

const today = '2026-03-15'
const visits = repeat('visits', [
  field('day', 'date'),
  yesno('done'),
  field('why', 'text', { when: { done: 'no' } }),
  field('cost', 'integer', { when: { done: 'yes' } }),
  field('double', 'integer', { calc: 'add', of: ['cost', 'cost'] }),
])
const withVisits = (...fields: Field[]): Group[] => [
  group('one', [field('start', 'date'), visits, ...fields]),
]
const isShown = (when: When, answers: Values) => {
  const groups = withVisits(visibleWhen('plan', when))
  return evaluate(groups, { answers, today }).groups[0].fields.some(({ name }) => name === 'plan')
}
const apply = (groups: Group[], sent: Values, stored: Values = {}) =>
  applyChanges({
    groups,
    stored,
    sent,
    conditionContext: {},
    validateSchema: ajvValidate,
    today,
    all: Object.keys(stored).length === 0,
  })

describe('a condition on rows', () => {
  const two = [
    { done: 'yes', day: '2026-03-01', cost: 5 },
    { done: 'no', day: '2026-03-05' },
  ]

  it.each<[When, unknown, boolean]>([
    [{ visits: { any_row: { done: 'no' } } }, two, true],
    [{ visits: { any_row: { done: 'not_known' } } }, two, false],
    [{ visits: { any_row: { done: 'no' } } }, undefined, false],
    [{ visits: { any_row: { done: { not: 'no' } } } }, [{}], true],
    [{ visits: { every_row: { day: { set: true } } } }, two, true],
    [{ visits: { every_row: { done: 'yes' } } }, two, false],
    [{ visits: { every_row: { done: 'yes' } } }, [], false],
    [{ visits: { count_rows: { day: { set: true } }, min: 2 } }, two, true],
    [{ visits: { count_rows: { done: 'yes' }, min: 2 } }, two, false],
    [{ visits: { count_rows: { done: 'yes' }, max: 0 } }, undefined, true],
    [{ visits: { count_rows: { done: 'yes' }, min: 1, not: 1 } }, two, false],
    [{ visits: { any_row: { any: [{ done: 'no' }, { cost: { min: 9 } }] } } }, two, true],
    [{ visits: { any_row: { day: { max: { path: 'start' } } } } }, two, true],
    [{ visits: { any_row: { day: { min: { path: 'start' } }, done: 'yes' } } }, two, false],
    [{ visits: { any_row: { done: 'no' } } }, 'x', false],
    [{ visits: { any_row: { done: 'no' } } }, [null, 'no', ['no']], false],
  ])('%j with %j is %s', (when, rows, expected) => {
    expect(isShown(when, { start: '2026-03-03', visits: rows })).toBe(expected)
  })

  it('sees what is visible and calculated in a row, and no answer around it for a column that is empty', () => {
    expect(
      isShown({ visits: { any_row: { why: { set: true } } } }, { visits: [{ done: 'yes', why: 'Old' }] }),
    ).toBe(false)
    expect(
      isShown({ visits: { any_row: { double: 10 } } }, { visits: [{ done: 'yes', cost: 5, double: 1 }] }),
    ).toBe(true)
    expect(isShown({ visits: { any_row: { done: 'no' } } }, { done: 'no', visits: [{}] })).toBe(false)
  })

  it('shows a field again once a column that it looks at follows from another answer', () => {
    const rows = repeat('rows', [field('x', 'integer', { when: { on: 'yes' } })])
    const groups = [group('one', [visibleWhen('plan', { rows: { any_row: { x: 1 } } }), rows, yesno('on')])]
    const shown = (on: string) =>
      evaluate(groups, { answers: { on, rows: [{ x: 1 }] } }).groups[0].fields.map(({ name }) => name)
    expect(shown('yes')).toContain('plan')
    expect(shown('no')).not.toContain('plan')
  })

  it('requires, refuses and calculates as the server does', () => {
    const groups = withVisits(
      field('plan', 'text', { required_when: { visits: { any_row: { done: 'no' } } } }),
      yesno('all_done', {
        checks: [
          { when: { all_done: 'yes', visits: { any_row: { done: 'no' } } }, message: 'A visit is not done' },
        ],
      }),
      field('open', 'integer', { calc: 'count_rows', of: ['visits'], rows_when: { done: { not: 'yes' } } }),
      field('state', 'text', {
        calc: 'choose',
        choose: [
          { when: { visits: { every_row: { done: 'yes' } } }, then: { text: 'Complete' } },
          { then: { text: 'Open' } },
        ],
      }),
    )
    const { values, errors } = apply(groups, { visits: two, all_done: 'yes' })
    expect(errors).toEqual({ plan: ['Enter plan'], all_done: ['A visit is not done'] })
    expect([values.open, values.state]).toEqual([1, 'Open'])
    expect(apply(groups, { visits: [{ done: 'yes' }] }).values).toMatchObject({ open: 0, state: 'Complete' })
    expect(apply(groups, {}).values).toMatchObject({ open: 0, state: 'Open' })
  })

  it('depends on today with the column that it looks at', () => {
    const ages = repeat('people', [
      field('born', 'date'),
      field('age', 'integer', { calc: 'age_at', of: ['born', '$today'] }),
    ])
    const adults = field('adults', 'integer', {
      calc: 'count_rows',
      of: ['people'],
      rows_when: { age: { min: 18 } },
    })
    const named = { ...adults, attrs: { ...adults.attrs, rows_when: { born: { set: true } } } as FieldAttrs }
    expect(todayDependentNames([group('one', [ages, adults])])).toEqual(new Set(['adults']))
    expect(todayDependentNames([group('one', [ages, named])])).toEqual(new Set())
    expect(
      evaluate([group('one', [ages, adults])], {
        today,
        answers: { people: [{ born: '2001-01-01' }, { born: '2020-01-01' }] },
      }).answers.adults,
    ).toBe(1)
  })

  it('names the rows, the columns and what these are compared with', () => {
    expect(
      pathsOf({ visits: { any_row: { day: { min: { path: 'start' } }, any: [{ done: 'no' }] } } }),
    ).toEqual(['visits', 'visits.day', 'start', 'visits.done'])
  })

  const COUNT = FULL ? 5_000 : 300
  it(`means the same as the condition on each row, in ${COUNT} documents`, () => {
    const random = seeded(5)
    for (let i = 0; i < COUNT; i++) {
      const rows = Array.from({ length: random.between(0, 4) }, () => ({
        ...(random.chance(0.8) && { done: random.pick(['yes', 'no', 'not_known']) }),
        ...(random.chance(0.8) && { cost: random.between(0, 3) }),
      }))
      const inner: When = random.pick<When>([
        { done: 'yes' },
        { done: { not: 'no' } },
        { cost: { min: 2 } },
        { done: ['yes', 'no'], cost: { set: true } },
        { any: [{ done: 'no' }, { cost: 1 }] },
      ])
      const seen = rows.map((row) => (row.done === 'yes' ? row : { ...row, cost: undefined }))
      const held = seen.filter((row) => holds(inner, { answers: row })).length
      const min = random.between(0, 3)
      expect(isShown({ visits: { any_row: inner } }, { visits: rows })).toBe(held > 0)
      expect(isShown({ visits: { every_row: inner } }, { visits: rows })).toBe(
        rows.length > 0 && held === rows.length,
      )
      expect(isShown({ visits: { count_rows: inner, min } }, { visits: rows })).toBe(held >= min)
    }
  })
})

describe('the check of a condition on rows', () => {
  const problems = (when: When) =>
    checkMeta(caseMeta(...withVisits(visibleWhen('plan', when), yesno('urgent'))), { lookups: {} }).map(
      ({ path, message }) => `${path.slice(4).join('.')}: ${message}`,
    )

  it.each<[When, string[]]>([
    [{ visits: { any_row: { done: 'no' } } }, []],
    [{ visits: { count_rows: { done: 'no' }, min: 2 } }, []],
    [
      { visits: { count_rows: { done: 'no' } } },
      ["when.visits: Say in how many rows of 'Visits' this must hold"],
    ],
    [
      { urgent: { any_row: { done: 'no' } } },
      ["when.urgent: 'Urgent' has no rows, so this condition can never hold; choose repeating rows"],
    ],
    [
      { gone: { any_row: { done: 'no' } } },
      ["when.gone: This condition looks at 'gone', but there is no such field; choose another or remove it"],
    ],
    [
      { visits: { any_row: { urgent: 'no' } } },
      [
        "when.visits.any_row: A condition on the rows of 'Visits' looks at its columns, and 'urgent' is not one of them; choose another field",
      ],
    ],
    [
      { visits: { any_row: { done: 'maybe' } } },
      ["when.visits.any_row.done: 'Done' has no choice 'maybe'; choose another value"],
    ],
    [
      { visits: { every_row: { '': '' } } },
      ['when.visits.every_row.: Choose the field that this condition looks at, or remove the condition'],
    ],
  ])('of %j says %j', (when, expected) => {
    expect(problems(when)).toEqual(expected)
  })

  it('finds the circle of a column that looks at its own rows', () => {
    const rows = repeat('rows', [
      field('a'),
      field('b', 'text', { when: { rows: { any_row: { a: { set: true } } } } }),
    ])
    const meta = caseMeta(group('one', [rows]))
    expect(checkMeta(meta, { lookups: {} }).some(({ message }) => message.includes('itself'))).toBe(true)
  })

  it('counts each row in the cost of the form', () => {
    const cost = (max: number) =>
      costOf([
        group('one', [
          { ...visits, attrs: { max } },
          visibleWhen('a', { visits: { any_row: { done: 'no', day: { set: true } } } }),
        ]),
      ]).steps - costOf([group('one', [{ ...visits, attrs: { max } }, field('a')])]).steps
    expect([cost(10), cost(100)]).toEqual([21, 201])
  })
})

describe('a condition on rows in words', () => {
  const reach = fieldsByName(withVisits())
  it.each<[When, string]>([
    [{ visits: { any_row: { done: 'no' } } }, "'Done' is No in a row of 'Visits'"],
    [
      { visits: { every_row: { done: 'yes', day: { set: true } } } },
      "('Done' is Yes and 'Day' has a value) in every row of 'Visits'",
    ],
    [{ visits: { count_rows: { done: 'no' }, min: 3 } }, "'Done' is No in at least 3 rows of 'Visits'"],
    [{ visits: { count_rows: { done: 'no' }, max: 0 } }, "'Done' is No in no rows of 'Visits'"],
    [
      { visits: { count_rows: { done: 'no' }, min: 2, not: 2 } },
      "'Done' is No in more than 2 rows of 'Visits'",
    ],
    [
      { visits: { count_rows: { done: 'no' }, min: { path: 'start' } } },
      "'Done' is No in at least 'Start' rows of 'Visits'",
    ],
  ])('%j reads %s', (when, words) => {
    expect(describeCondition(when, reach)).toBe(words)
  })

  it('says why, on screen and on paper', () => {
    const groups = withVisits(visibleWhen('plan', { visits: { any_row: { done: 'no' } } }))
    expect(whyField(groups, 'plan', { answers: { visits: [{ done: 'yes' }] } }).visibleReasons).toEqual([
      "'Plan' is shown only when 'Done' is No in a row of 'Visits'; 'Visits' is now 1 row.",
    ])
    expect(paperForm(groups)[0].questions[2].only).toBe("Answer 3 only if 'Done' is No in a row of 2.")
  })

  it('counts rows in words', () => {
    const count = field('open', 'integer', { calc: 'count_rows', of: ['visits'], rows_when: { done: 'no' } })
    expect(formInWords(withVisits(count))[0].below[2].sentences).toContain(
      "Calculated: the number of rows of '2 Visits' in which 'Done' is No.",
    )
  })
})

describe('rows', () => {
  const rows = (attrs: FieldAttrs, columns = [field('day', 'date', { required: true })]) =>
    repeat('visits', columns, attrs)

  it('are named in their messages', () => {
    const groups = [group('one', [rows({ row_label: 'Visit' })])]
    expect(apply(groups, { visits: [{ day: '2026-01-01' }, { row: 'b' }] }).errors).toEqual({
      'visits.1.day': ['Visit 2: Enter day'],
    })
  })

  it('are sorted when they are saved, without an answer last', () => {
    const saved = (attrs: FieldAttrs, column: Field, all: unknown[]) => {
      const { values } = apply([group('one', [rows(attrs, [column])])], {
        visits: all.map((day) => ({ day })),
      })
      return (values.visits as Values[]).map(({ day }) => day)
    }
    const day = field('day', 'date')
    expect(saved({ sort_by: 'day' }, day, ['2026-03-01', undefined, '2026-01-01'])).toEqual([
      '2026-01-01',
      '2026-03-01',
      undefined,
    ])
    expect(saved({ sort_by: 'day', sort_down: true }, day, ['2026-01-01', undefined, '2026-03-01'])).toEqual([
      '2026-03-01',
      '2026-01-01',
      undefined,
    ])
    expect(saved({ sort_by: 'day' }, field('day', 'decimal'), ['10.00', '9.50'])).toEqual(['9.50', '10.00'])
    expect(saved({ sort_by: 'day' }, field('day', 'text'), ['b', 'A'])).toEqual(['A', 'b'])
    expect(saved({ sort_by: 'day' }, choice('day', ['low', 'high']), ['high', 'low'])).toEqual([
      'low',
      'high',
    ])
  })

  it('keep the paths of their errors while they are sorted', () => {
    const groups = [
      group('one', [rows({ sort_by: 'day' }, [field('day', 'date', { rules: ['not_future'] })])]),
    ]
    expect(
      Object.keys(apply(groups, { visits: [{ day: '2027-01-01' }, { day: '2026-01-01' }] }).errors),
    ).toEqual(['visits.0.day'])
  })

  it('are not sorted by a save of another answer', () => {
    const groups = [group('one', [field('a'), rows({ sort_by: 'day' })])]
    const stored = {
      visits: [
        { row: '1', day: '2026-03-01' },
        { row: '2', day: '2026-01-01' },
      ],
    }
    expect(apply(groups, { a: 'x' }, stored).changed).toEqual(['a'])
  })

  it('are as many as an answer says', () => {
    const groups = [group('one', [field('count', 'integer'), rows({ rows_from: 'count', max: 3 })])]
    const errors = (sent: Values) => apply(groups, sent).errors
    const day = '2026-01-01'
    expect(errors({ count: 2, visits: [{ day }, { day }] })).toEqual({})
    expect(errors({ count: 2, visits: [{ day }] })).toEqual({
      visits: ['Visits must have 2 rows, as many as the form asks for'],
    })
    expect(errors({ count: 1, visits: [{ day }, { day }] })).toEqual({
      visits: ['Visits must have 1 row, as many as the form asks for'],
    })
    expect(errors({ count: 2 })).toEqual({
      visits: ['Visits must have 2 rows, as many as the form asks for'],
    })
    expect(errors({ count: 0 })).toEqual({})
    expect(errors({ count: 0, visits: [{ day }] })).toEqual({
      visits: ['Visits must have 0 rows, as many as the form asks for'],
    })
    expect(errors({ visits: [{ day }] })).toEqual({})
    expect(apply(groups, { count: 3 }, { count: 1, visits: [{ row: '1', day }] }).errors).toEqual({
      visits: ['Visits must have 3 rows, as many as the form asks for'],
    })
  })

  it.each<[FieldAttrs, string]>([
    [
      { sort_by: 'gone' },
      "The rows of 'Visits' are sorted by 'gone', which is not one of its columns; choose another",
    ],
    [
      { sort_by: 'kinds' },
      "The rows of 'Visits' cannot be sorted by 'Kinds', which has no order; choose another column",
    ],
    [{ sort_down: true }, "Choose the column by which the rows of 'Visits' are sorted"],
    [
      { rows_from: 'gone' },
      "The number of rows of 'Visits' comes from 'gone', but there is no such field; choose another",
    ],
    [
      { rows_from: 'name' },
      "The number of rows of 'Visits' must come from a whole number, which 'Name' is not; choose another field",
    ],
  ])('with %j are refused: %s', (attrs, message) => {
    const kinds = choice('kinds', ['a'], {}, 'multiselect')
    const meta = caseMeta(group('one', [field('name'), rows(attrs, [field('day', 'date'), kinds])]))
    expect(checkMeta(meta, { lookups: {} }).map((one) => one.message)).toEqual([message])
  })

  it('say so in words and on paper', () => {
    const groups = [
      group('one', [
        field('count', 'integer'),
        rows({ rows_from: 'count', row_label: 'Visit', sort_by: 'day', sort_down: true }),
      ]),
    ]
    expect(formInWords(groups)[0].below[1].sentences).toEqual(
      expect.arrayContaining([
        'A row is called “Visit”.',
        "As many rows as the answer to '1 Count'.",
        "Sorted by 'Day', the largest or latest first.",
      ]),
    )
    expect(paperForm(groups)[0].questions[1].needed).toBe('Fill in as many rows as you answered to 1.')
  })
})
