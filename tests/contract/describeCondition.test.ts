import { describe, expect, it } from 'vitest'
import { describeAnswer } from '../../src/contract/describeAnswer.ts'
import { describeCondition } from '../../src/contract/meta/describeCondition.ts'
import { fieldsByName } from '../../src/contract/meta/places.ts'
import { quoted, quotedAll } from '../../src/contract/quoted.ts'
import type { When } from '../../src/contract/when.ts'
import { choice, field, group, yesno } from './metaBuilders.ts'

const reach = fieldsByName([
  group('one', [
    yesno('urgent'),
    choice('setting', ['home', 'ward']),
    choice('help', ['rights', 'leave'], {}, 'multiselect'),
    field('age', 'integer'),
    field('time', 'duration'),
    field('since', 'date'),
    field('until', 'date'),
    field('list', 'select', { lookup: 'gender' }),
    field('relative', 'contact'),
  ]),
])

describe('a condition in words', () => {
  it.each<[When, string]>([
    [{ urgent: 'yes' }, "'Urgent' is Yes"],
    [{ urgent: 'not_known', setting: 'ward' }, "'Urgent' is Not known and 'Setting' is Ward"],
    [{ setting: ['home', 'ward'] }, "'Setting' is one of Home or Ward"],
    [{ setting: ['home'] }, "'Setting' is Home"],
    [{ setting: { not: ['home', 'ward'] } }, "'Setting' is not Home or Ward"],
    [{ help: 'rights' }, "'Help' includes Rights"],
    [{ help: { not: 'leave' } }, "'Help' does not include Leave"],
    [{ age: { min: 18, max: 65 } }, "'Age' is at least 18 and is at most 65"],
    [{ time: { min: 5400 } }, "'Time' is at least 1:30"],
    [{ since: { max: '2026-03-01' } }, "'Since' is at most 1 March 2026"],
    [{ age: { set: true } }, "'Age' has a value"],
    [{ age: { set: false } }, "'Age' has no value"],
    [{ age: null }, "'Age' has no value"],
    [{ age: { not: null } }, "'Age' has a value"],
    [{ list: [1, 24] }, "'List' is one of item 1 or item 24"],
    [{ 'relative.phone': { set: true } }, "'phone' of 'Relative' has a value"],
    [{ 'record.is_opened': true }, "'is opened' of the record is Yes"],
    [{ nowhere: 'x' }, "'nowhere' is x"],
    [{ any: [{ urgent: 'yes' }] }, "'Urgent' is Yes"],
    [{ since: { max: { path: 'until' }, not: { path: 'until' } } }, "'Since' is before 'Until'"],
    [
      { since: { min: { path: 'client.dob' }, not: { path: 'client.dob' } } },
      "'Since' is after 'dob' of the client",
    ],
    [{ age: { min: 18, not: 18 } }, "'Age' is more than 18"],
    [{ age: { max: { path: 'age' }, not: { path: 'age' } } }, "'Age' is less than 'Age'"],
    [
      { setting: { path: 'list' }, help: { not: { path: 'setting' } } },
      "'Setting' is 'List' and 'Help' does not include 'Setting'",
    ],
    [{ setting: ['home', { path: 'list' }] }, "'Setting' is one of Home or 'List'"],
    [{ age: { min: { path: '' } } }, "'Age' is at least a value that is still to be chosen"],
    [
      { urgent: 'yes', any: [{ age: { set: true } }, { setting: 'ward', urgent: 'no' }] },
      "'Urgent' is Yes and ('Age' has a value, or 'Setting' is Ward and 'Urgent' is No)",
    ],
  ])('%j', (when, words) => {
    expect(describeCondition(when, reach)).toBe(words)
  })

  it('uses the labels of items, and the ids of unknown ones', () => {
    const asked: unknown[] = []
    const when = { urgent: 'yes', age: 3, any: [{ list: [1, 2] }, { list: { not: 3 } }] }
    const words = describeCondition(when, reach, (...item) => {
      asked.push(item)
      return item[1] < 3 ? ['', 'Female', ' '][item[1]] : undefined
    })
    expect(words).toBe(
      "'Urgent' is Yes and 'Age' is 3 and ('List' is one of Female or item 2 or 'List' is not item 3)",
    )
    expect(asked).toEqual([
      ['gender', 1],
      ['gender', 2],
      ['gender', 3],
    ])
  })

  it('ignores inherited properties', () => {
    const when = JSON.parse('{"__proto__": "toString", "constructor": {"set": true}}') as When
    expect(describeCondition(when, reach)).toBe("'__proto__' is toString and 'constructor' has a value")
    expect(describeAnswer(yesno('a'), 'toString')).toBe('toString')
  })
})

describe('a label in a sentence', () => {
  it('is shortened to one line, or the name if it is blank', () => {
    expect(quoted('x'.repeat(10_000))).toHaveLength(82)
    expect(quoted(' a\n b ')).toBe("'a b'")
    expect(quoted('  ', 'name')).toBe("'name'")
    expect(quoted('\u{1f600}'.repeat(200)).isWellFormed()).toBe(true)
  })

  it('names one of several', () => {
    expect(quotedAll(['a'])).toBe("'a'")
    expect(quotedAll(['a', 'b', 'c'])).toBe("'a', 'b' and 'c'")
    expect(quotedAll([...'abcdefgh'])).toBe("'a', 'b', 'c', 'd', 'e' and 3 more")
  })
})

describe('an answer in words', () => {
  it.each([
    [yesno('a'), 'yes', 'Yes'],
    [choice('a', ['home', '-ward']), 'ward', 'Ward'],
    [choice('a', ['home', 'ward'], {}, 'multiselect'), ['home', 'ward'], 'Home, Ward'],
    [field('a', 'repeat'), [{}, {}], '2 rows'],
    [field('a', 'contact'), { name: 'Ann' }, 'filled in'],
    [field('a', 'duration'), 60, '0:01'],
    [field('a', 'date'), '2026-02-31', '2026-02-31'],
    [undefined, false, 'No'],
    [field('a'), null, 'no value'],
  ])('%#', (one, value, words) => {
    expect(describeAnswer(one, value)).toBe(words)
  })

  it('is shortened', () => {
    expect(describeAnswer(field('a'), 'x'.repeat(10_000)).length).toBeLessThan(100)
    expect(
      describeAnswer(choice('a', ['home'], {}, 'multiselect'), Array(9999).fill('x')).length,
    ).toBeLessThan(100)
  })
})
