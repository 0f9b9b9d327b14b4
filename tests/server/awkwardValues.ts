import type { Field, FieldType } from '../../src/contract/generated.ts'

/** A value as people, their keyboards and other programs write it, and how it is stored. */
export interface AwkwardValue {
  type: FieldType
  rules?: string[]
  sent: unknown
  stored: unknown
}

const of = (type: FieldType, sent: unknown, stored: unknown, rules?: string[]): AwkwardValue => ({
  type,
  sent,
  stored,
  ...(rules && { rules }),
})

/** Values that every path stores in the same form. */
export const STORED: AwkwardValue[] = [
  of('text', 'Zoe\u0308 Ku\u0308hn', 'Zoë Kühn'),
  of('text', 'Ad\u200Bam\uFEFF', 'Adam'),
  of('text', '\u202EmadA\u2069', 'madA'),
  of('text', 'be\u0007ll\u0085 ', 'bell'),
  of('text', '\u00A0 padded \u2009 out\t', 'padded out'),
  of('text', 'D’Arcy – “Dee”', 'D’Arcy – “Dee”'),
  of('text', ' ann@example.org\u200B', 'ann@example.org', ['email']),
  of('text', ' 943\u00A0476 5919 ', '943 476 5919', ['nhs_number']),
  of('text', '9434765919', '943 476 5919', ['nhs_number']),
  of('text', '943–476–5919', '943 476 5919', ['nhs_number']),
  of('text', 'ab123456c', 'AB 12 34 56 C', ['national_insurance']),
  of('text', 'ab12\u00A0cde', 'AB12 CDE', ['uk_vehicle']),
  of('textarea', '\u200B one\r\ntwo\u2028\tthree\u0007 \n', 'one\ntwo\n\tthree'),
  of('textarea', 'e\u0301\u202E', 'é'),
  of('phone', '+44\u00A0(0)1632 960001 ext 5', '+44 (0)1632 960001 ext 5'),
  of('phone', '01632–960001', '01632-960001'),
  of('phone', '07700 900 123 (after\u200B 6pm)', '07700 900 123 (after 6pm)'),
  of('postcode', 'CB74AE', 'CB7 4AE'),
  of('postcode', ' cb7\u00A04ae\u200B', 'CB7 4AE'),
  of('date', ' 2026-06-04\u200B', '2026-06-04'),
  of('datetime', '2026-06-04T10:42:00+01:00', '2026-06-04T09:42:00.000Z'),
  of('month', ' 2026-06\u00A0', '2026-06'),
  of('time', '9.30 pm', '21:30'),
  of('money', '£1,234.5', '1234.50'),
  of('decimal', ' 12.5\u200B', '12.50'),
  of('contact', { name: ' Zoe\u0308 ', phone: '01632–960001' }, { name: 'Zoë', phone: '01632-960001' }),
  of('yesno', 'yes', 'yes'),
  of('select', 'red', 'red'),
  of('multiselect', ['red', 'blue'], ['red', 'blue']),
  of('integer', 12, 12),
  of('scale', 7, 7),
  of('year', 2026, 2026),
  of('duration', 5400, 5400),
]

/** Values that no path stores. */
export const REFUSED: Omit<AwkwardValue, 'stored'>[] = [
  { type: 'date', sent: '4/6/50' },
  { type: 'date', sent: '0050-06-04' },
  { type: 'date', sent: '1899-12-31' },
  { type: 'date', sent: '2400-01-01' },
  { type: 'date', sent: '2026-02-30' },
  { type: 'date', rules: ['date_of_birth'], sent: '1900-01-01' },
  { type: 'datetime', sent: '0050-06-04T10:00:00Z' },
  { type: 'month', sent: '1850-01' },
  { type: 'text', rules: ['nhs_number'], sent: '943 476 5918' },
  { type: 'phone', sent: 'ring Ann' },
  { type: 'postcode', sent: 'no fixed abode' },
  { type: 'time', sent: '25:00' },
  { type: 'money', sent: 'about 12' },
]

const OPTIONS = [
  { value: 'red', label: 'Red' },
  { value: 'blue', label: 'Blue' },
]

/** A field for the value of each line of a table, named by its place in it. */
export function fieldsFor(values: Omit<AwkwardValue, 'stored'>[], prefix: string, attrs = {}): Field[] {
  return values.map(({ type, rules }, i) => ({
    name: `${prefix}${i}`,
    label: `${prefix.toUpperCase()}${i} ${type}`,
    type,
    attrs: {
      ...attrs,
      ...(rules && { rules }),
      ...(['select', 'multiselect'].includes(type) && { options: OPTIONS }),
    },
  }))
}
