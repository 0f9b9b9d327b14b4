import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import {
  choiceKey,
  compareKeys,
  nameKey,
  phoneKey,
  searchWords,
  textKey,
} from '../../src/contract/compareKey.ts'
import { compareKey, FIELD_TYPES, normaliseValue } from '../../src/contract/fieldTypes.ts'
import type { Field, FieldType } from '../../src/contract/generated.ts'
import { RULE_NAMES } from '../../src/contract/rules.ts'
import { isSet, type Values } from '../../src/contract/when.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { random, SPELT_NAMES, SPELT_PHONES, SPELT_POSTCODES } from './spellings.ts'

const TODAY = '2026-06-04'
const TYPES = Object.keys(FIELD_TYPES) as FieldType[]
const PIECES = [
  ...'aZé9 ,.-/()+#@:£%',
  ...[
    'e\u0301',
    '\u0301',
    '\u200B',
    '\u202E',
    '\u00A0',
    '\u00AD',
    '\u2028',
    '\uFEFF',
    '\r\n',
    '\n',
    '\t',
    '\u0085',
  ],
  ...[
    '’',
    '–',
    'ﬁ',
    'ß',
    'İ',
    'Å',
    '한',
    '\u3164',
    '\u2800',
    '👩‍👦',
    '1,234.5',
    'CB7',
    '4ae',
    '+44',
    'ext',
    'pm',
    '12kg',
  ],
  ...['2026-02-30', '2026-06-04T10:00:00+01:00', '0050-06-04'],
]
const fieldOf = (type: FieldType, attrs: Field['attrs'] = {}): Field => ({
  name: 'x',
  label: 'Field',
  type,
  attrs,
  ...(type === 'repeat' && {
    fields: TYPES.filter((one) => one !== 'repeat').map((one) => ({ name: one, label: one, type: one })),
  }),
})

function textsOf(seed: number, count: number): string[] {
  const next = random(seed)
  const pick = () => PIECES[Math.floor(next() * PIECES.length)]
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(next() * 6) }, pick).join(''),
  )
}

function valueFrom(type: FieldType, text: string): unknown {
  if (type === 'contact') return { name: text, role: text, organisation: text, phone: text, email: text }
  if (type === 'uk_address') return { line_1: text, line_2: text, town: text, county: text, postcode: text }
  if (type === 'multiselect') return [text, 'a']
  if (type === 'repeat')
    return [
      {
        row: 'r',
        ...Object.fromEntries(TYPES.filter((t) => t !== 'repeat').map((t) => [t, valueFrom(t, text)])),
      },
    ]
  return text
}

const change = (fields: Field[], stored: Values, sent: Values, all = false) =>
  applyChanges({
    groups: [{ name: 'g', label: 'Group', fields }],
    stored,
    sent,
    conditionContext: {},
    validateSchema: ajvValidate,
    today: TODAY,
    all,
  })

describe('a value in its one form', () => {
  it.each(TYPES)('stays the same when it is normalised again: %s', (type) => {
    const field = fieldOf(type)
    for (const text of textsOf(TYPES.indexOf(type) + 1, 1500)) {
      const once = normaliseValue(field, valueFrom(type, text))
      expect(normaliseValue(field, once), JSON.stringify(text)).toEqual(once)
      // What is compared of a value does not depend on how it was spelt when it was stored.
      expect(compareKey(field, once)).toEqual(compareKey(field, valueFrom(type, text)))
    }
  })

  it.each(TYPES)('is stored the same from any spelling: the example of %s', (type) => {
    const field = fieldOf(type, type === 'select' || type === 'multiselect' ? { options: [] } : {})
    const { example } = FIELD_TYPES[type]
    expect(normaliseValue(field, normaliseValue(field, example))).toEqual(normaliseValue(field, example))
  })

  it.each([
    ['text', ' Ann\u00A0\u00A0Ash\n', 'Ann Ash'],
    ['text', 'Ad\u200Bam', 'Adam'],
    ['text', '\u202EmadA', 'madA'],
    ['text', 'Zoe\u0308', 'Zoë'],
    ['text', '\u3164', ''],
    ['textarea', '\u200B one\r\ntwo\u2028\tthree\u0007 \n', 'one\ntwo\n\tthree'],
    ['phone', '01632–960001  ext\u00A05', '01632-960001 ext 5'],
    ['postcode', ' cb74ae', 'CB7 4AE'],
    ['postcode', 'no fixed abode', 'no fixed abode'],
    ['datetime', '2026-06-04T10:42:00+01:00', '2026-06-04T09:42:00.000Z'],
    ['datetime', '2026-02-30T10:42:00Z', '2026-02-30T10:42:00Z'],
    ['time', '9.30 pm', '21:30'],
    ['time', '12am', '00:00'],
    ['time', '1am', '01:00'],
    ['time', '12pm', '12:00'],
    ['time', '0am', '0am'],
    ['time', '13pm', '13pm'],
    ['time', '23:59', '23:59'],
    ['time', '24:00', '24:00'],
    ['money', '£1,234.5', '1234.50'],
  ] as [FieldType, string, string][])('of %s %j is %j', (type, text, stored) => {
    expect(normaliseValue(fieldOf(type), text)).toBe(stored)
  })

  it.each(RULE_NAMES)('stays the same when it is normalised again: a text with the rule %s', (rule) => {
    const field = fieldOf('text', { rules: [rule] })
    const codes = ['943–476 5919', 'ab 123456c', 'ab12cde', 'a1bcd', 'abc123d', '1 a', 'QQ 12 34 56 C']
    for (const text of [...textsOf(RULE_NAMES.indexOf(rule) + 100, 300), ...codes]) {
      const once = normaliseValue(field, text)
      expect(normaliseValue(field, once), JSON.stringify(text)).toEqual(once)
      expect(compareKey(field, once), JSON.stringify(text)).toEqual(compareKey(field, text))
    }
  })

  it.each([
    ['nhs_number', ['943 476 5919', '9434765919', '943-476-5919', '943–476–5919', ' 943\u00A04765919\u200B']],
    ['national_insurance', ['AB 12 34 56 C', 'ab123456c', 'AB-12-34-56-C', 'AB 123456 C']],
    ['uk_vehicle', ['AB12 CDE', 'ab12cde', 'AB12-CDE']],
    ['uk_vehicle', ['A123 BCD', 'a123bcd']],
    ['uk_vehicle', ['ABC 123D', 'abc123d']],
    ['uk_vehicle', ['AIZ 1234', 'aiz1234']],
  ])('with the rule %s is stored the same from any spelling of %j', (rule, spellings) => {
    const field = fieldOf('text', { rules: [rule] })
    for (const text of spellings) {
      expect(normaliseValue(field, text)).toBe(spellings[0])
      expect(change([field], { x: text }, { x: spellings[0] }).changed).toEqual([])
    }
  })

  it('keeps the blanks of a password', () => {
    expect(normaliseValue(fieldOf('text', { rules: ['new_password'] }), ' a  b ')).toBe(' a  b ')
  })
})

