import { describe, expect, it } from 'vitest'
import {
  opsOf,
  readTest,
  TEST_OF,
  withNewTest,
  withTest,
} from '../../src/constructor/conditions/conditionRows.ts'
import { offeredAt } from '../../src/constructor/conditions/reach.ts'
import { addressOf, itemAt, seek } from '../../src/constructor/state/address.ts'
import * as edit from '../../src/constructor/state/edit.ts'
import {
  errorsOfForms,
  errorsOfLabel,
  messagesAt,
  serverErrorsOf,
} from '../../src/constructor/state/editorErrors.ts'
import { attrsForType } from '../../src/constructor/state/fieldTypes.ts'
import {
  answersAt,
  reservedNames,
  whyNotRemovableAt,
  whyTypeFixedAt,
} from '../../src/constructor/state/fieldUsage.ts'
import { type HistoryAction, historyReducer, startHistory } from '../../src/constructor/state/history.ts'
import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import type { Field, FieldType, Group } from '../../src/contract/generated.ts'
import type { Test, When } from '../../src/contract/when.ts'
import { widgets } from '../../src/engine/form/theme/theme.ts'

const field = (name: string, type: FieldType = 'text', attrs: Field['attrs'] = {}): Field => ({
  name,
  label: name.toUpperCase(),
  type,
  attrs,
})
const family: Field = { ...field('family', 'repeat'), fields: [field('name'), field('phone', 'phone')] }
const groups: Group[] = [
  { name: 'one', label: 'One', fields: [field('a'), field('b'), family] },
  { name: 'two', label: 'Two', fields: [field('c')] },
  { name: 'empty', label: 'Empty', fields: [] },
]
/** 'one: a b family(name phone) | two: c' */
const outline = (all: Group[]) =>
  all
    .map((g) =>
      `${g.name}: ${g.fields.map((f) => f.name + (f.fields ? `(${f.fields.map((c) => c.name).join(' ')})` : '')).join(' ')}`.trim(),
    )
    .join(' | ')
const START = 'one: a b family(name phone) | two: c | empty:'

/** Widgets that draw fields of other types. */
const OTHERS = ['ref', 'readOnly', 'grouped', 'radios']

