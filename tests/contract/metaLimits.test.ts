import { describe, expect, it } from 'vitest'
import type { Field, FieldAttrs, FieldType, Group } from '../../src/contract/generated.ts'
import { FORM_LIMITS, MAX_LABEL_LENGTH } from '../../src/contract/meta/formLimits.ts'
import { MAX_MATCHED_LENGTH } from '../../src/contract/patterns.ts'
import { MAX_POINTS } from '../../src/contract/scale.ts'
import { choice, field, group, repeat } from './metaBuilders.ts'
import { check } from './metaErrors.ts'

const many = (count: number, type: FieldType = 'text') =>
  Array.from({ length: count }, (_, i) => field(`f${i}`, type))
const one = (type: FieldType, attrs: FieldAttrs) => [group('g', [field('one', type, attrs)])]
const values = (count: number) => Array.from({ length: count }, (_, i) => `v${i}`)
const labelled = (length: number): Field => ({
  ...field('one', 'select'),
  attrs: { options: [{ value: 1, label: 'x'.repeat(length) }] },
})
const table = (choices: number) => [
  group('g', [choice('one', values(choices)), choice('two', values(choices))], { layout: 'matrix' }),
]
const nested = (inner: FieldAttrs) => [group('g', [repeat('outer', [repeat('inner', [field('a')], inner)])])]
const lines = (attrs: FieldAttrs) => [group('g', [repeat('lines', [field('a')], attrs)])]

describe('a form exactly at a limit is accepted, and beyond it refused:', () => {
  it.each<[string, (at: number) => Group[], number, string]>([
    ['groups', (at) => many(at).map((f, i) => group(`g${i}`, [f])), FORM_LIMITS.groups, 'remove 1 of them'],
    ['fields', (at) => [group('g', many(at))], FORM_LIMITS.fields, 'remove 1 of them'],
    [
      'columns',
      (at) => [group('g', [repeat('lines', many(at), { max: 10 })])],
      FORM_LIMITS.columns,
      'columns; remove 1',
    ],
    ['choices', (at) => [group('g', [choice('one', values(at))])], FORM_LIMITS.choices, 'use a list instead'],
    ['characters of a choice', (at) => [group('g', [labelled(at)])], MAX_LABEL_LENGTH, 'Shorten the label'],
    ['choices of a table', table, 7, 'A table has room for 7 choices'],
    ['numbers of a scale', (at) => one('scale', { min: 1, max: at }), MAX_POINTS, 'may have 11 numbers'],
    [
      'characters of a text with a pattern',
      (at) => one('text', { max_length: at, pattern: { matches: '[0-9]+', example: '1' } }),
      MAX_MATCHED_LENGTH,
      'lower its maximum',
    ],
    ['the least of a number', (at) => one('integer', { min: at, max: 5 }), 5, 'swap them or change one'],
    ['the least year', (at) => one('year', { min: at }), 9999, 'so never 10000 or more'],
    ['a default at the most', (at) => one('integer', { max: 5, default: at }), 5, 'more than its maximum, 5'],
    [
      'characters of a default',
      (at) => one('text', { max_length: 3, default: 'x'.repeat(at) }),
      3,
      'longer than its 3 characters',
    ],
    [
      'characters of an example',
      (at) => one('text', { max_length: 3, pattern: { matches: 'x+', example: 'x'.repeat(at) } }),
      3,
      'longer than its 3 characters',
    ],
    ['rows that nobody can add', (at) => lines({ min: at, read_only: true }), 0, 'is only shown'],
  ])('the most of %s', (_, formOf, most, message) => {
    expect(check(...formOf(most))).toEqual([])
    expect(check(...formOf(most + 1)).map((error) => error.message)).toContainEqual(
      expect.stringContaining(message),
    )
  })

  it.each<[string, (at: number) => Group[], number, string]>([
    ['rows', (at) => lines({ min: at }), 0, 'cannot have fewer than 0 rows'],
    ['the most rows', (at) => lines({ max: at }), 1, 'may have no rows'],
    ['the most year', (at) => one('year', { max: at }), 1000, 'so never 999 or less'],
    [
      'a default at the least',
      (at) => one('integer', { min: 5, default: at }),
      5,
      'less than its minimum, 5',
    ],
    ['the end of a scale', (at) => one('scale', { min: 1, max: at }), 2, 'must end above 1'],
  ])('the least of %s', (_, formOf, least, message) => {
    expect(check(...formOf(least))).toEqual([])
    expect(check(...formOf(least - 1)).map((error) => error.message)).toContainEqual(
      expect.stringContaining(message),
    )
  })

  it('rows in the rows of a repeat', () => {
    const [error] = check(...nested({ max: 1000 }))
    const most = Number(error.message.match(/may have (\d+) in each/)![1])
    expect([check(...nested({ max: most })), check(...nested({ max: most + 1 }))]).toMatchObject([[], [{}]])
  })
})

it.each([
  [12, "'L11' on 'L12' and 'L12' on 'L1':"],
  [13, "'L12' on 'L13' and 1 more:"],
])('a circle of %i fields is named by twelve steps', (length, end) => {
  const fields = Array.from({ length }, (_, i) =>
    field(`l${i + 1}`, 'text', { when: { [`l${((i + 1) % length) + 1}`]: { set: true } } }),
  )
  expect(check(group('g', fields))[0].message).toContain(end)
})
