import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { Group } from '../../src/contract/generated.ts'
import { withHidden } from '../../src/contract/hiddenRows.ts'
import { groupOfRow, prepareForm } from '../../src/contract/preparedForm.ts'
import { visibleRows } from '../../src/contract/repeatRows.ts'
import { visible, visibleRow } from '../../src/contract/visible.ts'
import { type ConditionContext, isSet, pick, type Values, type When } from '../../src/contract/when.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { answersTo } from './agreeDocuments.ts'
import { formMade, republished } from './formsMade.ts'
import { demoMetas, field, group, repeat, yesno } from './metaBuilders.ts'

/** With FULL=1 a form takes some 20 ms, and there are thousands. */
const TIMEOUT = 300_000
const FORMS = FULL ? 6000 : 200

interface Answers {
  answers: Values
  hidden: Values
}
const apart = (answers: Values, hidden: Values = {}): Answers => ({ answers, hidden })
/** Saves a change; as a form does with `bringsBack`. */
function save(
  groups: Group[],
  { answers, hidden }: Answers,
  sent: Values,
  { bringsBack = false, ...conditionContext }: ConditionContext & { bringsBack?: boolean } = {},
) {
  const result = applyChanges({
    groups,
    stored: answers,
    hidden,
    sent,
    bringsBack,
    conditionContext,
    validateSchema: ajvValidate,
    today: '2026-06-04',
  })
  return { ...result, answers: result.values }
}
const FORM = { bringsBack: true }
/** The visible fields; an answer of no field is hidden, so conditions do not read it. */
function fieldsIn(groups: Group[], answers: Values) {
  const { known } = prepareForm(groups)
  return visible(groups, { answers: pick(answers, (name) => known.has(name)) }).flatMap((g) => g.fields)
}
const all = ({ answers, hidden }: Answers) => withHidden(answers, hidden)
/** Calculated values are nobody's answers: they follow those that count. */
const typedIn = (groups: Group[], values: Values) => {
  const calculated = groups.flatMap((g) => g.fields.filter((f) => f.attrs?.calc).map((f) => f.name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !calculated.includes(name)))
}

/** Without the ids of rows, which a row gets if one of its columns is hidden. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, one) => (key === 'row' ? undefined : one))
}

/** The answers that count by the form itself: those of visible fields, with the visible columns of their rows. */
function counting(groups: Group[], answers: Values): Values {
  const fields = fieldsIn(groups, answers)
  return Object.fromEntries(
    fields.flatMap((one) =>
      isSet(answers[one.name]) ? [[one.name, visibleRows(one, answers[one.name], { answers })]] : [],
    ),
  )
}

/** True if conditions depend on each other in a circle, which no publication may have. */
function hasCircle(groups: Group[]): boolean {
  const repeats = groups.flatMap((g) => g.fields.filter((f) => f.type === 'repeat'))
  return (
    prepareForm(groups).order === undefined || repeats.some(({ fields }) => hasCircle(groupOfRow(fields!)))
  )
}

function losesNothing(first: Group[], random: Random, steps: number): void {
  let groups = first
  let stored = apart(answersTo(first, random))
  for (let step = 0; step < steps; step++) {
    const next = random.chance(0.6) ? republished(groups, random) : groups
    if (!hasCircle(next)) groups = next
    const bringsBack = random.chance(0.5)
    const given = Object.entries(answersTo(groups, random))
    const sent = Object.fromEntries(random.chance(0.3) ? [] : given.slice(0, random.between(1, 3)))
    const { answers, hidden } = save(groups, stored, sent, { bringsBack })
    const after = { answers, hidden }
    expect(withoutIds(typedIn(groups, answers))).toEqual(
      withoutIds(typedIn(groups, counting(groups, answers))),
    )
    const others = (values: Values) =>
      withoutIds(
        Object.fromEntries(Object.entries(typedIn(first, values)).filter(([name]) => !(name in sent))),
      )
    expect(others(all(after))).toEqual(others(all(stored)))
    // Conditions in a circle may show a field only while it has no answer.
    const names = fieldsIn(groups, all(after)).map((one) => one.name)
    for (const name of Object.keys(stored.hidden)) {
      if (name in sent) continue
      if (!bringsBack && !(name in stored.answers)) expect(answers).not.toHaveProperty(name)
      if (bringsBack && names.includes(name)) expect(answers).toHaveProperty(name)
    }
    stored = after
  }
  const { answers, hidden } = save(first, stored, {}, FORM)
  const names = fieldsIn(first, all({ answers, hidden })).map((one) => one.name)
  expect(Object.keys(hidden).filter((name) => names.includes(name) && !Array.isArray(hidden[name]))).toEqual(
    [],
  )
}

