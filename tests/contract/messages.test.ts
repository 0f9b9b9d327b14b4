import { describe, expect, it } from 'vitest'
import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import type { Field } from '../../src/contract/generated.ts'
import { messageFor } from '../../src/contract/messages.ts'
import { toSchema } from '../../src/contract/schema.ts'

/** What is said of a field that must be answered and is not. */
function unanswered(label: string, type: Field['type'] = 'text', attrs: Field['attrs'] = {}): string {
  const field = { name: 'field', label, type, attrs: { ...attrs, required: true } }
  const { properties } = toSchema([{ name: 'group', label: 'Group', fields: [field] }], {})
  return messageFor({ path: 'field', keyword: 'required' }, properties!.field)
}

it.each([
  [1, 'Choose days'],
  [2, 'Days must have at least 2'],
])('fewer than %i choices are refused', (min, text) => {
  const field: Field = { name: 'days', label: 'Days', type: 'multiselect', attrs: { options: [] } }
  const { properties } = toSchema([{ name: 'group', label: 'Group', fields: [field] }], {})
  expect(messageFor({ path: 'days', keyword: 'minItems', limit: min }, properties!.days)).toBe(text)
})

describe('a field that must be answered and is not', () => {
  it.each([
    ['Last name', 'text', 'Enter last name'],
    ['NHS number', 'text', 'Enter NHS number'],
    ['Type of abuse', 'multiselect', 'Choose type of abuse'],
    ['The person is', 'select', 'Answer “The person is”'],
    ['Does the person object', 'select', 'Answer “Does the person object”'],
    ['Lacks capacity for this decision', 'yesno', 'Answer “Lacks capacity for this decision”'],
    ['Why urgent', 'textarea', 'Answer “Why urgent”'],
    ['Is anybody else involved?', 'yesno', 'Answer “Is anybody else involved?”'],
    ['Done on', 'date', 'Answer “Done on”'],
    ['From', 'date', 'Answer “From”'],
    ['Fromage', 'text', 'Enter fromage'],
  ] as const)('%s: %s', (label, type, text) => {
    expect(unanswered(label, type)).toBe(text)
  })

  const asked = (Object.keys(FIELD_TYPES) as Field['type'][]).filter((type) => type !== 'note')

  it.each(asked)('has a text of its own: %s', (type) => {
    const attrs = { required_text: 'Say how we can reach you', options: [{ value: 'a', label: 'A' }] }
    expect(unanswered('Reach', type, attrs)).toBe('Say how we can reach you')
  })
})
