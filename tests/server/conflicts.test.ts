import { expect, it } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import type { RecordedChange } from '../../src/server/records/audit/audit.ts'
import { conflictsOf, keysOf } from '../../src/server/records/verbs/conflict.ts'

const keyOf = keysOf(new Map([['name', { name: 'name', label: 'Name', type: 'text' } satisfies Field]]))
const at = '2026-03-15T12:00:00Z'
const change = (from: unknown, to: unknown, more = {}): RecordedChange => ({
  by: 'Ann Lee',
  staff: 7,
  at,
  fields: { name: { from, to, ...more } },
})

it.each<[string, unknown, unknown, RecordedChange[], object | undefined]>([
  ['another value in place of a stored one', 'Mine', 'Theirs', [change('Base', 'Theirs')], { base: 'Base' }],
  ['another value in place of none', 'Mine', 'Theirs', [change(null, 'Theirs')], { base: null }],
  ['no value in place of a stored one', 'Mine', null, [change('Base', null)], { base: 'Base', theirs: null }],
  ['the first base of two changes', 'Mine', 'C', [change('A', 'B'), change('B', 'C')], { base: 'A' }],
  ['two values in place of none', 'Mine', 'C', [change(null, 'B'), change('B', 'C')], { base: null }],
  ['no value, in place of one that is not to be seen', 'Mine', null, [change(null, null)], { base: null }],
  ['the same value', 'Same', 'Same', [change('Base', 'Same')], undefined],
  ['the same value in another spelling', 'same ', 'Same', [change('Base', 'Same')], undefined],
  ['another spelling of the stored value', 'Mine', 'Base', [change('base', 'Base')], undefined],
  ['a value that only moved', 'Mine', 'Base', [change('Base', null, { moved: true })], undefined],
  ['nothing, if both clear it', null, null, [change('Base', null)], undefined],
])('two people save one field: the other one has saved %s', (_, mine, theirs, changes, expected) => {
  const conflict = expected && { name: { mine, theirs, by: 'Ann Lee', at, ...expected } }
  expect(conflictsOf({ name: mine }, { name: theirs }, changes, keyOf)).toEqual(conflict ?? {})
})

it('a field whose value the record no longer has is a conflict with none, unless both clear it', () => {
  const cleared = [change('Base', null)]
  expect(conflictsOf({ name: 'Mine' }, {}, cleared, keyOf)).toEqual({
    name: { base: 'Base', mine: 'Mine', theirs: null, by: 'Ann Lee', at },
  })
  expect(conflictsOf({ name: null }, {}, cleared, keyOf)).toEqual({})
})

it('the last of several changes says who and when', () => {
  const later = { ...change('B', 'C'), by: 'Bob Hart', at: '2026-03-16T12:00:00Z' }
  expect(conflictsOf({ name: 'Mine' }, { name: 'C' }, [change('A', 'B'), later], keyOf)).toEqual({
    name: { base: 'A', mine: 'Mine', theirs: 'C', by: 'Bob Hart', at: '2026-03-16T12:00:00Z' },
  })
})

it('a value without a field is compared as it is', () => {
  const fields = { other: { from: 'a', to: 'A' } }
  expect(conflictsOf({ other: 'b' }, { other: 'A' }, [{ ...change(0, 0), fields }], keyOf)).toEqual({
    other: { base: 'a', mine: 'b', theirs: 'A', by: 'Ann Lee', at },
  })
})

it('an answer that others changed while it was hidden is a conflict with the hidden value', () => {
  const fields = { 'hidden_answers.ward': { from: 'A', to: 'B' } }
  const row = { answers: { why: 'x' }, hidden_answers: { ward: { value: 'B', since: at } } }
  const changes = [{ ...change(0, 0), fields }]
  expect(conflictsOf({ answers: { ward: 'C' } }, row, changes, keyOf)).toEqual({
    'answers.ward': { base: 'A', mine: 'C', theirs: 'B', by: 'Ann Lee', at },
  })
  expect(conflictsOf({ answers: { ward: 'B' } }, row, changes, keyOf)).toEqual({})
})

it('a field that only others have saved is no conflict', () => {
  expect(conflictsOf({ other: 1 }, { name: 'Theirs' }, [change('Base', 'Theirs')], keyOf)).toEqual({})
})