describe('edits', () => {
  it('do not change their arguments, and share unchanged groups', () => {
    const copy = structuredClone(groups)
    const after = edit.setLabel(groups, ['two', 'c'], 'See')
    expect(groups).toEqual(copy)
    expect(after[0]).toBe(groups[0])
    expect(itemAt(after, ['two', 'c'])?.label).toBe('See')
  })

  it('set and remove attributes of groups, fields and columns', () => {
    for (const address of [['one'], ['one', 'a'], ['one', 'family', 'name']]) {
      const off = edit.setAttrs(groups, address, { is_on: false })
      expect(itemAt(off, address)?.attrs).toEqual({ is_on: false })
      expect(itemAt(edit.setAttrs(off, address, { is_on: undefined }), address)?.attrs).toEqual({})
    }
  })

  it('do nothing at an unknown address', () => {
    expect(outline(edit.remove(groups, ['one', 'x']))).toBe(START)
    expect(outline(edit.setLabel(groups, ['x', 'a'], 'No'))).toBe(START)
    expect(edit.moveTo(groups, ['one', 'x'], ['two'], 0).groups).toBe(groups)
  })

  it('remove groups, fields and columns', () => {
    expect(outline(edit.remove(groups, ['one']))).toBe('two: c | empty:')
    expect(outline(edit.remove(groups, ['one', 'b']))).toBe('one: a family(name phone) | two: c | empty:')
    expect(outline(edit.remove(groups, ['one', 'family', 'name']))).toContain('family(phone)')
  })

  it('add fields and groups with unique names', () => {
    const added = edit.addField(groups, ['two'], { label: 'A', type: 'date' }, ['a_2'])
    expect(added.address).toEqual(['two', 'a_3'])
    expect(itemAt(added.groups, added.address)).toEqual({
      name: 'a_3',
      label: 'A',
      type: 'date',
      attrs: { is_on: true },
    })
    const column = edit.addField(groups, ['one', 'family'], { label: 'Row', type: 'text' })
    expect(column.address).toEqual(['one', 'family', 'row_2'])
    expect(edit.addField(groups, ['one', 'family'], { label: 'C', type: 'text' }).address.at(-1)).toBe('c')
    expect(edit.addField(groups, ['two'], { label: 'R', type: 'repeat' }).groups[1].fields[1].fields).toEqual(
      [],
    )
    expect(edit.addGroup(groups, 'One').address).toEqual(['one_2'])
  })

  it('put a repeat into the rows of another, with as many rows as it may have', () => {
    const { groups: after, address } = edit.addField(groups, ['one', 'family'], {
      label: 'Visits',
      type: 'repeat',
    })
    expect(itemAt(after, address)).toMatchObject({ attrs: { max: 10 }, fields: [] })
    const column = edit.addField(after, address, { label: 'Day', type: 'date' })
    expect(column.address).toEqual(['one', 'family', 'visits', 'day'])
    expect(addressOf(column.groups, [0, 'fields', 2, 'fields', 2, 'fields', 0, 'attrs'])).toEqual(
      column.address,
    )
    expect(seek(column.groups, ['two', 'family', 'visits', 'day'])).toEqual(column.address)
    const many = edit.setAttrs(groups, ['one', 'family'], { max: 300 })
    const typed = edit.setType(many, ['one', 'family', 'name'], 'repeat')
    expect(itemAt(typed, ['one', 'family', 'name'])).toMatchObject({ type: 'repeat', attrs: { max: 3 } })
  })

  it.each<[string[], -1 | 1, string | undefined]>([
    [['one', 'a'], 1, 'one: b a family(name phone) | two: c | empty:'],
    [['one', 'a'], -1, undefined],
    [['one', 'family'], 1, 'one: a b | two: family(name phone) c | empty:'],
    [['two', 'c'], -1, 'one: a b family(name phone) c | two: | empty:'],
    [['two', 'c'], 1, 'one: a b family(name phone) | two: | empty: c'],
    [['one', 'family', 'phone'], -1, 'one: a b family(phone name) | two: c | empty:'],
    [['one', 'family', 'phone'], 1, undefined],
    [['two'], -1, 'two: c | one: a b family(name phone) | empty:'],
    [['empty'], 1, undefined],
  ])('step %j by %i', (address, by, after) => {
    const placed = edit.step(groups, address, by)
    expect(placed && outline(placed.groups)).toBe(after)
    if (placed) expect(itemAt(placed.groups, placed.address)?.name).toBe(address.at(-1))
  })

  it('keep the attributes that the new type knows', () => {
    const date = field('d', 'date', {
      is_on: false,
      required: true,
      rules: ['not_future'],
      default: 'today',
      help: 'x',
    })
    const text = edit.setType([{ ...groups[1], fields: [date] }], ['two', 'd'], 'text')
    expect(text[0].fields[0].attrs).toEqual({ is_on: false, required: true, help: 'x' })
    expect(attrsForType({ options: [], lookup: 'x' }, 'multiselect')).toEqual({ options: [], lookup: 'x' })
    expect(attrsForType({ options: [], max_length: 3, min: 1 }, 'integer')).toEqual({ min: 1 })
    expect(edit.setType(groups, ['one', 'family'], 'text')[0].fields[2]).not.toHaveProperty('fields')
  })

  it('know every type that a form can render', () => {
    expect(Object.keys(FIELD_TYPES)).toEqual(
      expect.arrayContaining(Object.keys(widgets).filter((name) => !OTHERS.includes(name))),
    )
  })
})

