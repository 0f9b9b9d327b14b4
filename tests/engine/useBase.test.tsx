import { act, renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { documentOf } from '../../src/engine/form/store/documentOf.ts'
import { createFormStore } from '../../src/engine/form/store/store.ts'
import { useBase } from '../../src/engine/form/useBase.ts'
import { field, section } from './openForm.tsx'

const sections = section([field('why', 'text'), field('gap', 'text')], { at: 'answers' })
const recordOf = (version: number | undefined, answers: Values, more: Values = {}) => ({
  ...(version !== undefined && { version }),
  answers,
  ...more,
})

/** A form of a record, the base that it is compared with, and what reads and changes it. */
function openBase(record: Values) {
  const initial = documentOf(record)
  const store = createFormStore({ sections, document: initial, conditionContext: {}, isStored: true })
  const form = { current: store }
  const { result, rerender } = renderHook(
    ({ read, asked }) => useBase({ form, record: read, initial, sections: asked }),
    { initialProps: { read: record, asked: sections } },
  )
  return {
    base: () => result.current,
    form,
    read: (next: Values, asked = sections) => rerender({ read: next, asked }),
    rebase: (next: Values) => result.current.rebaseOnto(next),
    type: (name: string, text: string) => act(() => store.set(`answers.${name}`, text)),
    answers: () => store.document().answers,
  }
}

describe('a form of a record', () => {
  it('has no changes at first, and its changes with debounced text where that is asked for', () => {
    const { base, form } = openBase(recordOf(3, { why: 'Because' }))
    expect(base().changes()).toEqual({})
    form.current.addPending(() => form.current.set('answers.why', 'Typed'))
    expect(base().changesInDocument()).toEqual({})
    expect(base().changes()).toEqual({ answers: { why: 'Typed' } })
  })

  it('keeps debounced text when a newer record is read', () => {
    const { form, read, answers } = openBase(recordOf(3, { why: 'Because' }))
    form.current.addPending(() => form.current.set('answers.why', 'Typed'))
    read(recordOf(4, { why: 'Because', gap: 'Theirs' }))
    expect(answers()).toEqual({ why: 'Typed', gap: 'Theirs' })
    form.current.addPending(() => form.current.set('answers.gap', 'Typed too'))
    read(recordOf(5, { why: 'Because', gap: 'Newest' }))
    expect(answers()).toEqual({ why: 'Typed', gap: 'Typed too' })
  })

  it('compares a newer record by the fields that the form has by then', () => {
    const { base, type, read } = openBase(recordOf(3, { place: 'cb74ae' }))
    type('place', 'M1 1AE')
    const withPlace = section([field('why', 'text'), field('place', 'postcode')], { at: 'answers' })
    read(recordOf(4, { place: 'CB7 4AE' }), withPlace)
    expect(base().version.current).toBe(4)
  })

  it('takes a newer record, and its version', () => {
    const { base, read, answers } = openBase(recordOf(3, { why: 'Because' }))
    read(recordOf(4, { why: 'Theirs' }))
    expect([answers(), base().version.current, base().changes()]).toEqual([{ why: 'Theirs' }, 4, {}])
  })

  it.each([
    ['of the same version', 3],
    ['without one', undefined],
  ])('takes another record %s', (_, version) => {
    const { read, answers } = openBase(recordOf(version, { why: 'Because' }))
    read(recordOf(version, { why: 'Theirs' }))
    expect(answers()).toEqual({ why: 'Theirs' })
  })

  it('does not go back to an older one', () => {
    const { base, read, answers } = openBase(recordOf(3, { why: 'Because' }))
    read(recordOf(5, { why: 'Newest' }))
    read(recordOf(4, { why: 'Older' }))
    expect([answers(), base().version.current]).toEqual([{ why: 'Newest' }, 5])
  })

  it('does not go back to an older one after a conflict either', () => {
    const { base, type, read, answers } = openBase(recordOf(3, { why: 'Because' }))
    type('why', 'Mine')
    read(recordOf(5, { why: 'Theirs', gap: 'Newest' }))
    read(recordOf(4, { why: 'Because', gap: 'Older' }))
    expect([answers(), base().version.current]).toEqual([{ why: 'Mine', gap: 'Newest' }, 3])
  })

  it('does not take the record it began with for a newer one', () => {
    const record = recordOf(3, { why: 'Because' })
    const { base, read, answers } = openBase(record)
    base().base.current = recordOf(3, { why: 'Saved' })
    read(record)
    expect([answers(), base().changes()]).toEqual([{ why: 'Because' }, { answers: { why: 'Because' } }])
  })

  it('keeps what was typed, with its version, where somebody else has changed it, and says so', () => {
    const { base, type, rebase, answers } = openBase(recordOf(3, { why: 'Because', gap: 'a' }))
    type('why', 'Mine')
    const newer = recordOf(4, { why: 'Theirs', gap: 'b' })
    expect(rebase(newer)).toEqual({
      fields: { 'answers.why': { base: 'Because', mine: 'Mine', theirs: 'Theirs' } },
      current: newer,
    })
    expect([answers(), base().version.current]).toEqual([{ why: 'Mine', gap: 'b' }, 3])
    expect(base().changes()).toEqual({ answers: { why: 'Mine' } })
  })

  it('says what is in conflict with the newest record, also where it is rebased onto an older one', () => {
    const { type, read, rebase } = openBase(recordOf(3, { why: 'Because' }))
    type('why', 'Mine')
    const newest = recordOf(5, { why: 'Newest' })
    read(newest)
    expect(rebase(recordOf(4, { why: 'Theirs' }))).toEqual({
      fields: { 'answers.why': { base: 'Because', mine: 'Mine', theirs: 'Newest' } },
      current: newest,
    })
  })

  it('has no conflict with what it has typed alone', () => {
    const { base, type, rebase } = openBase(recordOf(3, { why: 'Because' }))
    type('why', 'Mine')
    expect(rebase(recordOf(4, { why: 'Because' }))).toBeUndefined()
    expect(base().version.current).toBe(4)
  })

  it('takes hidden answers of a newer record with those that count', () => {
    const { read, answers } = openBase(recordOf(3, { why: 'Because' }))
    read(recordOf(4, { why: 'Because' }, { hidden_answers: { gap: { value: 'Hidden', since: '' } } }))
    expect(answers()).toEqual({ why: 'Because', gap: 'Hidden' })
  })
})