describe('a text of invisible characters', () => {
  it.each(['\u200B', '\u202E\u2069', '\u3164', ' \u00A0', '\u00AD\n'])(
    'does not pass as an answer: %j',
    (text) => {
      const { errors } = change([fieldOf('text', { required: true })], {}, { x: text }, true)
      expect(errors).toEqual({ x: ['Enter field'] })
    },
  )
})

describe('a change of the spelling only', () => {
  it.each([
    ['postcode', 'cb74ae', 'CB7 4AE'],
    ['text', 'Ad\u200Bam', 'Adam'],
    ['datetime', '2026-06-04T09:42:00Z', '2026-06-04T10:42:00+01:00'],
  ] as [FieldType, string, string][])('is none: %s', (type, stored, sent) => {
    expect(change([fieldOf(type)], { x: stored }, { x: sent })).toMatchObject({
      changed: [],
      values: { x: stored },
    })
  })

  it.each([
    ['text', "o'brien", "O'Brien"],
    ['phone', '01632 960001', '01632 960001 ext 5'],
  ] as [FieldType, string, string][])('that is a correction is stored: %s', (type, stored, sent) => {
    expect(change([fieldOf(type)], { x: stored }, { x: sent })).toMatchObject({
      changed: ['x'],
      values: { x: sent },
    })
  })
})

describe('the limits of a date', () => {
  it.each([
    ['date', '0050-06-04', 'Field must be from 1 January 1900 on'],
    ['date', '1899-12-31', 'Field must be from 1 January 1900 on'],
    ['date', '2126-06-05', 'Field must be 4 June 2126 or before'],
    ['datetime', '0050-06-04T10:00:00Z', 'Field must be from 1 January 1900 on'],
    ['month', '1899-12', 'Field must be from 1 January 1900 on'],
  ] as [FieldType, string, string][])(
    'refuse a %s %s that is entered, and keep a stored one',
    (type, value, message) => {
      const fields = [fieldOf(type), { ...fieldOf('text'), name: 'y' }]
      expect(change(fields, {}, { x: value }).errors).toEqual({ x: [message] })
      const kept = change(fields, { x: value }, { x: value, y: 'changed' })
      expect(kept).toMatchObject({ errors: {}, changed: ['y'], invalid: ['x'] })
      expect(change(fields, { x: value }, { y: 'z' }, true).errors).toEqual({})
    },
  )

  it.each([
    ['date', '1900-01-01'],
    ['date', '2126-06-04'],
    ['datetime', '2126-06-04T10:00:00Z'],
    ['month', '1900-01'],
    ['month', '2126-06'],
  ] as [FieldType, string][])('take a %s %s', (type, value) => {
    expect(change([fieldOf(type)], {}, { x: value }).errors).toEqual({})
  })

  it('refuse a birth more than 125 years ago', () => {
    const field = fieldOf('date', { rules: ['not_future', 'date_of_birth'] })
    expect(change([field], {}, { x: '1901-06-03' }).errors).toEqual({
      x: ['Field must be from 4 June 1901 on'],
    })
    expect(change([field], {}, { x: '1901-06-04' }).errors).toEqual({})
    expect(change([field], { x: '1901-06-03' }, { x: '1901-06-03' }).errors).toEqual({})
  })

  it('hold in a repeat for the cells that change', () => {
    const field: Field = {
      name: 'x',
      label: 'Rows',
      type: 'repeat',
      fields: [fieldOf('date'), { ...fieldOf('text', { max_length: 3 }), name: 'y', label: 'Text' }],
    }
    const stored = [
      { row: 'a', x: '0050-06-04', y: 'too long' },
      { row: 'b', x: '2026-06-04' },
    ]
    const moved = [
      { ...stored[1], x: '0026-06-04' },
      { ...stored[0], y: 'longer' },
    ]
    expect(change([field], { x: stored }, { x: moved }).errors).toEqual({
      'x.0.x': ['Field must be from 1 January 1900 on'],
      'x.1.y': ['Text must be 3 characters or fewer'],
    })
    const removed = [{ ...stored[0], x: '2026-01-01' }]
    expect(change([field], { x: stored }, { x: removed })).toMatchObject({ errors: {}, changed: ['x'] })
  })
})

