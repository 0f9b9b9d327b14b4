import type { Field, FieldType } from '../../src/contract/generated.ts'
import type { Random } from '../../src/server/ops/demo/random.ts'

/** Generates a value for a field. */
export type Make = (field: Field, random: Random) => unknown

const TEXTS = [
  'Anna',
  'Žofie Ünïcødé',
  'Ελένη',
  'Владимир',
  '日本語',
  'مرحبا',
  '👩‍👩‍👧',
  'e\u0301',
  '𝒜𝓃𝓃𝒶',
  'NaN',
  '1',
  'a\nb',
  '%2e <b>',
]

/** Generators of valid values by field type, limits and rules included. */
export const right: Partial<Record<FieldType, Make>> = {
  text,
  textarea: text,
  date: ({ attrs }, random) =>
    attrs?.rules?.some((rule) => rule.startsWith('after:'))
      ? random.pick(['2026-01-31', '2026-02-28'])
      : random.pick(['2024-02-29', '2025-12-31', '1931-07-04']),
  datetime: (_, random) =>
    random.pick(['2026-03-01T09:30:00Z', '2016-12-31T23:59:60Z', '2026-07-01t12:00:00.5+01:00']),
  integer: ({ attrs }, random) => random.between(attrs?.min ?? -2, attrs?.max ?? 2147483647),
  yesno: (_, random) => random.pick(['yes', 'no', 'not_known']),
  select: choice,
  multiselect: (field, random) => [
    ...new Set(Array.from({ length: random.between(1, 4) }, () => choice(field, random))),
  ],
  contact: (_, random) => ({ name: random.pick(TEXTS), phone: '+44 20 7946 0000', email: 'a@example.org' }),
  uk_address: (_, random) => ({ line_1: random.pick(TEXTS), town: 'Leeds', postcode: 'ls1 1aa' }),
  phone: (_, random) => random.pick(['020 7946 0000', '+44(0)20-7946.0000']),
  postcode: (_, random) => random.pick(['SW1A 1AA', 'm11ae']),
  duration: (_, random) => random.between(0, 359940),
  decimal: (_, random) => random.pick(['0.000', '-2.000', '5.500']),
  money: (_, random) => random.pick(['0.00', '-12.50', '123456789012345.67']),
  scale: ({ attrs }, random) => random.between(attrs?.min ?? 0, attrs?.max ?? 10),
  year: (_, random) => random.between(1000, 9999),
  month: (_, random) => random.pick(['2026-01', '1999-12']),
  time: (_, random) => random.pick(['00:00', '23:59']),
  file: (_, random) => random.between(1, 1000),
  signature: (_, random) => random.between(1, 1000),
}

/** Maximum number of characters of a text field. */
export function longest({ attrs, type }: Field): number {
  return attrs?.max_length ?? (type === 'text' ? 500 : 20000)
}

/** A random choice of a field; for a lookup, any number as an item id. */
export function choice({ attrs }: Field, random: Random): unknown {
  return attrs?.options ? random.pick(attrs.options).value : random.between(1, 50)
}

function text(field: Field, random: Random): string {
  if (field.attrs?.rules?.includes('nhs_number')) return '943 476 5919'
  if (field.attrs?.rules?.includes('email')) return 'anna@example.org'
  if (field.attrs?.pattern) return field.attrs.pattern.example
  const most = longest(field)
  // A limit counts code points, not UTF-16 code units: an emoji counts as one.
  return random.chance(0.1) ? '😀'.repeat(most) : [...random.pick(TEXTS)].slice(0, most).join('')
}
