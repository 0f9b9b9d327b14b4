import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/constructor/state/caseType.ts'
import {
  changeType,
  mergeChoice,
  nameNewFields,
  renamedBefore,
  renameField,
  setTaken,
  splitField,
} from '../../src/constructor/state/takeAnswers.ts'
import { movesOf } from '../../src/contract/answerMigration/answerMoves.ts'
import type { Deadline, Field } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { fieldsByName } from '../../src/contract/meta/places.ts'
import { choice, field, group, visibleWhen, yesno } from './metaBuilders.ts'

const BEFORE = [
  group('g', [
    yesno('old_5'),
    visibleWhen('asked', { old_5: 'yes' }),
    { ...field('said'), label: 'Said of {old_5}' },
    choice('home', ['council', 'housing', 'own']),
    visibleWhen('rent', { home: ['council', 'housing'] }),
  ]),
]
const DEADLINE: Deadline = {
  name: 'd',
  label: 'D',
  of: 'issue',
  from: '$case.old_5',
  when: { '$case.old_5': 'yes', old_5: { not: { path: '$case.old_5' } } },
}
const DRAFT: Draft = {
  label: 'Type',
  case_meta: BEFORE,
  issue_meta: [],
  tests: [
    {
      name: 't',
      meta: 'case_meta',
      given: { old_5: 'yes' },
      as: { today: '2026-01-01' },
      expect: { visible: ['old_5', 'asked'], errors: { old_5: 'x' } },
    },
  ],
  automations: [
    {
      name: 'a',
      label: 'A',
      of: 'case',
      when: { old_5: 'yes' },
      then: [{ alert: 'See {old_5}', level: 'info' }],
    },
  ],
  deadlines: [DEADLINE],
}
const FORM = { meta: 'case_meta' as const, before: BEFORE }
const problems = (draft: Draft) =>
  checkMeta(
    draft,
    { lookups: {} },
    {
      meta: { case_meta: BEFORE, issue_meta: [] },
      usage: { case_meta: { old_5: 3, home: 3, said: 1 }, issue_meta: {} },
    },
  ).map(({ message }) => message)
const named = (draft: Draft, name: string) => fieldsByName(draft.case_meta).get(name)

describe('a field in use', () => {
  it('gets another stored name together with everything that refers to it', () => {
    const { draft, address } = renameField(DRAFT, FORM, ['g', 'old_5'], 'new')
    expect(address).toEqual(['g', 'new'])
    expect(named(draft, 'new')?.attrs?.takes).toEqual({ from: 'old_5' })
    const text = JSON.stringify({ ...draft, case_meta: draft.case_meta.map((one) => one.fields.slice(1)) })
    expect(text.match(/old_5/g)).toEqual(['old_5'])
    // The answer of the issue of that name is another one.
    expect(draft.deadlines[0]).toEqual({
      ...DEADLINE,
      from: '$case.new',
      when: { '$case.new': 'yes', old_5: { not: { path: '$case.new' } } },
    })
    expect(draft.tests[0]).toMatchObject({
      given: { new: 'yes' },
      expect: { visible: ['new', 'asked'], errors: { new: 'x' } },
    })
    expect(draft.automations[0]).toMatchObject({ when: { new: 'yes' }, then: [{ alert: 'See {new}' }] })
    expect(problems(draft)).toEqual([])
    expect(
      renamedBefore('case_meta', BEFORE, draft.case_meta).map((one) =>
        one.fields.map(({ attrs, ...rest }) => rest),
      ),
    ).toEqual(draft.case_meta.map((one) => one.fields.map(({ attrs, ...rest }) => rest)))
  })

  it('is as it was once it has its old name again', () => {
    const { draft, address } = renameField(DRAFT, FORM, ['g', 'old_5'], 'new')
    expect(renameField(draft, FORM, address, 'old_5').draft).toEqual(DRAFT)
  })

  it('gets another type with another name, and the choices that it had', () => {
    const { draft, address } = changeType(DRAFT, FORM, ['g', 'old_5'], 'select', [])
    const changed = named(draft, address[1])
    expect(changed).toMatchObject({ name: 'old_5_2', type: 'select', attrs: { takes: { from: 'old_5' } } })
    expect(changed?.attrs?.options?.map(({ value }) => value)).toEqual(['yes', 'no', 'not_known'])
    expect(problems(draft)).toEqual([])
    const back = changeType(draft, FORM, address, 'yesno', [])
    expect(back.address).toEqual(['g', 'old_5'])
    expect(named(back.draft, 'old_5')?.attrs?.takes).toBeUndefined()
  })

  it('merges a choice into another, also where conditions and merged choices name it', () => {
    const options = named(DRAFT, 'home')!.attrs!.options!
    const once = mergeChoice(DRAFT, FORM, ['g', 'home'], options[0], options[1])
    const twice = mergeChoice(once, FORM, ['g', 'home'], options[1], options[2])
    expect(named(twice, 'home')?.attrs).toMatchObject({
      options: [{ value: 'own' }],
      takes: {
        from: 'home',
        values: [
          { was: 'council', is: 'own' },
          { was: 'housing', is: 'own' },
        ],
      },
    })
    expect(named(twice, 'rent')?.attrs?.when).toEqual({ home: ['own'] })
    expect(problems(twice)).toEqual([])
  })

  it('is split into two that both take its answers', () => {
    const { draft, address } = splitField(DRAFT, FORM, ['g', 'home'], [])
    expect(movesOf(BEFORE, draft.case_meta).map(({ from, name }) => [from, name])).toEqual([
      ['home', 'home'],
      ['home', address[1]],
    ])
    expect(problems(draft)).toEqual([])
    const left = setTaken(draft, 'case_meta', address[1], 'council', undefined)
    expect(named(left, address[1])?.attrs?.takes?.values?.map(({ was }) => was)).toEqual(['housing', 'own'])
  })

  it('leaves the names of published fields alone, and names new ones after their labels', () => {
    const copy: Field = { ...yesno('old_5_2'), label: 'Something else' }
    const draft = {
      ...DRAFT,
      case_meta: [...BEFORE, group('h', [copy, visibleWhen('more', { old_5_2: 'yes' })])],
    }
    const next = nameNewFields(
      draft,
      { case_meta: BEFORE, issue_meta: [] },
      { case_meta: [], issue_meta: [] },
    )
    expect(next.case_meta[1].fields.map(({ name }) => name)).toEqual(['something_else', 'more'])
    expect(next.case_meta[1].fields[1].attrs?.when).toEqual({ something_else: 'yes' })
    expect(
      nameNewFields(DRAFT, { case_meta: BEFORE, issue_meta: [] }, { case_meta: [], issue_meta: [] }),
    ).toBe(DRAFT)
  })
})
