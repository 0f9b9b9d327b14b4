import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { Field } from '../../src/contract/generated.ts'
import { validateField } from '../../src/contract/validateField.ts'
import type { Values } from '../../src/contract/when.ts'
import { ajvValidate as validateSchema } from '../../src/server/core/ajvValidate.ts'

const yesno: Field = { name: 'urgent', label: 'Urgent', type: 'yesno' }

it('validates each set of answers by what they make required, one after the other', () => {
  const fields: Field[] = [
    { ...yesno, attrs: { required: true } },
    { name: 'why', label: 'Why', type: 'text', attrs: { required_when: { urgent: 'yes' } } },
    { name: 'area', label: 'Area', type: 'text', attrs: { required: true } },
  ]
  const groups = [{ name: 'g', label: 'G', fields }]
  const missing = (sent: Values) =>
    applyChanges({
      groups,
      stored: {},
      sent,
      conditionContext: {},
      validateSchema,
      today: '2026-06-04',
      all: true,
    }).invalid
  expect(missing({ urgent: 'no' })).toEqual(['area'])
  expect(missing({ urgent: 'yes' })).toEqual(['why', 'area'])
  expect(missing({})).toEqual(['urgent', 'area'])
})

describe('the message of a date that must not be before another', () => {
  const begin: Field = { name: 'begin', label: 'First day', type: 'date' }
  const end: Field = { name: 'end', label: 'End', type: 'date', attrs: { rules: ['after:begin'] } }
  const values = { begin: '2026-06-02', end: '2026-06-01' }
  const options = { conditionContext: {}, validateSchema, today: '2026-06-04' }
  const message = ['End must not be before first day']
  const errorsOf = (fields: Field[], sent: Values, onlyFields?: Set<string>) =>
    applyChanges({
      ...options,
      groups: [{ name: 'g', label: 'G', fields }],
      stored: {},
      sent,
      all: true,
      ...(onlyFields && { onlyFields }),
    }).errors

  it('has its label, also where that is not validated, and in a row', () => {
    expect(errorsOf([begin, end], values)).toEqual({ end: message })
    expect(errorsOf([begin, end], values, new Set(['end']))).toEqual({ end: message })
    expect(validateField(end, values, { ...options, siblings: [begin, end] })).toEqual({ end: message })
    const stays: Field = { name: 'stays', label: 'Stays', type: 'repeat', fields: [begin, end] }
    expect(errorsOf([stays], { stays: [values] })).toEqual({ 'stays.0.end': message })
  })
})
