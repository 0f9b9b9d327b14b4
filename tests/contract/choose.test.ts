import { describe, expect, it } from 'vitest'
import { differences } from '../../src/constructor/forms/diff.ts'
import { foldsOf, withFolds } from '../../src/constructor/forms/foldHelpers.ts'
import { formInWords } from '../../src/constructor/forms/formInWords.ts'
import { coverageOf } from '../../src/constructor/forms/formTestCoverage.ts'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import { bandsOf, readBands, rowsOfBands } from '../../src/contract/choose.ts'
import { addMonths } from '../../src/contract/days.ts'
import { followersOf } from '../../src/contract/followers.ts'
import type { ChooseRow, Field, FieldType, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { explainField } from '../../src/contract/meta/explainField.ts'
import { costOf } from '../../src/contract/meta/formCost.ts'
import { paperForm } from '../../src/contract/meta/paperForm.ts'
import { whyField } from '../../src/contract/meta/why.ts'
import { todayDependentNames } from '../../src/contract/todayDependent.ts'
import type { SchemaValidator } from '../../src/contract/validateAnswers.ts'
import { evaluate } from '../../src/contract/visible.ts'
import { holds, type Values } from '../../src/contract/when.ts'
import { validateSchema as browserCheck } from '../../src/engine/form/store/validateSchema.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { caseMeta, choice, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'

const today = '2026-03-15'

function chosen(choose: ChooseRow[], type: FieldType = 'text', more = {}): Field {
  return field('band', type, { calc: 'choose', choose, ...more })
}

const BANDS: ChooseRow[] = [
  { when: { score: { max: 4 } }, then: { text: 'None' } },
  { when: { score: { min: 5, max: 9 } }, then: { text: 'Mild' } },
  { then: { text: 'Severe' } },
]
const score = field('score', 'integer')
const bandOf = (fields: Field[], answers: Values) =>
  evaluate([group('one', fields)], { answers, today }).answers.band

describe('a calculation by conditions', () => {
  it('gives the value of the first row whose condition holds, otherwise the last one', () => {
    const of = (answers: Values) => bandOf([score, chosen(BANDS)], answers)
    expect([0, 4, 5, 9, 10].map((n) => of({ score: n }))).toEqual(['None', 'None', 'Mild', 'Mild', 'Severe'])
    expect(of({})).toBe('Severe')
  })

  it('looks at the client and the last record, also in bands, counts of rows and rows', () => {
    const groups = [
      group('one', [
        chosen([
          { when: { '$last.band': 'Severe' }, then: { text: 'Again' } },
          { when: { '$client.dob': { min: '2010-01-01' } }, then: '$last.band' },
          {},
        ]),
        chosen(BANDS.map((row) => (row.when ? { ...row, when: { '$last.score': row.when.score } } : row))),
        score,
        repeat('visits', [
          field('day', 'date'),
          field('of_birth', 'integer', { calc: 'age_at', of: ['$client.dob', 'day'] }),
        ]),
        field('later', 'integer', {
          calc: 'count_rows',
          of: ['visits'],
          rows_when: { day: { min: { path: '$last.seen_on' } } },
        }),
        field('seen_on', 'date'),
        visibleWhen('often', { visits: { count_rows: { day: { min: { path: '$last.seen_on' } } }, min: 2 } }),
      ]).fields,
    ].map((fields) =>
      group(
        'one',
        fields.map((one, i) => (i === 1 ? { ...one, name: 'last_band' } : one)),
      ),
    )
    const dob = field('dob', 'date')
    const known = {
      lookups: {},
      entities: {
        client: {
          $id: 'client',
          properties: { dob: { title: 'Date of birth', type: 'string', format: 'date' } },
        },
      },
    }
    expect(checkMeta(caseMeta(...groups), known as never)).toEqual([])
    const seenAs = (values: Values) => ({
      values: Object.fromEntries(Object.entries(values).map(([path, value]) => [path, { value }])),
      fields: new Map([
        ['$client.dob', dob],
        ['$last.seen_on', field('seen_on', 'date')],
        ['$last.score', score],
      ]),
    })
    const visits = [{ day: '2026-01-01' }, { day: '2026-02-01' }, { day: '2026-03-01' }]
    const seen = seenAs({
      '$last.band': 'Mild',
      '$client.dob': '2012-02-01',
      '$last.score': 7,
      '$last.seen_on': '2026-02-01',
    })
    const { answers, groups: shown } = evaluate(groups, { answers: { visits }, today, seen })
    expect([answers.band, answers.last_band, answers.later]).toEqual(['Mild', 'Mild', 2])
    expect(shown[0].fields.some(({ name }) => name === 'often')).toBe(true)
    for (const validateSchema of [ajvValidate, browserCheck]) {
      const options = {
        groups,
        stored: {},
        sent: { visits },
        conditionContext: { seen },
        validateSchema,
        today,
        all: true,
      }
      const { values, errors } = applyChanges(options)
      expect([errors, values]).toEqual([
        {},
        {
          band: 'Mild',
          last_band: 'Mild',
          later: 2,
          visits: visits.map((row, i) => ({ ...row, of_birth: 13 + Number(i > 0) })),
        },
      ])
    }
    const again = evaluate(groups, { answers: { visits }, today, seen: seenAs({ '$last.band': 'Severe' }) })
    expect([again.answers.band, again.answers.last_band, again.answers.later]).toEqual(['Again', 'Severe', 0])
    expect(whyField(groups, 'band', { answers: {}, seen }).isVisible).toBe(true)
    expect(followersOf(groups, ['$last.seen_on'])).toEqual(new Set(['later', 'often']))
    expect(followersOf(groups, ['$last.band'])).toEqual(new Set(['band']))
  })

  it('refuses a condition on rows that looks outside of them or from rows into others, which a column can count', () => {
    const problems = (...fields: Field[]) =>
      checkMeta(caseMeta(group('one', fields)), { lookups: {} }).map(({ message }) => message)
    const rows = repeat('rows', [yesno('done')])
    expect(
      problems(yesno('urgent'), rows, visibleWhen('x', { rows: { any_row: { urgent: 'yes' } } })),
    ).toEqual([
      "A condition on the rows of 'Rows' looks at its columns, and 'urgent' is not one of them; choose another field",
    ])
    expect(
      problems(rows, repeat('others', [visibleWhen('x', { rows: { any_row: { done: 'yes' } } })])),
    ).toEqual([
      "In the rows of 'Others' no condition can look into the rows of 'rows'; count them in a field outside and look at that",
    ])
    const count = field('n', 'integer', { calc: 'count_rows', of: ['rows'], rows_when: { done: 'yes' } })
    expect(problems(rows, repeat('others', [count]))).toEqual([])
    const others = [{}]
    const counted = (validateSchema: SchemaValidator, ...done: string[]) =>
      applyChanges({
        groups: [group('one', [rows, repeat('others', [count])])],
        stored: {},
        sent: { rows: done.map((one) => ({ done: one })), others },
        conditionContext: {},
        validateSchema,
        today,
        all: true,
      }).values.others
    for (const validateSchema of [ajvValidate, browserCheck])
      expect([counted(validateSchema, 'yes', 'no'), counted(validateSchema, 'yes', 'yes')]).toEqual([
        [{ n: 1 }],
        [{ n: 2 }],
      ])
  })

  it('takes an answer, today, a number, a choice or no value', () => {
    const when = { urgent: 'yes' }
    const fields = (rows: ChooseRow[], type: FieldType, more = {}) => [
      yesno('urgent'),
      field('asked', 'date'),
      field('days', 'integer'),
      chosen(rows, type, more),
    ]
    const urgent = { urgent: 'yes', asked: '2026-01-02', days: 3 }
    expect(bandOf(fields([{ when, then: '$today' }, { then: 'asked' }], 'date'), urgent)).toBe(today)
    expect(
      bandOf(fields([{ when, then: '$today' }, { then: 'asked' }], 'date'), { asked: '2026-01-02' }),
    ).toBe('2026-01-02')
    expect(bandOf(fields([{ when, then: 'days' }, { then: 10 }], 'integer'), urgent)).toBe(3)
    expect(bandOf(fields([{ when, then: 2.5 }, {}], 'decimal'), urgent)).toBe('2.50')
    expect(bandOf(fields([{ when, then: 2.5 }, {}], 'decimal'), {})).toBeUndefined()
    const { options } = choice('c', ['mild', 3]).attrs!
    expect(
      bandOf(fields([{ when, then: 3 }, { then: { text: 'mild' } }], 'select', { options }), urgent),
    ).toBe(3)
    expect(bandOf(fields([{ when, then: { text: 'no' } }, {}], 'yesno'), urgent)).toBe('no')
  })

  it('gives a value from outside of the form', () => {
    const dob = { ...field('$client.dob', 'date'), label: "Client's date of birth" }
    const rows: ChooseRow[] = [{ when: { '$client.dob': { set: true } }, then: '$client.dob' }, {}]
    const seen = { values: { '$client.dob': { value: '1950-02-03' } }, fields: new Map([[dob.name, dob]]) }
    const groups = [group('one', [chosen(rows, 'date')])]
    expect(evaluate(groups, { answers: {}, seen }).answers.band).toBe('1950-02-03')
    expect(checkMeta({ case_meta: groups, issue_meta: [] }, contract)).toEqual([])
  })

  it('is stored, steers other fields, and follows fields that come later in the form', () => {
    const groups = [
      group('one', [
        visibleWhen('plan', { band: 'Severe' }),
        chosen(BANDS),
        field('score', 'integer', { calc: 'sum', of: ['a', 'b'] }),
        field('a', 'integer'),
        field('b', 'integer', { when: { a: { min: 3 } } }),
      ]),
    ]
    const { values } = applyChanges({
      groups,
      stored: {},
      sent: { a: 3, b: 8, plan: 'Call', band: 'forged' },
      conditionContext: {},
      validateSchema: ajvValidate,
      today,
      all: true,
    })
    expect(values).toEqual({ a: 3, b: 8, score: 11, band: 'Severe', plan: 'Call' })
    expect(evaluate(groups, { answers: { a: 2, b: 8, plan: 'Call' } }).answers).toEqual({
      a: 2,
      score: 2,
      band: 'None',
    })
  })

  it('looks at its own row of a repeat first, and a sum adds up its values', () => {
    const rows = repeat('visits', [
      field('kind'),
      field('cost', 'integer', {
        calc: 'choose',
        choose: [{ when: { kind: 'long' }, then: 20 }, { then: 'usual' }],
      }),
    ])
    const groups = [
      group('one', [
        field('usual', 'integer'),
        rows,
        field('all', 'integer', { calc: 'sum', of: ['visits.cost'] }),
      ]),
    ]
    const answers = { usual: 5, visits: [{ kind: 'long' }, { kind: 'short' }, {}] }
    expect(evaluate(groups, { answers }).answers.all).toBe(30)
  })

  it('depends on today through its values and through its conditions', () => {
    const age = field('age', 'integer', { calc: 'age_at', of: ['born', '$today'] })
    const named = (choose: ChooseRow[], type: FieldType) =>
      todayDependentNames([group('one', [field('born', 'date'), age, chosen(choose, type)])]).has('band')
    expect(named([{ when: { age: { min: 18 } }, then: { text: 'Adult' } }, {}], 'text')).toBe(true)
    expect(named([{ when: { born: { set: true } }, then: '$today' }, {}], 'date')).toBe(true)
    expect(named([{ when: { born: { set: true } }, then: { text: 'Yes' } }, {}], 'text')).toBe(false)
  })

  const COUNT = FULL ? 5_000 : 300
  it(`means what its rows say, in ${COUNT} documents, in any order of the form`, () => {
    const random = seeded(11)
    for (let i = 0; i < COUNT; i++) {
      const names = Array.from({ length: random.between(2, 10) }, (_, n) => `f${n}`)
      const fields = names.map((name, n) => {
        const before = () => `f${random.between(0, n - 1)}`
        const condition = () => ({ [before()]: { min: random.between(0, 4) } })
        const rows = (): ChooseRow[] => [
          ...Array.from({ length: random.between(1, 3) }, () => ({
            when: condition(),
            then: random.chance(0.5) ? before() : random.between(0, 9),
          })),
          random.chance(0.5) ? {} : { then: random.between(0, 9) },
        ]
        const isChosen = n > 0 && random.chance(0.5)
        return field(name, 'integer', {
          ...(isChosen && { calc: 'choose' as const, choose: rows() }),
          ...(n > 0 && random.chance(0.3) && { when: condition() }),
        })
      })
      const given = Object.fromEntries(
        names.flatMap((name) => (random.chance(0.8) ? [[name, random.between(0, 9)]] : [])),
      )
      const expected: Values = {}
      for (const { name, attrs } of fields) {
        if (!holds(attrs?.when, { answers: expected })) continue
        const { then } = attrs?.choose?.find(({ when }) => holds(when, { answers: expected })) ?? {}
        const value = attrs?.calc ? (typeof then === 'string' ? expected[then] : then) : given[name]
        if (value !== undefined) expected[name] = value
      }
      const groups = [
        group(
          'one',
          [...fields].sort(() => random.between(0, 1) - 0.5),
        ),
      ]
      expect(evaluate(groups, { answers: given }).answers).toEqual(expected)
    }
  })
})

describe('bands', () => {
  it('are read as people write them', () => {
    expect(readBands('0–4 None\n5 to 9: Mild; 10-14 Moderate\n\n15+ Severe\nup to -1 Wrong')).toEqual({
      bands: [
        { min: 0, max: 4, words: 'None' },
        { min: 5, max: 9, words: 'Mild' },
        { min: 10, max: 14, words: 'Moderate' },
        { min: 15, words: 'Severe' },
        { max: -1, words: 'Wrong' },
      ],
      unread: [],
    })
    expect(readBands('Mild 5 to 9\n9-5 x').unread).toEqual(['Mild 5 to 9', '9-5 x'])
    expect(readBands('3-3 Three')).toEqual({ bands: [{ min: 3, max: 3, words: 'Three' }], unread: [] })
  })

  it('are the rows that limit one number, and only these', () => {
    const bands = bandsOf(BANDS)
    expect(bands).toEqual({
      of: 'score',
      bands: [
        { max: 4, then: { text: 'None' } },
        { min: 5, max: 9, then: { text: 'Mild' } },
      ],
      otherwise: { text: 'Severe' },
    })
    expect(rowsOfBands(bands!)).toEqual(BANDS)
    expect(bandsOf([{ when: { score: { max: 4 }, urgent: 'yes' } }, {}])).toBeUndefined()
    expect(bandsOf([{ when: { score: { min: 4, not: 4 } } }, {}])).toBeUndefined()
    expect(bandsOf([{ when: { score: { max: 4 } } }, { when: { other: { max: 4 } } }, {}])).toBeUndefined()
  })
})

describe('other calculations', () => {
  const result = (attrs: Field['attrs'], answers: Values, type: FieldType = 'integer') => {
    const risk = choice('risk', ['low', 'high'])
    const several = choice('risks', ['low', 'high'], {}, 'multiselect')
    const fields = [
      field('a', 'decimal'),
      field('b', 'decimal'),
      field('from', 'date'),
      field('to', 'date'),
      risk,
      several,
    ]
    const groups = [group('one', [...fields, field('band', type, attrs)])]
    return evaluate(groups, { answers, today }).answers.band
  }

  it.each([
    ['2026-01-31', '2026-02-27', 0],
    ['2026-01-31', '2026-02-28', 1],
    ['2026-01-15', '2026-03-14', 1],
    ['2026-01-15', '2026-03-15', 2],
    ['2024-02-29', '2025-02-28', 12],
    ['2026-03-15', '2026-01-15', -2],
    ['2026-03-14', '2026-01-15', -1],
    ['2026-03-14', '2026-03-14', 0],
  ])('months_between of %s and %s is %i', (from, to, months) => {
    expect(result({ calc: 'months_between', of: ['from', 'to'] }, { from, to })).toBe(months)
    if (months >= 0) expect(addMonths(from, months) <= to && addMonths(from, months + 1) > to).toBe(true)
  })

  it.each([
    ['modulo', { a: '7', b: '3' }, 1],
    ['modulo', { a: '-7', b: '3' }, 2],
    ['modulo', { a: '7', b: '-3' }, -2],
    ['modulo', { a: '6', b: '3' }, 0],
    ['modulo', { a: '6', b: '0' }, undefined],
    ['modulo', { a: '6' }, undefined],
    ['floor', { a: '2.9' }, 2],
    ['floor', { a: '-2.1' }, -3],
    ['floor', { a: '-2' }, -2],
    ['floor', {}, undefined],
  ] as const)('%s of %j is %j', (calc, answers, expected) => {
    expect(result({ calc, of: calc === 'floor' ? ['a'] : ['a', 'b'] }, answers)).toBe(expected)
  })

  it.each([
    ['day', '4 May 2026'],
    ['weekday', 'Monday 4 May 2026'],
    ['month', 'May 2026'],
    ['year', '2026'],
    ['numbers', '04/05/2026'],
  ])('format_date writes as %s: %s', (text, expected) => {
    expect(result({ calc: 'format_date', of: ['from', { text }] }, { from: '2026-05-04' }, 'text')).toBe(
      expected,
    )
    expect(
      result({ calc: 'format_date', of: ['from', { text }] }, { from: '2026-02-30' }, 'text'),
    ).toBeUndefined()
  })

  it('choice_value gives what a choice is stored as', () => {
    expect(result({ calc: 'choice_value', of: ['risk'] }, { risk: 'high' }, 'text')).toBe('high')
    expect(result({ calc: 'choice_value', of: ['risks'] }, { risks: ['high', 'low'] }, 'text')).toBe(
      'low, high',
    )
    expect(result({ calc: 'choice_value', of: ['risk'] }, {}, 'text')).toBeUndefined()
  })
})

describe('the check of a calculation by conditions', () => {
  const problems = (choose: ChooseRow[] | undefined, type: FieldType = 'text', more = {}) =>
    checkMeta(
      caseMeta(
        group('one', [
          score,
          yesno('urgent'),
          field('asked', 'date'),
          field('name'),
          repeat('rows', [field('x')], { max: 5 }),
          choice('other', ['mild', 'odd']),
          field('band', type, { calc: 'choose', ...(choose && { choose }), ...more }),
        ]),
      ),
      { lookups: {} },
    ).map(({ path, message }) => `${path.slice(4).join('.')}: ${message}`)
  const { options } = choice('band', ['mild']).attrs!

  it('accepts what can be calculated', () => {
    expect(problems(BANDS)).toEqual([])
    expect(
      problems([{ when: { urgent: 'yes' }, then: { text: 'mild' } }, {}], 'select', { options }),
    ).toEqual([])
  })

  it.each<[string, ChooseRow[] | undefined, FieldType, object]>([
    [
      "choose: Say when 'Band' has which value: at least one condition, and the value otherwise",
      undefined,
      'text',
      {},
    ],
    [
      "choose.1.when: The last value of 'Band' holds otherwise, so it has no condition; add one after it",
      [BANDS[0], BANDS[1]],
      'text',
      {},
    ],
    [
      "choose.0: Say when 'Band' has value 1; only the last one has no condition",
      [{ then: { text: 'x' } }, {}],
      'text',
      {},
    ],
    [
      "choose.0.when.gone: This condition looks at 'gone', but there is no such field; choose another or remove it",
      [{ when: { gone: 1 } }, {}],
      'text',
      {},
    ],
    [
      "choose.0.when: 'Band' is stored for everybody, so it can only look at answers of its form, not at 'user.id'",
      [{ when: { 'user.id': 1 } }, {}],
      'text',
      {},
    ],
    ["choose.0.then: Choose a value of 'Band'", [{ when: { score: 1 }, then: '' }, {}], 'text', {}],
    [
      "choose.0.then: 'Band' has no choice 'odd'; choose another value",
      [{ when: { score: 1 }, then: { text: 'odd' } }, {}],
      'select',
      { options },
    ],
    [
      "choose.0.then: 'Other' has choices that 'Band' does not have; choose another field",
      [{ when: { score: 1 }, then: 'other' }, {}],
      'select',
      { options },
    ],
    [
      "choose.0.then: '3' can never be the value of 'Band'; choose another value",
      [{ when: { score: 1 }, then: 3 }, {}],
      'text',
      {},
    ],
    [
      "choose.0.then: 'x' can never be the value of 'Band'; choose another value",
      [{ when: { score: 1 }, then: { text: 'x' } }, {}],
      'date',
      {},
    ],
    [
      "choose.0.then: Today is a date, which 'Band' cannot have; choose another value",
      [{ when: { score: 1 }, then: '$today' }, {}],
      'text',
      {},
    ],
    [
      "choose.0.then: 'Asked' is of another kind than 'Band'; choose another field",
      [{ when: { score: 1 }, then: 'asked' }, {}],
      'text',
      {},
    ],
    [
      "choose.0.then: 'Rows' has no single answer; choose another field",
      [{ when: { score: 1 }, then: 'rows' }, {}],
      'text',
      {},
    ],
    [
      "choose.0.then: 'Band' is calculated from 'gone', but there is no such field; choose another",
      [{ when: { score: 1 }, then: 'gone' }, {}],
      'text',
      {},
    ],
  ])('says %s', (message, choose, type, more) => {
    expect(problems(choose, type, more)).toContain(message)
  })

  it('finds circles through values and conditions', () => {
    const meta = (then: ChooseRow[]) =>
      checkMeta(
        caseMeta(
          group('one', [
            field('a', 'integer', { calc: 'sum', of: ['band'] }),
            field('band', 'integer', { calc: 'choose', choose: then }),
          ]),
        ),
        { lookups: {} },
      ).map(({ message }) => message)
    const circle =
      "'A' and 'Band' depend on each other's answers: remove one of the conditions or calculations"
    expect(meta([{ when: { a: 1 }, then: 1 }, {}])).toContain(circle)
    expect(meta([{ when: { band: 1 }, then: 1 }, { then: 'a' }])).toContain(circle)
  })

  it('does not let a form begin as one', () => {
    const preset = { calc: 'choose', of: [] } as never
    const [problem] = checkMeta(caseMeta(group('one', [field('a', 'text', { default: preset })])), {
      lookups: {},
    })
    expect(problem.message).toMatch(/^'A' cannot begin as a value by conditions/)
  })

  it('counts its conditions and values in the cost of the form', () => {
    const cost = (rows: ChooseRow[]) => costOf([group('one', [score, chosen(rows)])]).steps
    expect(cost([...BANDS, ...BANDS])).toBeGreaterThan(cost(BANDS))
  })
})

describe('a calculation by conditions in words', () => {
  const groups: Group[] = [group('one', [score, yesno('urgent'), chosen(BANDS)])]

  it('reads as its bands or conditions', () => {
    expect(formInWords(groups)[0].below[2].sentences).toContain(
      "Calculated: None if '1 Score' is 4 or less, Mild if '1 Score' is 5 to 9, otherwise Severe.",
    )
    const other = chosen([{ when: { urgent: 'yes', score: { min: 3 } }, then: { text: 'Now' } }, {}])
    expect(formInWords([group('one', [score, yesno('urgent'), other])])[0].below[2].sentences).toContain(
      "Calculated: Now if '2 Urgent' is Yes and '1 Score' is at least 3, otherwise no value.",
    )
  })

  it('says why it has its value', () => {
    const why = (answers: Values) => whyField(groups, 'band', { answers }).required
    expect(why({ score: 7 })).toEqual([
      "'Band' is calculated: Mild because 'Score' is at least 5 and is at most 9; 'Score' is now 7.",
    ])
    expect(why({})).toEqual([
      "'Band' is calculated: Severe because none of its conditions holds; 'Score' has no answer.",
    ])
    expect(explainField(groups, 'band', { answers: { score: 2 } })).toEqual([
      "'Band' is calculated: None because 'Score' is at most 4; 'Score' is now 2.",
    ])
  })

  it('keeps an answer that nobody sees to itself', () => {
    const hidden = field('score', 'integer', { hidden: true, default: 3 })
    const said = explainField([group('one', [hidden, chosen(BANDS)])], 'band', { answers: { score: 3 } })
    expect(said).toEqual([
      "'Band' is calculated: None because an answer that is not shown here calls for it.",
    ])
  })

  it('is worked out on paper', () => {
    expect(paperForm(groups)[0].questions[2].workedOut).toBe(
      'Write None if the answer to 1 is 4 or less, Mild if the answer to 1 is 5 to 9, otherwise Severe',
    )
  })

  it('differs where a row does', () => {
    const after = [group('one', [score, yesno('urgent'), chosen(BANDS.slice(1))])]
    const [difference] = differences(caseMeta(...groups), caseMeta(...after))
    expect(JSON.stringify(difference)).toContain("None if 'Score' is 4 or less")
  })

  it('is covered by tests row by row', () => {
    const tests = [
      {
        name: 'Mild',
        meta: 'case_meta' as const,
        as: { today },
        given: { score: 7 },
        expect: { calculated: { band: 'Mild' } },
      },
    ]
    const found = coverageOf(caseMeta(...groups), tests, {})
    expect(found.map(({ decides, hasHeld, hasFailed }) => [decides, hasHeld, hasFailed])).toEqual([
      ["'Band' is None", false, true],
      ["'Band' is Mild", true, false],
    ])
  })
})

describe('hidden fields that stand in for a condition', () => {
  const helper = (name: string, when: Field['attrs'], preset: string) =>
    field(name, 'text', { hidden: true, default: preset, ...when })
  const none = helper('none', { when: { score: { max: 4 } } }, 'None')
  const mild = helper('mild', { when: { score: { min: 5, max: 9 } } }, 'Mild')
  const band = field('band', 'text', { calc: 'join_text', of: ['none', 'mild'] })

  it('are folded where at most one of them has a value, and removed where nothing refers to them', () => {
    const groups = [group('one', [score, none, mild, band])]
    const folds = foldsOf(groups)
    expect(folds).toEqual([{ name: 'band', rows: [...BANDS.slice(0, 2), {}], helpers: ['none', 'mild'] }])
    const folded = withFolds(groups, folds, (name) => name === 'mild')
    expect(folded[0].fields.map(({ name, attrs }) => [name, attrs?.is_on])).toEqual([
      ['score', undefined],
      ['mild', false],
      ['band', undefined],
    ])
    for (const n of [undefined, 3, 7, 12]) {
      const answers = n === undefined ? {} : { score: n }
      const before = evaluate(groups, { answers, withDefaults: true }).answers.band
      expect(evaluate(folded, { answers, withDefaults: true }).answers.band).toBe(before)
    }
    expect(checkMeta(caseMeta(...folded), { lookups: {} })).toEqual([])
  })

  it('stay where another field refers to them', () => {
    const groups = [group('one', [score, none, mild, band, visibleWhen('plan', { mild: { set: true } })])]
    const folded = withFolds(groups, foldsOf(groups), () => false)
    expect(folded[0].fields.map(({ name }) => name)).toEqual(['score', 'mild', 'band', 'plan'])
  })

  it('are left as they are if two may have a value, or one does not stand in', () => {
    const overlapping = helper('mild', { when: { score: { min: 4 } } }, 'Mild')
    expect(foldsOf([group('one', [score, none, overlapping, band])])).toEqual([])
    expect(
      foldsOf([group('one', [score, none, { ...mild, attrs: { ...mild.attrs, hidden: undefined } }, band])]),
    ).toEqual([])
    const first = field('band', 'text', { calc: 'first_set', of: ['none', 'mild'] })
    expect(foldsOf([group('one', [score, none, overlapping, first])])).toHaveLength(1)
  })
})
