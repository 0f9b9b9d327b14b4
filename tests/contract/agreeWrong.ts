import type { Field, FieldType } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import type { Random } from '../../src/server/ops/demo/random.ts'
import { choice, longest, type Make, right } from './agreeRight.ts'

/** Values of types that no field expects, or that trip careless code. */
const HOSTILE: unknown[] = [
  null,
  '',
  ' ',
  [],
  {},
  'NaN',
  '-Infinity',
  '1',
  '1e3',
  'null',
  0,
  -1,
  1.5,
  1e21,
  -2147483649,
  true,
  false,
  '__proto__',
  'constructor',
  '\ud800',
  [null],
  [[1], [1]],
  ['a', 'a'],
  [1.5, 1.5],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  { a: { b: [] } },
  JSON.parse('{"__proto__": {"name": 1}}'),
  { constructor: { prototype: 1 } },
]
const DATES = [
  '2026-02-30',
  '2025-02-29',
  '1900-02-29',
  '2024-02-29',
  '2000-02-29',
  '2026-04-31',
  '2999-12-31',
]
const NO_DATES = [
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-1-1',
  '26-01-01',
  '٢٠٢٦-٠١-٠١',
  '2026-01-01\n',
]
const SEPARATORS = ['T', 'T', 'T', 't', ' ', '\n', 'TT', '']
const TIMES = [
  '10:00:00',
  '10:00',
  '10:00:00.123',
  '23:59:60',
  '12:00:60',
  '24:00:00',
  '24:59:60',
  '1:00:00',
  '',
]
const ZONES = ['Z', 'Z', 'z', '', '+00:00', '+01:00', '-23:59', '+24:00', '+0100', '+01', ' Z', 'ZZ']
const WRONG_PHONES = [
  '',
  '1',
  '+',
  'call me',
  '٠١٢٣٤٥٦',
  '01234 567890 ext 5',
  '０１２３４５６',
  '1'.repeat(27),
]
const WRONG_POSTCODES = ['SW1A', 'sw1a  1aa', 'ŚW1A 1AA', '1AA SW1', 'SW1A 1AA ', 'SW1A\n1AA']
const WRONG_EMAILS = ['a', 'a@b', 'a@b.', 'a b@c.org', '😀@b.org', 'a@b.c@d.e', `${'a'.repeat(250)}@b.org`]
const MAX_CHOICES = 500

/** Keys that no form has. */
export const UNKNOWN = [
  'unknown',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'a.b',
  'a/b~c',
  '"quoted"',
  '0',
  'ключ',
  '😀',
]

/** Generators of boundary values by field type, most of them invalid. */
export const wrong: Partial<Record<FieldType, Make>> = {
  text: edgeText,
  textarea: edgeText,
  date: ({ attrs }, random) =>
    attrs?.rules && random.chance(0.8)
      ? random.pick(['2999-12-31', '1900-01-01'])
      : random.pick([...DATES, ...NO_DATES]),
  datetime: (_, random) =>
    random.pick(['2026-03-01', ...DATES]) + random.pick(SEPARATORS) + random.pick(TIMES) + random.pick(ZONES),
  integer: ({ attrs }, random) =>
    random.pick([
      (attrs?.min ?? -2147483648) - 1,
      (attrs?.max ?? 2147483647) + 1,
      (attrs?.min ?? 1) - 0.5,
      '1',
      -0,
    ]),
  yesno: (_, random) => random.pick(['YES', 'maybe', true, 1, '']),
  select: (field, random) =>
    random.pick(['no such choice', `${choice(field, random)}`, 0, 2147483648, 1.5, -3]),
  multiselect: wrongChoices,
  contact: wrongContact,
  uk_address: (field, random) => ({
    ...(random.chance(0.7) && (right.uk_address?.(field, random) as Values)),
    ...random.pick<Values>([
      { postcode: random.pick(WRONG_POSTCODES) },
      { town: ' ' },
      { line_1: 1 },
      { x: 1 },
    ]),
  }),
  phone: (_, random) => random.pick(WRONG_PHONES),
  postcode: (_, random) => random.pick(WRONG_POSTCODES),
  duration: (_, random) => random.pick([-1, 359941, '01:30', 0.5]),
  decimal: (_, random) => random.pick(['5.501', '-2.001', '1.00', 1, '-0.000', ' 1.000']),
  money: (_, random) => random.pick(['1', '01.00', '-0.00', '1234567890123456.00', '£1.00', '1.00\n']),
  scale: (_, random) => random.pick([-1, 11, '3', 2.5]),
  year: (_, random) => random.pick([999, 10000, '2026', 2026.5]),
  month: (_, random) => random.pick(['2026-00', '2026-13', '2026', '2026-1', 202601]),
  time: (_, random) => random.pick(['24:00', '9:30', '12:60', '12:30:00']),
  file: (_, random) => random.pick([0, -1, '1', 1.5, { id: 1 }]),
  signature: (_, random) => random.pick([0, -1, '1', 1.5, 'data:image/png;base64,']),
}

/** A random hostile value, whatever the field. */
export function hostile(random: Random): unknown {
  return random.pick(HOSTILE)
}

function edgeText(field: Field, random: Random): unknown {
  if (field.attrs?.rules && random.chance(0.9))
    return random.pick(['943 476 5918', '94347659190', 'a@b', 'a@b@c.org'])
  const most = longest(field)
  return random.pick([
    '😀'.repeat(most + 1),
    'é'.repeat(most + 1),
    ' '.repeat(most + 1),
    '\t\n',
    '943 476 5918',
    'a@b',
  ])
}

function wrongChoices(field: Field, random: Random): unknown {
  const one = choice(field, random)
  return random.pick<() => unknown>([
    () => [one, one],
    () => [one, 'no such choice', one],
    () => ['a', 'a', one],
    () => [hostile(random), one, hostile(random)],
    () => [[one], [one]],
    () => [`${one}`],
    () => one,
    () => Array.from({ length: MAX_CHOICES + 1 }, (_, i) => i + 1),
    () => Array(MAX_CHOICES + 1).fill(one),
  ])()
}

function wrongContact(field: Field, random: Random): Values {
  const parts: [string, unknown][] = [
    ['name', '😀'.repeat(201)],
    ['phone', random.pick(WRONG_PHONES)],
    ['email', random.pick(WRONG_EMAILS)],
    ['role', hostile(random)],
    [random.pick(UNKNOWN), 1],
  ]
  const whole = right.contact?.(field, random) as Values
  return Object.fromEntries([...Object.entries(whole), ...random.some(parts, 3)])
}