describe('any sequence of publications and saves, of forms and of other callers', () => {
  it(
    'loses nothing that somebody typed, counts exactly what is asked, and brings back what went',
    () => {
      for (let seed = 1; seed <= FORMS; seed++) {
        const random = seeded(seed)
        const form = formMade(random)
        if (!hasCircle(form)) losesNothing(form, random, 8)
      }
    },
    TIMEOUT,
  )

  it('does so with the case types of the demo', () => {
    const metas = demoMetas().flatMap(({ case_meta, issue_meta }) => [case_meta, issue_meta])
    for (const [i, groups] of metas.entries()) losesNothing(groups, seeded(i), FULL ? 60 : 4)
  })
})

const visits = (attrs = {}) => [
  group('g', [
    { ...yesno('visitors'), attrs },
    field('who', 'text', { when: { visitors: 'yes' }, max_length: 20 }),
    field('ward'),
  ]),
]
const stored = apart({ visitors: 'yes', who: 'Her sister' })

describe('an answer', () => {
  it('is hidden by a publication that switches its field off, and back when a form is saved that shows it', () => {
    const off = save(visits({ is_on: false }), stored, { ward: '4' })
    expect(off).toMatchObject({ answers: { ward: '4' }, hidden: stored.answers })
    expect([...off.hiddenByChange]).toEqual([])
    const other = save(visits(), off, { ward: '5' })
    expect(other).toMatchObject({ answers: { ward: '5' }, hidden: stored.answers })
    expect(save(visits(), other, {}, FORM)).toMatchObject({
      answers: { ...stored.answers, ward: '5' },
      hidden: {},
    })
  })

  it('is hidden by the change that hides it, with those that depend on it', () => {
    const no = save(visits(), stored, { visitors: 'no' })
    expect(no).toMatchObject({ answers: { visitors: 'no' }, hidden: { who: 'Her sister' } })
    expect([...no.hiddenByChange]).toEqual(['who'])
    expect(save(visits(), no, { visitors: 'yes' })).toMatchObject({
      answers: { visitors: 'yes' },
      hidden: no.hidden,
    })
    expect(save(visits(), no, { visitors: 'yes' }, FORM)).toMatchObject({ ...stored, hidden: {} })
  })

  it('gives way to one that is typed when it comes back, and is gone if that is emptied', () => {
    const no = save(visits(), stored, { visitors: 'no' })
    for (const bringsBack of [true, false]) {
      const { answers, hidden } = save(visits(), no, { visitors: 'yes', who: 'Tom' }, { bringsBack })
      expect({ answers, hidden }).toEqual(apart({ visitors: 'yes', who: 'Tom' }))
    }
    const { answers, hidden } = save(visits(), no, { visitors: 'yes', who: null }, FORM)
    expect({ answers, hidden }).toEqual(apart({ visitors: 'yes' }))
  })

  it('that is sent for a hidden field is ignored, except of a form, where it was typed before it was hidden', () => {
    const sent = { visitors: 'no', who: 'Tom' }
    expect(save(visits(), apart({}), sent)).toMatchObject(apart({ visitors: 'no' }))
    expect(save(visits(), stored, sent).hidden).toEqual({ who: 'Her sister' })
    expect(save(visits(), stored, sent, FORM).hidden).toEqual({ who: 'Tom' })
    expect(save(visits(), stored, { ...sent, who: null }, FORM).hidden).toEqual({ who: 'Her sister' })
    const wrong = 'more than twenty characters'
    expect(save(visits(), stored, { ...sent, who: wrong }, FORM).hidden).toEqual({ who: 'Her sister' })
    expect(save(visits({ is_on: false }), stored, { visitors: 'no' }, FORM).hidden).toEqual(stored.answers)
  })

  it('is hidden by the record or the date, but stays where it is only hidden from this person', () => {
    const shownTo = (when: When) => [group('g', [field('who', 'text', { when }), field('ward')])]
    const before = apart({ who: 'Her sister' })
    const closed = save(shownTo({ 'record.is_opened': true }), before, {}, { record: { is_opened: false } })
    expect(closed).toMatchObject({ answers: {}, hidden: before.answers })
    const managers = shownTo({ 'user.groups': [2] })
    const sent = { ward: '4' }
    expect(save(managers, before, sent, { user: { groups: [4] }, ...FORM })).toMatchObject({
      answers: { who: 'Her sister', ward: '4' },
      visibleValues: { ward: '4' },
      hidden: {},
    })
    const urgent = [
      group('g', [yesno('urgent'), field('who', 'text', { when: { 'user.groups': [2], urgent: 'yes' } })]),
    ]
    const both = save(
      urgent,
      apart({ ...before.answers, urgent: 'yes' }),
      { urgent: 'no' },
      { user: { groups: [4] } },
    )
    expect(both).toMatchObject({ answers: { urgent: 'no' }, hidden: before.answers })
    const again = save(urgent, both, { urgent: 'yes' }, { user: { groups: [4] }, ...FORM })
    expect(again).toMatchObject({ answers: { urgent: 'yes' }, hidden: before.answers })
    const back = save(urgent, again, {}, { user: { groups: [2] }, ...FORM })
    expect(back).toMatchObject({ answers: { urgent: 'yes', who: 'Her sister' }, hidden: {} })
  })

  it('that is calculated, or the default of a field that nobody sees, is dropped', () => {
    const groups = [
      group('g', [
        yesno('urgent'),
        field('a', 'integer'),
        field('twice', 'integer', { calc: 'sum', of: ['a', 'a'], when: { urgent: 'yes' } }),
        field('since', 'text', { hidden: true, default: 'then', when: { urgent: 'yes' } }),
      ]),
    ]
    const first = save(groups, apart({}), { urgent: 'yes', a: 2 }, FORM)
    expect(first).toMatchObject({ answers: { twice: 4, since: 'then' } })
    const { answers, hidden } = save(groups, first, { urgent: 'no' }, FORM)
    expect({ answers, hidden }).toEqual(apart({ urgent: 'no', a: 2 }))
  })
})

