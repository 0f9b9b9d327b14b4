import { describe, expect, it } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import { changesOf, rebase } from '../../src/engine/form/store/changes.ts'
import { createFormStore } from '../../src/engine/form/store/store.ts'

const FIELDS: Field[] = [
  { name: 'postcode', label: 'Postcode', type: 'postcode' },
  { name: 'name', label: 'Name', type: 'text' },
  { name: 'phone', label: 'Telephone', type: 'phone' },
  { name: 'begun', label: 'Begun', type: 'date' },
]
const sections = [
  { key: 'a', at: 'answers', groups: [{ name: 'g', label: 'Group', fields: FIELDS }], isMeta: true },
]
const at = (answers: object) => ({ answers })

describe('changes of a form', () => {
  it.each([
    ['another spelling of the stored value is none', { postcode: 'cb74ae' }, { postcode: 'CB7 4AE' }, {}],
    ['a correction of capitals is one', { name: "o'brien" }, { name: "O'Brien" }, { name: "O'Brien" }],
    [
      'an added extension is one',
      { phone: '01632 960001' },
      { phone: '01632 960001 ext 5' },
      { phone: '01632 960001 ext 5' },
    ],
    ['a value that is removed is null', { name: 'Ann' }, {}, { name: null }],
    ['a blank instead of none is none', {}, { name: ' ' }, {}],
    ['a value without a field is compared as it is', { other: 'a' }, { other: 'A' }, { other: 'A' }],
  ])('%s', (_, before, after, changed) => {
    expect(changesOf(at(before), at(after), sections)).toEqual(
      Object.keys(changed).length > 0 ? at(changed) : {},
    )
  })
})

describe('a rebase', () => {
  const conflicts = (base: object, mine: object, theirs: object) =>
    rebase(at(base), at(mine), at(theirs), sections).conflicts

  it('has no conflict over the spelling of a value', () => {
    expect(conflicts({ name: 'Ann' }, { name: "O'Brien" }, { name: 'O’brien' })).toEqual([])
    expect(conflicts({ postcode: 'cb74ae' }, { postcode: 'M1 1AE' }, { postcode: 'CB7 4AE' })).toEqual([])
    expect(
      conflicts({ phone: '01632 960001' }, { phone: '020 7946 0000' }, { phone: '+44 1632 960001' }),
    ).toEqual([])
    expect(conflicts({ name: 'Ann' }, { name: 'Bea' }, { name: 'Cat' })).toEqual(['answers.name'])
  })

  it.each([
    ['somebody else changed only', 'Ann', 'Ann', 'Cat', { name: 'Cat' }, 'Cat', []],
    ['somebody else removed only', 'Ann', 'Ann', undefined, { name: null }, undefined, []],
    ['both changed to the same', 'Ann', 'Cat', 'Cat', {}, 'Cat', []],
    ['both removed', 'Ann', undefined, undefined, {}, undefined, []],
    ['only this person changed', 'Ann', 'Bea', 'Ann', {}, 'Ann', []],
    ['both changed, each in another way', 'Ann', 'Bea', 'Cat', {}, 'Ann', ['answers.name']],
    ['this person removed and somebody else changed', 'Ann', undefined, 'Cat', {}, 'Ann', ['answers.name']],
  ])('of a value that %s', (_, base, mine, theirs, merge, newBase, conflicts) => {
    expect(rebase(at({ name: base }), at({ name: mine }), at({ name: theirs }), sections)).toEqual({
      merge: at(merge),
      base: at({ name: newBase }),
      conflicts,
    })
  })

  it('takes a whole place that only the newer record has', () => {
    const rebased = rebase({}, {}, at({ name: 'Cat' }), sections)
    expect(rebased).toEqual({ merge: at({ name: 'Cat' }), base: at({ name: 'Cat' }), conflicts: [] })
    expect(rebase({ hub: 1 }, { hub: 1 }, { hub: 2 }, [{ at: '', groups: [] }]).merge).toEqual({ hub: 2 })
  })

  it('keeps what was typed where somebody else spelt it in another way', () => {
    const rebased = rebase(at({ name: 'Ann' }), at({ name: "O'Brien" }), at({ name: 'obrien' }), sections)
    expect(rebased).toMatchObject({ merge: at({}), base: at({ name: 'obrien' }) })
  })
})

describe('a stored value outside the limits of its field', () => {
  const store = () =>
    createFormStore({
      sections,
      document: at({ begun: '0050-06-04' }),
      conditionContext: {},
      isStored: true,
    })
  const errorsOf = (form: ReturnType<typeof store>) => Object.keys(form.groups()[0].errors)

  it('is not refused when it is typed again', () => {
    const form = store()
    form.set('answers.begun', '2026-01-01')
    form.blur('answers.begun')
    form.set('answers.begun', '0050-06-04')
    form.blur('answers.begun')
    expect([errorsOf(form), form.isFieldDirty('answers.begun')]).toEqual([[], false])
  })

  it('is refused when another one like it is typed', () => {
    const form = store()
    form.set('answers.begun', '0051-06-04')
    form.blur('answers.begun')
    expect(errorsOf(form)).toEqual(['begun'])
  })
})
