import { describe, expect, it } from 'vitest'
import { keepAnswered } from '../../src/constructor/forms/keepAnswered.ts'
import type { FieldAttrs, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import type { ChoiceUsage, Metas } from '../../src/contract/meta/metaTypes.ts'
import { isSet, type Values } from '../../src/contract/when.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { answersTo } from './agreeDocuments.ts'
import { formMade, republished } from './formsMade.ts'
import { caseMeta, choice, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'

const counted = (case_meta: Record<string, number>, choices: ChoiceUsage['case_meta'] = {}) => ({
  case_meta,
  issue_meta: {},
  choices: { case_meta: choices, issue_meta: {} },
})
const problems = (after: Metas, before: Metas, usage: ReturnType<typeof counted>) =>
  checkMeta(after, { lookups: {} }, { meta: before, usage }).map(({ message }) => message)

describe('an old version of a form', () => {
  const old = [group('g', [yesno('urgent'), choice('setting', ['home']), repeat('rows', [field('a')])])]
  const now = [
    group('g', [
      yesno('urgent'),
      choice('setting', ['home', 'ward', 'hostel']),
      repeat('rows', [field('a'), choice('b', ['x', 'y'])]),
      field('bed'),
      field('unused'),
    ]),
    group('late', [yesno('night'), visibleWhen('why', { unused: 'x' }, { required: true })]),
  ]
  const usage = counted(
    { setting: 3, rows: 1, bed: 2, why: 1, urgent: 1 },
    { setting: { home: 1, ward: 2 }, 'rows.b': { x: 1 } },
  )
  const { metas, kept } = keepAnswered(caseMeta(...old), caseMeta(...now), usage)

  it('cannot be published as it was', () => {
    expect(problems(caseMeta(...old), caseMeta(...now), usage).length).toBeGreaterThan(2)
  })

  it('keeps fields answered since as switched off, and choices used since as retired', () => {
    expect(problems(metas, caseMeta(...now), usage)).toEqual([])
    expect(kept).toEqual({ fields: 3, choices: 1 })
    const [g, late] = metas.case_meta
    expect(g.fields.map((f) => [f.name, f.attrs?.is_on !== false])).toEqual([
      ['urgent', true],
      ['setting', true],
      ['rows', true],
      ['bed', false],
    ])
    expect(g.fields[1].attrs?.options).toEqual([
      { value: 'home', label: 'Home' },
      { value: 'ward', label: 'Ward', active: false },
    ])
    expect(g.fields[2].fields?.map((f) => [f.name, f.attrs?.is_on !== false])).toEqual([
      ['a', true],
      ['b', false],
    ])
    expect(late).toMatchObject({
      attrs: { is_on: false },
      fields: [{ name: 'why', attrs: { is_on: false } }],
    })
    // What it hung on is not there any more.
    expect(late.fields[0].attrs).not.toHaveProperty('when')
  })

  it('stays unchanged without answers', () => {
    const bare = counted({})
    expect(keepAnswered(caseMeta(...old), caseMeta(...now), bare)).toEqual({
      metas: caseMeta(...old),
      kept: { fields: 0, choices: 0 },
    })
  })

  it('keeps the type and the lookup of an answered field', () => {
    const [before, after] = [[group('g', [field('a', 'integer')])], [group('g', [field('a')])]]
    const used = counted({ a: 1 })
    expect(keepAnswered(caseMeta(...before), caseMeta(...after), used).metas.case_meta).toEqual(after)
  })
})

it('any earlier version can be restored after any sequence of publications', () => {
  const isAboutAnswers = (message: string) => /answered in|must stay/.test(message)
  for (let seed = 1; seed <= (FULL ? 1000 : 40); seed++) {
    const random = seeded(seed)
    const first = formMade(random)
    let form = first
    for (let i = 0; i < 4; i++) form = republished(form, random)
    form = [...form, group('late', [field('late'), choice('kind', ['a', 'b'])])]
    const answers = { ...answersTo(form, random), late: 'x', kind: 'b' }
    const usage = usageOf(form, answers)
    const { metas } = keepAnswered(caseMeta(...first), caseMeta(...form), usage)
    expect(problems(metas, caseMeta(...form), usage).filter(isAboutAnswers)).toEqual([])
  }
})

it('what a kept field begins as goes with the field that it names', () => {
  const preset = (default_: unknown) => ({ hidden: true, default: default_ }) as FieldAttrs
  const now = [
    group('g', [
      field('a', 'text', preset({ from: '$gone' })),
      field('b', 'text', preset({ from: '$client.postcode' })),
      field('gone'),
      field('stays'),
    ]),
  ]
  const usage = counted({ a: 1, b: 1 }, {})
  const { metas } = keepAnswered(caseMeta(group('g', [field('stays')])), caseMeta(...now), usage)
  expect(metas.case_meta[0].fields.map(({ name, attrs }) => [name, attrs])).toEqual([
    ['stays', {}],
    ['a', { is_on: false }],
    ['b', { is_on: false, hidden: true, default: { from: '$client.postcode' } }],
  ])
  expect(problems(metas, caseMeta(...now), usage)).toEqual([])
})

it('a choice that no record uses can be removed, of columns too', () => {
  const before = [group('g', [choice('s', ['a', 'b']), repeat('r', [choice('c', ['a', 'b'])])])]
  const after = (s: string[], c: string[]) =>
    caseMeta(group('g', [choice('s', s), repeat('r', [choice('c', c)])]))
  const usage = counted({ s: 4, r: 1 }, { s: { a: 4 }, 'r.c': { b: 1 } })
  expect(problems(after(['a'], ['b']), caseMeta(...before), usage)).toEqual([])
  expect(problems(after(['b'], ['a']), caseMeta(...before), usage)).toEqual([
    "'A' of 'S' is answered in 4 cases, so it must stay; retire it instead",
    "'B' of 'C' is answered in 1 case, so it must stay; retire it instead",
  ])
})

function usageOf(form: Group[], answers: Values) {
  const choices: ChoiceUsage['case_meta'] = {}
  for (const { name, attrs } of form.flatMap((g) => g.fields)) {
    if (!attrs?.options || !isSet(answers[name])) continue
    choices[name] = Object.fromEntries([answers[name]].flat().map((value) => [String(value), 1]))
  }
  return counted(Object.fromEntries(Object.keys(answers).map((name) => [name, 1])), choices)
}
