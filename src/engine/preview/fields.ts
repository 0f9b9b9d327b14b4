import { FIELD_TYPES, holdsRows } from '../../contract/fieldTypes.ts'
import type { Field, FieldAttrs, FieldType, Group } from '../../contract/generated.ts'

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
const TYPES = (Object.keys(FIELD_TYPES) as FieldType[]).filter((type) => !holdsRows({ type }))

const field = (type: FieldType): Field => ({
  name: type,
  label: type.charAt(0).toUpperCase() + type.slice(1),
  type,
  attrs: { ...ATTRS[type], required: FIELD_TYPES[type].example !== undefined && !FIELD_TYPES[type].parts },
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

export const answers = {
  ...Object.fromEntries(TYPES.map((type) => [type, FIELD_TYPES[type].example])),
  repeat: [{ row: 'a', text: 'First', date: '2026-06-04' }],
}
