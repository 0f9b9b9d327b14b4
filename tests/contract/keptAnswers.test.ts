import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { Group } from '../../src/contract/generated.ts'
import type { SchemaValidator } from '../../src/contract/validateAnswers.ts'
import { visible, visibleRow } from '../../src/contract/visible.ts'
import type { ConditionContext, Values, When } from '../../src/contract/when.ts'
import { type Random, seeded } from '../../src/server/demo/random.ts'
import { ajvValidate } from '../../src/server/validate/ajvValidate.ts'
import { FULL } from '../full.ts'
import { answersTo } from './agreeDocuments.ts'
import { formMade, republished } from './formsMade.ts'
import { demoMetas, field, group, repeat, yesno } from './metaBuilders.ts'

/** With FULL=1 a form takes some 20 ms, and there are thousands. */
const TIMEOUT = 300_000
const FORMS = FULL ? 3000 : 60
const save = (
  groups: Group[],
  stored: Values,
  sent: Values,
  conditionContext: ConditionContext = {},
  validateSchema: SchemaValidator = () => [],
) => applyChanges({ groups, stored, sent, conditionContext, validateSchema, today: '2026-06-04' })
/** A field that no condition looks at, so that answering it is about nothing else. */
const withNotes = (groups: Group[]) => [...groups, group('notes', [field('notes_of_today')])]
const namesIn = (groups: Group[], answers: Values) =>
  visible(groups, { answers }).flatMap((g) => g.fields.map((f) => f.name))

function keepsEverything(first: Group[], random: Random, steps: number): void {
  const answers = answersTo(first, random)
  // A calculated value is nobody's answer: it follows those that are shown.
  const calculated = first.flatMap((g) => g.fields.filter((f) => f.attrs?.calc).map((f) => f.name))
  const isGiven = (name: string) => !calculated.includes(name)
  const givenIn = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isGiven(name)))
  let groups = first
  let stored = answers
  for (let step = 0; step < steps; step++) {
    groups = republished(groups, random)
    const note = `note ${step}`
    const { values, changed } = save(withNotes(groups), stored, { notes_of_today: note })
    expect(changed.filter(isGiven)).toEqual(['notes_of_today'])
    expect(givenIn(values)).toEqual({ ...givenIn(answers), notes_of_today: note })
    stored = values
  }
  expect(namesIn(first, stored)).toEqual(namesIn(first, answers))
}

describe('any sequence of publications and unrelated saves keeps every answer', () => {
  it(
    'of generated forms',
    () => {
      for (let seed = 1; seed <= FORMS; seed++) {
        const random = seeded(seed)
        keepsEverything(formMade(random), random, 6)
      }
    },
    TIMEOUT,
  )

  it('of the case types of the demo', () => {
    const metas = demoMetas().flatMap(({ case_meta, issue_meta }) => [case_meta, issue_meta])
    for (const [i, groups] of metas.entries()) keepsEverything(groups, seeded(i), FULL ? 60 : 4)
  })
})

it(
  'clears only what was visible before a save and is hidden after it, whatever is sent',
  () => {
    for (let seed = 1; seed <= FORMS; seed++) {
      const random = seeded(seed)
      const form = formMade(random)
      let stored = answersTo(form, random)
      let groups = form
      for (let step = 0; step < 6; step++) {
        if (random.chance(0.5)) groups = republished(groups, random)
        const given = Object.entries(answersTo(groups, random))
        const sent = Object.fromEntries(random.chance(0.7) ? given.slice(0, 2) : given)
        const { values } = save(groups, stored, sent)
        const before = namesIn(groups, stored)
        const after = namesIn(groups, { ...stored, ...sent })
        for (const name of Object.keys(stored)) {
          if (before.includes(name) && !after.includes(name)) expect(values).not.toHaveProperty(name)
          else if (!before.includes(name) && !after.includes(name)) expect(values[name]).toEqual(stored[name])
          else expect(values).toHaveProperty(name)
        }
        stored = values
      }
    }
  },
  TIMEOUT,
)

