import { RULE_TYPES } from '../contract/meta/checkLimits.ts'
import type { FieldAttrs, FieldType } from '../contract/types.ts'

interface Told {
  title: string
  about: string
  /** Attributes that mean something for this type only. */
  attrs: (keyof FieldAttrs)[]
}

const CHOICES: (keyof FieldAttrs)[] = ['options', 'lookup', 'lookup_params', 'default']

/** The field types as an administrator chooses them, in this order. */
export const FIELD_TYPES: Record<FieldType, Told> = {
  text: { title: 'Text', about: 'One line', attrs: ['max_length', 'rules', 'default'] },
  textarea: { title: 'Long text', about: 'Several lines', attrs: ['max_length', 'default'] },
  yesno: { title: 'Yes or no', about: 'Yes, no or not known', attrs: ['default'] },
  select: { title: 'One choice', about: 'One of several choices', attrs: CHOICES },
  multiselect: { title: 'Several choices', about: 'Any of several choices', attrs: CHOICES },
  date: { title: 'Date', about: 'A day', attrs: ['rules', 'default'] },
  datetime: { title: 'Date and time', about: 'A day and an hour', attrs: ['rules'] },
  integer: { title: 'Number', about: 'A whole number', attrs: ['min', 'max', 'default'] },
  duration: { title: 'Time taken', about: 'Hours and minutes', attrs: [] },
  phone: { title: 'Telephone', about: 'One number', attrs: [] },
  postcode: { title: 'Postcode', about: 'A UK postcode', attrs: [] },
  contact: { title: 'Contact', about: 'Name, role, telephone, email', attrs: [] },
  file: { title: 'File', about: 'One document or picture', attrs: [] },
  repeat: {
    title: 'Repeating rows',
    about: 'A row of fields for each person or event',
    attrs: ['min', 'max'],
  },
}

const OF_SOME_TYPES = new Set(Object.values(FIELD_TYPES).flatMap((t) => t.attrs))

/** Of a field's attributes those that mean something for a type; a default and rules of another type do not. */
export function keptAttrs(attrs: FieldAttrs = {}, type: FieldType): FieldAttrs {
  const kept = Object.entries(attrs).filter(([key]) => {
    const attr = key as keyof FieldAttrs
    return attr !== 'default' && (!OF_SOME_TYPES.has(attr) || FIELD_TYPES[type].attrs.includes(attr))
  })
  const { rules = [], ...others }: FieldAttrs = Object.fromEntries(kept)
  const left = rules.filter((rule) => RULE_TYPES[rule.split(':')[0]]?.includes(type))
  return { ...others, ...(left.length > 0 && { rules: left }) }
}
