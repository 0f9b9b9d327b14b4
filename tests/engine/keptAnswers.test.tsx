import { describe, expect, it } from 'vitest'
import type { Field, FieldAttrs, GroupAttrs } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import type { FormSection } from '../../src/engine/form/store/sections.ts'
import { createFormStore } from '../../src/engine/form/store/store.ts'

const USER = { 'user.groups': 1 }
const text = (name: string, attrs: FieldAttrs = {}): Field => ({ name, label: name, type: 'text', attrs })
const repeat = (name: string, fields: Field[], attrs: FieldAttrs = {}): Field => ({
  name,
  label: name,
  type: 'repeat',
  attrs,
  fields,
})
const off = (field: Field): Field => ({ ...field, attrs: { ...field.attrs, is_on: false } })
const sectionsOf = (fields: Field[], more: Partial<FormSection> = {}, attrs?: GroupAttrs): FormSection[] => [
  { key: 'a', at: 'answers', isMeta: true, groups: [{ name: 'g', label: 'G', fields, attrs }], ...more },
]

/** The paths, labels and values of the answers kept after a form with some fields was published with others. */
function keptAfter(answers: Values, before: FormSection[], after: FormSection[]) {
  const user = { groups: [1] }
  const store = createFormStore({
    sections: before,
    document: { answers },
    conditionContext: { user },
    isStored: true,
  })
  store.configure(after, { user })
  return store.keptAnswers().map(({ path, field, value }) => [path, field.label, value])
}
const WHY = ['answers.why', 'why', 'x']

describe('the answers that a new version of a form keeps', () => {
  it('are those to fields that it does not ask', () => {
    const before = sectionsOf([text('why'), text('gap')])
    expect(keptAfter({ why: 'x', gap: 'y' }, before, sectionsOf([off(text('why')), text('gap')]))).toEqual([
      WHY,
    ])
    expect(keptAfter({ why: 'x', gap: 'y' }, before, before)).toEqual([])
  })

  it.each<[string, unknown]>([
    ['no answer', undefined],
    ['a cleared one', null],
    ['a blank one', ''],
    ['an empty list', []],
  ])('are none where there was %s', (_, value) => {
    expect(keptAfter({ why: value }, sectionsOf([text('why')]), sectionsOf([text('gap')]))).toEqual([])
  })

  it('are none of a form that no administrator makes', () => {
    const before = sectionsOf([text('why')], { isMeta: false })
    expect(keptAfter({ why: 'x' }, before, sectionsOf([text('gap')], { isMeta: false }))).toEqual([])
  })

  it.each<[string, FieldAttrs, GroupAttrs | undefined]>([
    ['what is calculated', { calc: 'max', of: ['gap'] }, undefined],
    ['what a condition on the person shows', { when: USER }, undefined],
    ['what such a condition of its group shows', {}, { when: USER }],
  ])('are none of %s', (_, attrs, ofGroup) => {
    const fields = [text('why', attrs), text('gap')]
    const after = sectionsOf([off(fields[0]), fields[1]], {}, ofGroup)
    expect(keptAfter({ why: 'x', gap: 'y' }, sectionsOf(fields, {}, ofGroup), after)).not.toContainEqual(WHY)
  })

  it('are those that a condition on another answer showed', () => {
    const why = text('why', { when: { gap: 'y' } })
    const after = sectionsOf([off(why), text('gap')])
    expect(keptAfter({ why: 'x', gap: 'y' }, sectionsOf([why, text('gap')]), after)).toEqual([WHY])
  })

  it('are no longer there once the question is asked again', () => {
    const asked = sectionsOf([text('why')])
    const store = createFormStore({
      sections: asked,
      document: { answers: { why: 'x' } },
      conditionContext: {},
    })
    store.configure(sectionsOf([off(text('why'))]), {})
    expect(store.keptAnswers()).toHaveLength(1)
    store.configure(sectionsOf([text('why')]), {})
    expect(store.keptAnswers()).toEqual([])
  })
})

describe('the kept answers of rows', () => {
  const rows = [
    { row: 'a', name: 'Ann', phone: '1' },
    { row: 'b', name: 'Ben', phone: '' },
    { row: 'c', name: 'Cy', phone: '3' },
  ]
  const family = (phone: Field, attrs?: FieldAttrs) =>
    sectionsOf([repeat('family', [text('name'), phone], attrs)])

  it('are those of a column, each with the number of its row', () => {
    expect(keptAfter({ family: rows }, family(text('phone')), family(off(text('phone'))))).toEqual([
      ['answers.family.0.phone', 'family, row 1: phone', '1'],
      ['answers.family.2.phone', 'family, row 3: phone', '3'],
    ])
  })

  it('are the whole list where that is no longer asked', () => {
    const before = family(text('phone'))
    expect(keptAfter({ family: rows }, before, family(text('phone'), { is_on: false }))).toEqual([
      ['answers.family', 'family', rows],
    ])
  })

  it.each<[string, FieldAttrs]>([
    ['calculated', { calc: 'max', of: ['name'] }],
    ['shown by a condition on the person', { when: USER }],
  ])('are none of a column that is %s', (_, attrs) => {
    const phone = text('phone', attrs)
    expect(keptAfter({ family: rows }, family(phone), family(off(phone)))).toEqual([])
  })

  it('are none of a column that a condition hides in its row, before and after', () => {
    const phone = text('phone', { when: { name: 'Cy' } })
    expect(keptAfter({ family: rows }, family(phone), family(off(phone)))).toEqual([
      ['answers.family.2.phone', 'family, row 3: phone', '3'],
    ])
  })

  it('are those of rows within rows', () => {
    const visits = (day: Field) => sectionsOf([repeat('family', [text('name'), repeat('visits', [day])])])
    const answers = { family: [{ row: 'a', name: 'Ann', visits: [{ row: 'b', day: 'Mon' }] }] }
    expect(keptAfter(answers, visits(text('day')), visits(off(text('day'))))).toEqual([
      ['answers.family.0.visits.0.day', 'family, row 1: visits, row 1: day', 'Mon'],
    ])
  })

  it('within rows depend on the answers of the row around them', () => {
    const day = text('day', { when: { name: 'Ann' } })
    const form = (column: Field) => sectionsOf([repeat('family', [text('name'), repeat('visits', [column])])])
    const visits = [{ row: 'v', day: 'Mon' }]
    const answers = { family: rows.slice(0, 2).map((row) => ({ ...row, visits })) }
    expect(keptAfter(answers, form(day), form(off(day))).map(([path]) => path)).toEqual([
      'answers.family.0.visits.0.day',
    ])
  })

  it('are what is stored, also where that is no list of rows, or the field holds none', () => {
    expect(
      keptAfter({ family: 'x' }, family(text('phone')), family(text('phone'), { is_on: false })),
    ).toEqual([['answers.family', 'family', 'x']])
    const ways: Field = { name: 'ways', label: 'ways', type: 'multiselect' }
    expect(keptAfter({ ways: ['a'] }, sectionsOf([ways]), sectionsOf([off(ways)]))).toEqual([
      ['answers.ways', 'ways', ['a']],
    ])
  })

  it('depend on answers outside of the rows', () => {
    const phone = text('phone', { when: { gap: 'y' } })
    const form = (column: Field) => sectionsOf([repeat('family', [text('name'), column]), text('gap')])
    const answers = { family: rows.slice(0, 1), gap: 'y' }
    expect(keptAfter(answers, form(phone), form(off(phone)))).toEqual([
      ['answers.family.0.phone', 'family, row 1: phone', '1'],
    ])
  })
})