describe('addresses', () => {
  it('are resolved from the paths of errors', () => {
    expect(addressOf(groups, [])).toEqual([])
    expect(addressOf(groups, [1, 'label'])).toEqual(['two'])
    expect(addressOf(groups, [0, 'attrs', 'when', 'x'])).toEqual(['one'])
    expect(addressOf(groups, [0, 'fields', 1, 'attrs', 'options', 0])).toEqual(['one', 'b'])
    expect(addressOf(groups, [0, 'fields', 2, 'fields', 1, 'name'])).toEqual(['one', 'family', 'phone'])
    expect(addressOf(groups, [0, 'fields', 2, 'fields'])).toEqual(['one', 'family'])
  })

  it('follow a field into another group', () => {
    const moved = edit.moveTo(groups, ['one', 'family'], ['two'], 0).groups
    expect(seek(moved, ['one', 'family', 'name'])).toEqual(['two', 'family', 'name'])
    expect(seek(moved, ['one'])).toEqual(['one'])
    expect(seek(moved, ['one', 'x'])).toBeUndefined()
  })
})

describe('history', () => {
  type Action = HistoryAction<string, string>
  const run = (...actions: Action[]) =>
    actions.reduce(historyReducer<string, string>, startHistory<string, string>('0'))
  const type = (text: string, at = 'x'): Action => ({
    do: 'edit',
    edit: () => text,
    what: 'Label',
    at,
    typing: true,
  })
  const put = (text: string): Action => ({ do: 'edit', edit: () => text, what: 'Type', at: 'x' })
  const undo: Action = { do: 'undo' }
  const redo: Action = { do: 'redo' }

  it('undoes and redoes, and forgets undone steps at the next edit', () => {
    expect(run(put('1'), put('2'), undo).present).toBe('1')
    expect(run(put('1'), put('2'), undo, undo, undo).present).toBe('0')
    expect(run(put('1'), put('2'), undo, undo, redo, redo, redo).present).toBe('2')
    expect(run(put('1'), undo, put('3'), redo).present).toBe('3')
    expect(run(put('1'), put('2'), undo).future[0]).toMatchObject({ state: '2', what: 'Type' })
  })

  it('groups typing in one field as one step', () => {
    expect(run(type('a'), type('ab'), type('abc'), undo).present).toBe('0')
    expect(run(type('a'), type('ab', 'y'), undo).present).toBe('a')
    expect(run(type('a'), put('b'), type('c'), undo).present).toBe('b')
    expect(run(type('a'), undo, redo, type('b'), undo).present).toBe('a')
  })

  it('ignores edits without changes, and can be reset', () => {
    expect(run(put('0')).past).toEqual([])
    expect(run(put('1'), { do: 'start', with: '9' })).toEqual(startHistory('9'))
  })

  it('keeps the last 200 steps', () => {
    const actions = Array.from({ length: 250 }, (_, i) => put(String(i + 1)))
    expect(run(...actions).past).toHaveLength(200)
  })
})

describe('rows of a condition', () => {
  it.each<[Test, string, unknown[]]>([
    ['x', 'is', ['x']],
    ['', 'is', []],
    [['x', 'y'], 'oneOf', ['x', 'y']],
    [{ not: 'x' }, 'not', ['x']],
    [{ not: ['x', 'y'] }, 'not', ['x', 'y']],
    [{ set: true }, 'set', []],
    [{ set: false }, 'unset', []],
    [{ min: 3 }, 'min', [3]],
    [{ max: '2020-01-01' }, 'max', ['2020-01-01']],
  ])('parse %j and serialise it again', (test, op, values) => {
    const read = readTest(test)!
    expect(read).toEqual({ op, values })
    expect(TEST_OF[read.op](read.values)).toEqual(test)
  })

  it('do not parse two comparisons at once', () => {
    expect(readTest({ min: 1, max: 3 })).toBeUndefined()
    expect(readTest({ set: true, not: 'x' })).toBeUndefined()
  })

  it('replace one test in place', () => {
    const when: When = { a: 'x', any: [{ c: 'z' }], b: 'y' }
    expect(Object.entries(withTest(when, 'a', { path: 'd', test: 1 })!)).toEqual([
      ['d', 1],
      ['any', [{ c: 'z' }]],
      ['b', 'y'],
    ])
    expect(withTest(when, 'any')).toEqual({ a: 'x', b: 'y' })
    expect(withTest({ a: 'x' }, 'a')).toBeUndefined()
    expect(withNewTest({ a: 'x' })).toEqual({ a: 'x', '': '' })
  })

  it('offer the comparisons of the type', () => {
    expect(opsOf(field('x', 'integer'))).toContain('min')
    expect(opsOf(field('x', 'contact'))).toEqual(['set', 'unset'])
    for (const type of Object.keys(FIELD_TYPES))
      expect(opsOf(field('x', type as FieldType)).length).toBeGreaterThan(1)
  })

  it('offer the fields that they can reach', () => {
    const names = (...address: string[]) =>
      offeredAt({ groups, outside: new Map() }, address).map((f) => f.name)
    expect(names('one', 'a')).toEqual(['b', 'family', 'c'])
    expect(names('one')).toEqual(['c'])
    expect(names('one', 'family', 'phone')).toEqual(['name', 'a', 'b', 'c'])
  })
})

