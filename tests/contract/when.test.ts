import { describe, expect, it } from 'vitest'
import { type ConditionContext, holds, pathsOf, type When } from '../../src/contract/when.ts'

const scope: ConditionContext = {
  answers: {
    urgent: 'yes',
    age: 40,
    since: '2026-03-01',
    needs: [3, 5],
    note: ' ',
    empty: [],
    none: null,
    forty: 40,
    exact: '40.00',
    others: [5, 6],
  },
  row: { urgent: 'no', relation: 'mother', parent: 'mother' },
  record: { status: 1, is_opened: false, owner: { id: 7 } },
  user: { groups: [2, 4] },
}

const cases: [name: string, when: When, expected: boolean][] = [
  ['a literal equals', { age: 40 }, true],
  ['a literal of another type does not', { age: '40' }, false],
  ['the row comes before the answers', { urgent: 'no' }, true],
  ['keys are AND', { age: 40, relation: 'father' }, false],
  ['a list is one of', { relation: ['father', 'mother'] }, true],
  ['a list meets a list where they share an item', { needs: [1, 5] }, true],
  ['a literal meets a list that contains it', { needs: 3 }, true],
  ['a list shares nothing', { needs: [1, 2] }, false],
  ['not', { relation: { not: 'father' } }, true],
  ['not, of a list', { relation: { not: ['father', 'mother'] } }, false],
  ['not holds for an unset value', { missing: { not: [1, 24] } }, true],
  ['min and max are inclusive', { age: { min: 40, max: 40 } }, true],
  ['max fails above', { age: { max: 39 } }, false],
  ['min fails for an unset value', { missing: { min: 0 } }, false],
  ['dates compare as texts', { since: { min: '2026-01-01', max: '2026-12-31' } }, true],
  ['set', { needs: { set: true } }, true],
  ['an empty list is not set', { empty: { set: true } }, false],
  ['null is not set', { none: { set: false } }, true],
  ['null equals unset', { missing: null }, true],
  ['any is OR', { any: [{ age: 1 }, { relation: 'mother' }] }, true],
  ['any beside another key is AND', { age: 1, any: [{ relation: 'mother' }] }, false],
  ['a path stands for what it has', { relation: { path: 'parent' } }, true],
  ['a path looks in the row first', { urgent: { path: 'record.word' } }, false],
  ['a path without a value equals nothing', { missing: { path: 'none' } }, false],
  ['a path in a list', { relation: ['father', { path: 'parent' }] }, true],
  ['a list meets the list of a path where they share an item', { needs: { path: 'others' } }, true],
  ['a list shares nothing with that of a path', { needs: { path: 'user.groups' } }, false],
  ['not of a path', { relation: { not: { path: 'parent' } } }, false],
  ['not of a path without a value holds', { age: { not: { path: 'none' } } }, true],
  ['a whole number equals a decimal one', { age: { path: 'exact' } }, true],
  ['a decimal number equals a whole one', { exact: { path: 'age' } }, true],
  ['a decimal number is at least a whole one', { exact: { min: { path: 'age' } } }, true],
  ['min and max of a path are inclusive', { age: { min: { path: 'forty' }, max: { path: 'forty' } } }, true],
  [
    'beyond a path is at most it and not it',
    { age: { max: { path: 'forty' }, not: { path: 'forty' } } },
    false,
  ],
  ['nothing is at least a path without a value', { age: { min: { path: 'none' } } }, false],
  ['nothing is at most a path without a value', { age: { max: { path: 'none' } } }, false],
  ['a path inherits nothing', { age: { not: { path: 'constructor' } } }, true],
  ['record', { 'record.status': 1, 'record.is_opened': false }, true],
  ['deeper than one step', { 'record.owner.id': 7 }, true],
  ['user groups', { 'user.groups': [4, 9] }, true],
  ['a root that is not there', { 'with.client.age': { set: true } }, false],
  ['what every object inherits is not a value', { 'record.constructor': { set: true } }, false],
]

describe('holds', () => {
  it.each(cases)('%s', (_, when, expected) => expect(holds(when, scope)).toBe(expected))

  it('holds without a condition', () => expect(holds(undefined, {})).toBe(true))
})

it('pathsOf returns every path once, also those within any', () => {
  const when: When = { a: 1, any: [{ a: 2 }, { 'record.b': { set: true } }] }
  expect(pathsOf(when)).toEqual(['a', 'record.b'])
  const compared: When = {
    a: { path: 'b' },
    c: ['x', { path: 'd' }],
    any: [{ e: { min: { path: 'f' }, not: null } }],
  }
  expect(pathsOf(compared)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})
