import { expect, test } from 'vitest'
import { describeAnswer } from '../../src/contract/describeAnswer.ts'
import { fileError } from '../../src/contract/fileKinds.ts'
import type { Field, FieldAttrs, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { formatValue } from '../../src/server/records/audit/formatValue.ts'

const signed: Field = { name: 'signed', label: 'Signed', type: 'signature' }
const messages = (fields: Field[]) => {
  const groups: Group[] = [{ name: 'g', label: 'G', fields }]
  return checkMeta({ case_meta: groups, issue_meta: [] }, { lookups: {} }).map(({ message }) => message)
}
const text = (attrs: FieldAttrs): Field => ({ name: 'why', label: 'Why', type: 'text', attrs })

test('a condition can ask whether a field is signed, and nothing more', () => {
  expect(messages([signed, text({ when: { signed: { set: true } } })])).toEqual([])
  expect(messages([signed, text({ when: { signed: 3 } })])).toEqual([
    "A condition on 'Signed' can only ask whether it has a value",
  ])
})

test('a signature stands in no text and in no public form', () => {
  expect(messages([signed, { ...text({}), label: 'Why {signed}' }])).toEqual([
    "The answer of 'Signed' cannot stand in a text; remove '{signed}'",
  ])
  expect(messages([{ ...signed, attrs: { referral: true } }])).toEqual([
    "The public referral form cannot ask 'Signed', which is a signature",
  ])
})

test('a signature is a drawn picture', () => {
  expect(fileError(signed, { name: 'signature.png', size: 5 })).toBeUndefined()
  expect(fileError(signed, { name: 'photo.jpg', size: 5 })).toBe('Signed must be drawn or typed here')
})

test('a signature is described in words, never by the number of its file', () => {
  expect(describeAnswer(signed, 77)).toBe('signed')
  expect(formatValue(77, signed, {})).toBe('signed')
})