describe('a telephone number', () => {
  it.each([
    '01632 960001 ext 5',
    '01632 960001 ext. 5',
    '01632 960001x5',
    '01632 960001 #5',
    '07700 900 123 (after 6pm)',
    '+44 (0)1632 960001, ask for Ann',
    '0800 1111',
  ])('may have an extension or words: %s', (text) => {
    expect(change([fieldOf('phone')], {}, { x: text }).errors).toEqual({})
  })

  it.each(['ring Ann', 'ext 5', '123 ext', `01632 960001 ${'x'.repeat(100)}`])(
    'has five digits first: %s',
    (text) => {
      expect(Object.keys(change([fieldOf('phone')], {}, { x: text }).errors)).toEqual(['x'])
    },
  )
})

describe('every spelling of a value', () => {
  it('is in tables of at least 60', () => {
    const tables = [
      ...SPELT_NAMES.map(({ terms }) => terms),
      ...SPELT_PHONES.map(([, all]) => all),
      ...SPELT_POSTCODES.map(([, all]) => all),
    ]
    expect(Math.min(...tables.map((all) => all.length))).toBeGreaterThanOrEqual(60)
  })

  it.each(SPELT_PHONES)('has one key: the telephone number %s', (stored, spellings) => {
    expect(new Set(spellings.map(phoneKey))).toEqual(new Set([phoneKey(stored)]))
  })

  it.each([
    ['44 1632 96000', '163296000'],
    ['44 1632 9600', '4416329600'],
  ])('has the country code only if it is long enough: the telephone number %s', (text, key) => {
    expect(phoneKey(text)).toBe(key)
  })

  it.each(SPELT_POSTCODES)('is stored the same: the postcode %s', (stored, spellings) => {
    expect(new Set(spellings.map((text) => normaliseValue(fieldOf('postcode'), text)))).toEqual(
      new Set([stored]),
    )
  })

  it.each(SPELT_NAMES)('has words of the key: $first $last', ({ first, last, terms }) => {
    const key = textKey(`${first} ${last}`).replaceAll(' ', '')
    for (const term of terms) {
      const missing = searchWords(term).filter((word) => !key.includes(word))
      expect(missing, JSON.stringify(term)).toEqual([])
    }
  })
})

describe('a choice', () => {
  it.each([
    ['Don’t know', "don't know"],
    ['16 – 17 years', '16-17 years'],
    ['“Other”', '"other"'],
    ['Not stated…', 'not stated...'],
    ['Non\u2011binary', 'non-binary'],
  ])('is the same in typographic marks and in plain ones: %s', (typographic, plain) => {
    expect(choiceKey(typographic)).toBe(choiceKey(plain))
  })

  it.each([
    ['Ward 1-2', 'Ward 12'],
    ['1–2', '12'],
  ])('is another one without its dash: %s', (one, other) => {
    expect(choiceKey(one)).not.toBe(choiceKey(other))
  })
})

describe('people sorted by name', () => {
  it('are in the order of the letters, whatever their case, accents and marks', () => {
    const people = ['Zebra', 'van der Berg', 'ap Rhys', 'Òg', "O'Brien", 'OBrian', 'Émile', 'Eve']
    const sorted = people.toSorted((a, b) => compareKeys(nameKey('Ann', a), nameKey('Ann', b)))
    expect(sorted).toEqual(['ap Rhys', 'Émile', 'Eve', 'OBrian', "O'Brien", 'Òg', 'van der Berg', 'Zebra'])
  })

  it('have the whole surname before the first name', () => {
    const people: [string, string][] = [
      ['Zoe', 'Berg'],
      ['Ann', 'Berg Ash'],
    ]
    expect(compareKeys(nameKey(...people[0]), nameKey(...people[1]))).toBeLessThan(0)
    expect(isSet(nameKey('', ''))).toBe(true)
  })
})