describe('protected fields', () => {
  const urgent = field('is_urgent', 'yesno')
  const before: Group[] = [{ name: 'one', label: 'One', fields: [field('a'), urgent, family, field('free')] }]
  const about = { meta: 'case_meta' as const, groups: before, before, usage: { a: 2, family: 3, gone: 1 } }

  it('include answered ones, and every column of an answered repeat', () => {
    expect(whyNotRemovableAt(about, ['one', 'a'])).toContain('answered in 2 cases')
    expect(whyNotRemovableAt(about, ['one', 'free'])).toBeUndefined()
    expect(whyNotRemovableAt(about, ['one', 'family', 'phone'])).toContain('answered in 3 cases')
    expect(whyTypeFixedAt(about, ['one', 'a'])).toContain('its type cannot change')
    expect(whyNotRemovableAt(about, ['one'])).toContain("'A' is answered")
  })

  it('include those that lists read, unless they are columns', () => {
    expect(whyNotRemovableAt(about, ['one', 'is_urgent'])).toContain('switch it off')
    expect(whyTypeFixedAt(about, ['one', 'is_urgent'])).toContain('cannot change')
    const inRows = [{ ...before[0], fields: [{ ...family, fields: [urgent] }] }]
    expect(
      whyNotRemovableAt({ ...about, groups: inRows, before: inRows, usage: {} }, [
        'one',
        'family',
        'is_urgent',
      ]),
    ).toBeUndefined()
  })

  it('do not include new ones', () => {
    const added = edit.addField(before, ['one'], { label: 'New', type: 'text' })
    expect(whyNotRemovableAt({ ...about, groups: added.groups }, added.address)).toBeUndefined()
    expect(answersAt({ ...about, groups: added.groups }, ['one', 'family', 'nothing'])).toBe(0)
  })

  it('reserve the names of stored answers', () => {
    expect(reservedNames(about, 'text')).toEqual(expect.arrayContaining(['gone', 'is_urgent', 'free']))
    expect(reservedNames({ ...about, before: [] }, 'yesno')).not.toContain('is_urgent')
  })
})

describe('errors', () => {
  const type = { id: 1, service: 1, version: 1, label: 'T', case_meta: groups, issue_meta: [] }

  it('of validation have an address', () => {
    const blank = { ...type, case_meta: edit.setLabel(groups, ['one', 'family', 'name'], ' ') }
    const [problem, ...more] = errorsOfForms(blank, { lookups: {} }, type)
    expect(more).toEqual([])
    expect(problem).toMatchObject({ meta: 'case_meta', address: ['one', 'family', 'name'], at: 'label' })
    expect(messagesAt([problem], ['one', 'family', 'name'], 'label')).toEqual(['Give this field a label'])
    expect(messagesAt([problem], ['one', 'family'], 'label')).toEqual([])
    expect(errorsOfLabel(' ')[0].message).toBe('Give the case type a name')
  })

  it('of the server have an address', () => {
    expect(serverErrorsOf(type, { 'case_meta.1.fields.0.type': ['No'], label: ['Taken'] })).toEqual([
      { meta: 'case_meta', address: ['two', 'c'], at: 'type', message: 'No' },
      { address: [], at: 'label', message: 'Taken' },
    ])
    expect(serverErrorsOf(type, 'broken')).toEqual([])
  })
})
