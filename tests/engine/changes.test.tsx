import { AxiosError, AxiosHeaders } from 'axios'
import { describe, expect, it } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import { changesOf, fieldAt, isSameValue, rebase } from '../../src/engine/form/store/changes.ts'
import { conflictOf } from '../../src/engine/form/store/conflict.ts'
import { mergeAt } from '../../src/engine/form/store/mergeAt.ts'
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
    ['a value that was not there before is one', {}, { name: 'Ann' }, { name: 'Ann' }],
    ['blank columns of a row are left out', {}, { rows: [{ row: 'a', b: '' }] }, { rows: [{ row: 'a' }] }],
    ['an object is one value', { at: { a: 1, b: 2 } }, { at: { a: 1, b: 3 } }, { at: { a: 1, b: 3 } }],
  ])('%s', (_, before, after, changed) => {
    expect(changesOf(at(before), at(after), sections)).toEqual(
      Object.keys(changed).length > 0 ? at(changed) : {},
    )
  })
})

describe('a form with a place within a place', () => {
  const inner = [{ key: 'b', at: 'case.answers', groups: [{ name: 'g', label: 'Group', fields: FIELDS }] }]
  const nested = (answers?: object, more = {}) => ({ case: { ...more, ...(answers && { answers }) } })

  it('compares the values of the innermost one by their fields', () => {
    const now = nested({ postcode: 'CB7 4AE', name: 'Bea' })
    expect(changesOf(nested({ postcode: 'cb74ae', name: 'Ann' }), now, inner)).toEqual(
      nested({ name: 'Bea' }),
    )
  })

  it('has its conflicts by their whole paths', () => {
    const [base, mine, theirs] = ['Ann', 'Bea', 'Cat'].map((name) => nested({ name }))
    expect(rebase(base, mine, theirs, inner).conflicts).toEqual(['case.answers.name'])
  })

  it('merges values there key by key, next to those that are there', () => {
    const before = nested({ name: 'Ann', phone: '1' }, { hub: 1 })
    const values = { a: 1, case: { hub: 2, answers: { name: 'Bea', begun: undefined } }, z: 2 }
    expect(mergeAt({ ...before, y: 3 }, values, ['', 'case.answers'])).toEqual({
      ...nested({ name: 'Bea', phone: '1' }, { hub: 2 }),
      a: 1,
      y: 3,
      z: 2,
    })
  })

  it('replaces an object that is one value, and a place that is emptied', () => {
    const before = nested({ contact: { name: 'Ann', phone: '1' } })
    const contact = { name: 'Bea' }
    expect(mergeAt(before, nested({ contact }), ['', 'case.answers'])).toEqual(nested({ contact }))
    expect(mergeAt(before, { case: { answers: null } }, ['', 'case.answers'])).toEqual({
      case: { answers: null },
    })
  })
})

describe('the field at a path', () => {
  const top = { at: '', groups: [{ name: 'h', label: 'Case', fields: [FIELDS[1]] }] }

  it('is that of the section at its place', () => {
    expect(fieldAt([top, ...sections], 'name')).toBe(FIELDS[1])
    expect(fieldAt([top, ...sections], 'answers.phone')).toBe(FIELDS[2])
    expect(fieldAt([...sections, top], 'name')).toBe(FIELDS[1])
  })

  it('is none of a place whose name begins with that of another', () => {
    expect(fieldAt(sections, 'answers_before.name')).toBeUndefined()
    expect(fieldAt(sections, 'answers')).toBeUndefined()
    expect(fieldAt(sections, 'answers_name')).toBeUndefined()
  })
})

describe('the conflict in an error', () => {
  const errorOf = (status: number, data: unknown) => {
    const config = { headers: new AxiosHeaders() }
    return new AxiosError('No', undefined, config, undefined, {
      status,
      data,
      statusText: '',
      headers: {},
      config,
    })
  }
  const fields = { name: { base: 'Ann', mine: 'Bea', theirs: 'Cat' } }
  const current = { version: 4 }

  it('has its fields and the current record', () => {
    expect(conflictOf(errorOf(409, { code: 'conflict', fields, current }))).toEqual({ fields, current })
  })

  it.each([
    ['has another status', errorOf(400, { code: 'conflict', fields, current })],
    ['has another code', errorOf(409, { code: 'usedKey', fields, current })],
    ['names no fields', errorOf(409, { code: 'conflict', current })],
    ['has no current record', errorOf(409, { code: 'conflict', fields })],
    ['has no body', errorOf(409, null)],
    ['got no reply', new AxiosError('Network Error')],
    [
      'comes from no request',
      Object.assign(new Error('No'), {
        response: { status: 409, data: { code: 'conflict', fields, current } },
      }),
    ],
  ])('is none if it %s', (_, error) => {
    expect(conflictOf(error)).toBeUndefined()
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

  it('clears a value that the newer record no longer names', () => {
    expect(rebase(at({ name: 'Ann' }), at({ name: 'Ann' }), at({}), sections)).toMatchObject({
      merge: at({ name: null }),
      conflicts: [],
    })
    expect(conflicts({ name: 'Ann' }, { name: 'Bea' }, {})).toEqual(['answers.name'])
  })

  it('takes the spelling in which the newer record has what both chose', () => {
    const both = rebase(
      at({ postcode: 'M1 1AE' }),
      at({ postcode: 'cb74ae' }),
      at({ postcode: 'CB7 4AE' }),
      sections,
    )
    expect(both).toEqual({
      merge: at({ postcode: 'CB7 4AE' }),
      base: at({ postcode: 'CB7 4AE' }),
      conflicts: [],
    })
  })

  it('compares a value without a field as it is', () => {
    expect(conflicts({ other: 'a' }, { other: 'b' }, { other: 'A' })).toEqual(['answers.other'])
    expect(conflicts({ other: 'a' }, { other: 'b' }, { other: 'a' })).toEqual([])
    expect(isSameValue(undefined, 'a', 'A')).toBe(false)
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
