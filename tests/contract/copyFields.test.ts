import { describe, expect, it } from 'vitest'
import { type Copying, copyFields } from '../../src/constructor/copy/copyFields.ts'
import { missingOutside, referencesOf, withAllReferences } from '../../src/constructor/copy/references.ts'
import { itemAt } from '../../src/constructor/state/address.ts'
import { reservedNames } from '../../src/constructor/state/fieldUsage.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { costProblems } from '../../src/contract/meta/formCost.ts'
import type { MetaName } from '../../src/contract/meta/metaTypes.ts'
import { outsideFields } from '../../src/contract/meta/outsideFields.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { formMade } from './formsMade.ts'
import { choice, demoMetas, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'

const SOURCE: Group[] = [
  group('about', [
    yesno('lives_alone'),
    choice('home', ['own', 'council']),
    { ...visibleWhen('rent', { home: 'council', lives_alone: 'no' }), label: 'Rent of {home}' },
  ]),
  group(
    'money',
    [
      field('income', 'integer', { default: { from: '$last.income' }, referral: true }),
      field('after', 'integer', { calc: 'subtract', of: ['income', 'costs'] }),
      field('costs', 'integer'),
    ],
    { when: { lives_alone: 'yes' } },
  ),
  group(
    'debts',
    [repeat('owed', [field('to'), field('sum', 'integer', { when: { income: { set: true } } })])],
    {
      under: 'money',
    },
  ),
]
const INTO: Group[] = [group('about', [field('home'), yesno('lives_alone')])]

const copy = (chosen: string[], others: Partial<Copying> = {}) =>
  copyFields({ source: SOURCE, chosen: new Set(chosen), into: INTO, taken: () => [], ...others })
const fieldsIn = (groups: Group[]) => groups.map(({ name, fields }) => [name, fields.map((one) => one.name)])
const labels = (chosen: string[], into = INTO) =>
  referencesOf(SOURCE, new Set(chosen), into).map(({ field: { label }, by, here }) => [
    label,
    by,
    here?.label,
  ])

describe('copied fields', () => {
  it('come in groups of their own, with names that are free, and refer to each other', () => {
    const { groups, addresses } = copy(['home', 'rent', 'lives_alone'])
    expect(fieldsIn(groups)).toEqual([
      ['about', ['home', 'lives_alone']],
      ['about_2', ['lives_alone_2', 'home_2', 'rent']],
    ])
    expect(groups[0]).toBe(INTO[0])
    expect(addresses.at(-1)).toEqual(['about_2', 'rent'])
    const rent = itemAt(groups, ['about_2', 'rent'])
    expect(rent).toMatchObject({
      label: 'Rent of {home_2}',
      attrs: { when: { home_2: 'council', lives_alone_2: 'no' } },
    })
    expect(itemAt(groups, ['about_2', 'home_2'])?.attrs).toEqual(SOURCE[0].fields[1].attrs)
  })

  it('take no name under which answers may still be stored', () => {
    expect(fieldsIn(copy(['rent'], { taken: () => ['rent'] }).groups)[1]).toEqual(['about_2', ['rent_2']])
  })

  it('keep the heading that they stand under, or its condition where it is not copied', () => {
    const under = copy(['income', 'owed', 'lives_alone']).groups.at(-1)
    expect(under).toMatchObject({ name: 'debts', attrs: { under: 'money' } })
    const alone = copy(['owed']).groups.at(-1)
    expect(alone?.attrs).toEqual({ when: { lives_alone: 'yes' } })
  })

  it('in a group of the form have the condition of their group', () => {
    const { groups, addresses } = copy(['income', 'owed'], { group: 'about' })
    expect(addresses).toEqual([
      ['about', 'income'],
      ['about', 'owed'],
    ])
    expect(itemAt(groups, ['about', 'owed'])?.attrs).toEqual({ when: { lives_alone: 'yes' } })
  })

  it('begin as last time under their new name, and are not asked in the public form', () => {
    const { groups } = copy(['income'], { taken: () => ['income'] })
    expect(itemAt(groups, ['money', 'income_2'])?.attrs).toEqual({ default: { from: '$last.income_2' } })
  })
})

describe('what copied fields refer to', () => {
  it('is listed with what refers to it, and with the field of the form that stands for it', () => {
    expect(labels(['rent'])).toEqual([
      ['Lives_alone', ['Rent of {home}'], 'Lives_alone'],
      ['Home', ['Rent of {home}'], undefined],
    ])
    expect(labels(['owed'])).toEqual([
      ['Lives_alone', ['Debts'], 'Lives_alone'],
      ['Income', ['Owed'], undefined],
    ])
    expect(labels(['costs', 'lives_alone'])).toEqual([])
  })

  it('is taken along through others, but for what is there already', () => {
    expect([...withAllReferences(SOURCE, new Set(['after']), [])]).toEqual([
      'after',
      'lives_alone',
      'income',
      'costs',
    ])
    expect([...withAllReferences(SOURCE, new Set(['after']), INTO)]).toEqual(['after', 'income', 'costs'])
  })

  it('may be an answer of the case, which the case type does not have', () => {
    const source = [group('g', [visibleWhen('plan', { '$case.risk': 'high', '$case.contract': 3 })])]
    const outside = outsideFields('issue_meta', { case_meta: [], issue_meta: [] }, contract)
    expect(missingOutside(source, new Set(['plan']), outside)).toEqual([{ path: '$case.risk', by: ['Plan'] }])
    expect(missingOutside(source, new Set(), outside)).toEqual([])
  })
})

describe('a form with copied fields', () => {
  const errorsOf = (meta: MetaName, groups: Group[]) =>
    checkMeta({ case_meta: [], issue_meta: [], [meta]: groups }, contract).map(({ message }) => message)
  const metas: MetaName[] = ['case_meta', 'issue_meta']
  const ofDemo = demoMetas().flatMap((one) => metas.map((meta) => one[meta]))

  it('has no error that neither form had, whatever is copied with what it refers to', () => {
    const random = seeded(36)
    const sources = [SOURCE, ...ofDemo]
    let count = 0
    for (let round = 0; round < (FULL ? 400 : 20); round++) {
      const source = random.chance(0.4) ? formMade(random) : random.pick(sources)
      const meta = random.pick(metas)
      const into = random.chance(0.3) ? formMade(random) : random.pick(sources)
      const before = errorsOf(meta, into)
      // The place in the public form is not copied.
      const ofSource = errorsOf(meta, source).filter((message) => !message.includes('public referral form'))
      if (ofSource.length > 0) continue
      const fields = source.flatMap((one) => one.fields)
      if (fields.length === 0) continue
      const some = random.some(fields, Math.min(8, fields.length)).map(({ name }) => name)
      const chosen = withAllReferences(source, new Set(some), [])
      const groups = [undefined, ...into.filter(({ attrs }) => attrs?.layout !== 'matrix')]
      const made = copyFields({
        source,
        chosen,
        into,
        group: random.pick(groups)?.name,
        taken: (type) => reservedNames({ meta, before: [], usage: { left_behind: 3 } }, type),
      })
      // Two forms together may exceed the budget of one, which the dialog refuses.
      if (costProblems(made.groups).length > 0) continue
      const known = new Set(before)
      expect(errorsOf(meta, made.groups).filter((message) => !known.has(message))).toEqual([])
      expect(made.addresses.map((address) => itemAt(made.groups, address)?.label)).toHaveLength(chosen.size)
      count++
    }
    expect(count).toBeGreaterThan(5)
  })

  it('tells a field that was left behind by the check', () => {
    const { groups } = copy(['after'])
    const names = (groups[1].fields as Field[]).map(({ name }) => name)
    expect(names).toEqual(['after'])
    expect(errorsOf('case_meta', groups).join()).toContain("'income', but there is no such field")
  })
})