describe('rows of a repeat', () => {
  const rows = (when: When, columns = [field('name'), yesno('phoned'), field('phone', 'text', { when })]) => [
    group('g', [yesno('urgent'), repeat('family', columns)]),
  ]
  const ann = { row: 'a', name: 'Ann', phoned: 'yes', phone: '01' }
  const bob = { row: 'b', name: 'Bob', phone: '02' }
  const both = apart({ urgent: 'yes', family: [ann, bob] })
  const { phone: _, ...annAlone } = ann

  it('validates no hidden column that a form sends as it is stored, however many there are', () => {
    const count = 50
    const columns = Array.from({ length: count }, (_, i) =>
      field(`c${i}`, 'text', { when: { urgent: 'yes' } }),
    )
    const groups = rows({}, columns)
    const values = Object.fromEntries(columns.map(({ name }) => [name, 'x']))
    const family = Array.from({ length: count }, (_, i) => ({ row: `${i}`, ...values }))
    let validated = 0
    const { hidden } = applyChanges({
      groups,
      stored: { urgent: 'yes', family },
      hidden: {},
      sent: { urgent: 'no', family },
      bringsBack: true,
      conditionContext: {},
      validateSchema: (schema, value) => {
        validated++
        return ajvValidate(schema, value)
      },
      today: '2026-06-04',
    })
    expect(hidden.family).toHaveLength(count)
    expect(validated).toBeLessThan(count)
  })

  it('have their hidden columns apart, also if rows are changed, moved or added; those of a removed row are gone', () => {
    const hidden = save(rows({ urgent: 'no' }), both, {})
    expect(hidden.answers.family).toEqual([annAlone, { row: 'b', name: 'Bob' }])
    expect(hidden.hidden.family).toEqual([
      { row: 'a', phone: '01' },
      { row: 'b', phone: '02' },
    ])
    const sent = {
      family: [
        { row: 'c', name: 'Cy' },
        { ...annAlone, name: 'Anna' },
      ],
    }
    const moved = save(rows({ urgent: 'no' }), hidden, sent)
    expect(moved.hidden.family).toEqual([{ row: 'a', phone: '01' }])
    const back = save(rows({ urgent: 'no' }), moved, { urgent: 'no' }, FORM)
    expect(back).toMatchObject({
      answers: {
        family: [
          { row: 'c', name: 'Cy' },
          { ...ann, name: 'Anna' },
        ],
      },
      hidden: {},
    })
  })

  it('get an id if they have none and a column of them is hidden', () => {
    const nameless = apart({ urgent: 'yes', family: [{ name: 'Ann', phone: '01' }, { name: 'Bob' }] })
    const { answers, hidden } = save(rows({ urgent: 'no' }), nameless, {})
    expect(answers.family).toEqual([{ row: 'r0', name: 'Ann' }, { name: 'Bob' }])
    expect(hidden.family).toEqual([{ row: 'r0', phone: '01' }])
  })

  it('hide what a change of the same row hides, and bring it back', () => {
    const groups = rows({ phoned: 'yes' })
    const start = apart({ family: [ann] })
    const no = save(groups, start, { family: [{ ...ann, phoned: 'no' }] }, FORM)
    expect(no).toMatchObject({
      answers: { family: [{ row: 'a', name: 'Ann', phoned: 'no' }] },
      hidden: { family: [{ row: 'a', phone: '01' }] },
    })
    const document = all(no).family as Values[]
    const yes = save(groups, no, { family: [{ ...document[0], phoned: 'yes' }] }, FORM)
    expect(yes).toMatchObject({ ...start, hidden: {} })
    const emptied = save(groups, no, { family: [annAlone] }, FORM)
    expect({ answers: emptied.answers, hidden: emptied.hidden }).toEqual(apart({ family: [annAlone] }))
  })

  it('go as a whole with what is hidden in them, and come back so', () => {
    const groups = [
      group('g', [
        yesno('urgent'),
        { ...rows({ phoned: 'yes' })[0].fields[1], attrs: { when: { urgent: 'yes' } } },
      ]),
    ]
    const first = save(groups, both, {})
    expect(first.hidden).toEqual({ family: [{ row: 'b', phone: '02' }] })
    const gone = save(groups, first, { urgent: 'no' })
    expect(gone).toMatchObject({ answers: { urgent: 'no' }, hidden: { family: both.answers.family } })
    expect(all(save(groups, gone, { urgent: 'yes' }, FORM))).toEqual(both.answers)
  })

  it('keep their nested rows, also if a change hides these after it hid a column of one', () => {
    const calls = (outer: When, inner: When) => [
      group('g', [
        yesno('urgent'),
        repeat('family', [
          {
            ...repeat('calls', [field('day'), field('note', 'text', { when: inner })]),
            attrs: { when: outer },
          },
        ]),
      ]),
    ]
    const start = apart({
      urgent: 'yes',
      family: [
        {
          row: 'a',
          calls: [
            { row: 'c', day: 'Monday' },
            { row: 'd', day: 'Friday', note: 'Rang off' },
          ],
        },
      ],
    })
    const note = save(calls({}, { urgent: 'no' }), start, {})
    expect(note.hidden.family).toEqual([{ row: 'a', calls: [{ row: 'd', note: 'Rang off' }] }])
    const gone = save(calls({ urgent: 'no' }, {}), note, {})
    expect(gone).toMatchObject({
      answers: { family: [{ row: 'a' }] },
      hidden: { family: start.answers.family },
    })
    expect(all(save(calls({}, {}), gone, {}, FORM))).toEqual(start.answers)
  })

  it('have a removed column apart, without an error', () => {
    const change = { family: [{ ...ann, name: 'Anna' }] }
    const { answers, hidden, errors } = save(rows({}, [field('name')]), both, change)
    expect(errors).toEqual({})
    expect(answers.family).toEqual([{ row: 'a', name: 'Anna' }])
    expect(hidden.family).toEqual([{ row: 'a', phoned: 'yes', phone: '01' }])
    expect(visibleRow([field('name')], ann, {}).map((f) => f.name)).toEqual(['name'])
  })
})