describe('an answer', () => {
  const visits = (is_on: boolean) => [
    group('g', [
      { ...yesno('visitors'), attrs: { is_on } },
      field('who', 'text', { when: { visitors: 'yes' } }),
      field('ward'),
    ]),
  ]

  it('stays while its field is off, and is shown again afterwards', () => {
    const stored = { visitors: 'yes', who: 'Her sister' }
    const { values, changed } = save(visits(false), stored, { ward: '4' })
    expect(values).toEqual({ ...stored, ward: '4' })
    expect(changed).toEqual(['ward'])
    expect(namesIn(visits(true), values)).toContain('who')
  })

  it('is cleared if the user’s own change hides it, with those that depend on it', () => {
    const stored = { visitors: 'yes', who: 'Her sister' }
    expect(save(visits(true), stored, { visitors: 'no' }).values).toEqual({ visitors: 'no' })
    expect(save(visits(true), stored, { visitors: null }).values).toEqual({})
  })

  it('ignores values sent for a hidden field, also null', () => {
    const stored = { visitors: 'yes', who: 'Her sister' }
    expect(save(visits(false), stored, { who: null }).values).toEqual(stored)
    expect(save(visits(false), stored, { who: 'Nobody', visitors: 'no' }).values).toEqual(stored)
    expect(save(visits(true), {}, { who: 'Nobody' }).values).toEqual({})
  })

  it('stays if the record, another user or the date hides it', () => {
    const groups = [group('g', [field('who', 'text', { when: { 'record.is_opened': true } }), field('ward')])]
    const { values } = save(groups, { who: 'Her sister' }, { ward: '4' }, { record: { is_opened: false } })
    expect(values).toEqual({ who: 'Her sister', ward: '4' })
  })
})

describe('rows of a repeat', () => {
  const rows = (when: When, columns = [field('name'), yesno('phoned'), field('phone', 'text', { when })]) => [
    group('g', [yesno('urgent'), repeat('family', columns)]),
  ]
  const ann = { row: 'a', name: 'Ann', phoned: 'yes', phone: '01' }
  const stored = { urgent: 'yes', family: [ann, { row: 'b', name: 'Bob', phone: '02' }] }

  it('keep a column that a publication hides, also if rows are changed, moved or added', () => {
    const [first, second] = stored.family
    const sent = { family: [{ row: 'c', name: 'Cy' }, second, { ...first, name: 'Anna' }] }
    expect(save(rows({ urgent: 'no' }), stored, sent).values.family).toEqual([
      { row: 'c', name: 'Cy' },
      second,
      { ...first, name: 'Anna' },
    ])
  })

  it('keep the values of a row without an id', () => {
    const nameless = { family: [{ name: 'Ann', phone: '01' }] }
    expect(save(rows({ urgent: 'no' }), nameless, { urgent: 'yes' }).values.family).toEqual(nameless.family)
  })

  it('lose only what a change of the same row hides', () => {
    const groups = rows({ phoned: 'yes' })
    const sent = { family: [{ ...ann, phoned: 'no' }, stored.family[1]] }
    expect(save(groups, stored, sent).values.family).toEqual([
      { row: 'a', name: 'Ann', phoned: 'no' },
      { row: 'b', name: 'Bob', phone: '02' },
    ])
  })

  it('lose a column that is cleared, even if the same change reveals it', () => {
    const sent = { urgent: 'no', family: [{ row: 'a', name: 'Ann', phoned: 'yes' }] }
    expect(save(rows({ urgent: 'no' }), stored, sent).values.family).toEqual(sent.family)
  })

  it('keep a column that was removed from the form, without an error', () => {
    const change = { family: [{ ...ann, name: 'Anna' }] }
    const { values, errors } = save(rows({}, [field('name')]), stored, change, {}, ajvValidate)
    expect(errors).toEqual({})
    expect(values.family).toEqual([{ ...ann, name: 'Anna' }])
    expect(visibleRow([field('name')], ann, {}).map((f) => f.name)).toEqual(['name'])
  })
})
