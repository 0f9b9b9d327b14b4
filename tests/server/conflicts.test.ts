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
  ['the same value', 'Same', 'Same', [change('Base', 'Same')], undefined],
  ['the same value in another spelling', 'same ', 'Same', [change('Base', 'Same')], undefined],
  ['another spelling of the stored value', 'Mine', 'Base', [change('base', 'Base')], undefined],
  ['a value that only moved', 'Mine', 'Base', [change('Base', null, { moved: true })], undefined],
  ['nothing, if both clear it', null, null, [change('Base', null)], undefined],
])('two people save one field: the other one has saved %s', (_, mine, theirs, changes, expected) => {
  const conflict = expected && { name: { mine, theirs, by: 'Ann Lee', at, ...expected } }
  expect(conflictsOf({ name: mine }, { name: theirs }, changes, keyOf)).toEqual(conflict ?? {})
})

it('a field that only others have saved is no conflict', () => {
  expect(conflictsOf({ other: 1 }, { name: 'Theirs' }, [change('Base', 'Theirs')], keyOf)).toEqual({})
})
