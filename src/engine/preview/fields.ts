import type { Field, FieldAttrs, FieldType, Group } from '../../contract/types.ts'

const options = [
  { value: 'red', label: 'Red' },
  { value: 'green', label: 'Green' },
  { value: 'blue', label: 'Blue' },
]
const ATTRS: Partial<Record<FieldType, FieldAttrs>> = {
  text: { help: 'A hint stands under the label', max_length: 40 },
  select: { options },
  multiselect: { options },
}
const TYPES: FieldType[] = [
  'text',
  'textarea',
  'date',
  'datetime',
  'integer',
  'yesno',
  'select',
  'multiselect',
  'contact',
  'phone',
  'postcode',
  'duration',
  'file',
]

const field = (type: FieldType): Field => ({
  name: type,
  label: type.charAt(0).toUpperCase() + type.slice(1),
  type,
  attrs: { ...ATTRS[type], required: type !== 'contact' && type !== 'file' },
})

/** A group with a field of every type. */
export const group: Group = {
  name: 'all',
  label: '',
  fields: [
    ...TYPES.map(field),
    { name: 'repeat', label: 'Repeat', type: 'repeat', fields: [field('text'), field('date')] },
  ],
}

/** An answer to each field. */
export const answers = {
  text: 'Some text',
  textarea: 'Several\nlines',
  date: '2026-06-04',
  datetime: '2026-06-04T09:42:00Z',
  integer: 12,
  yesno: 'yes',
  select: 'green',
  multiselect: ['red', 'blue'],
  contact: { name: 'Ann Ash', phone: '020 7946 0000', email: 'ann@example.org' },
  phone: '020 7946 0000',
  postcode: 'SW1A 1AA',
  duration: 5400,
  repeat: [{ row: 'a', text: 'First', date: '2026-06-04' }],
}
