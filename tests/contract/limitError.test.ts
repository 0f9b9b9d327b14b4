import { expect, it } from 'vitest'
import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import { fileError } from '../../src/contract/fileKinds.ts'
import type { FieldAttrs, FieldType } from '../../src/contract/generated.ts'
import { limitError, limitWarning } from '../../src/contract/limitError.ts'
import { field } from './metaBuilders.ts'

const TODAY = '2026-03-15'

it.each<[FieldType, FieldAttrs, unknown, unknown, string]>([
  ['money', { min: 5 }, '5.00', '4.99', 'must be 5 or more'],
  ['money', { max: 5 }, '5.00', '5.01', 'must be 5 or less'],
  ['date', {}, '1900-01-01', '1899-12-31', 'must be from 1 January 1900 on'],
])('%s with %j is refused just beyond its limit', (type, attrs, at, beyond, message) => {
  const schema = FIELD_TYPES[type].schema(field('one', type, attrs))
  expect([limitError(schema, at, TODAY), limitError(schema, beyond, TODAY)]).toEqual([undefined, message])
})

it.each<[FieldType, FieldAttrs, unknown, unknown, string]>([
  ['text', { max_length: 3 }, '😀😀😀', '😀😀😀😀', 'One is longer than 3 characters'],
  ['textarea', { max_words: 2 }, 'two words', 'now three words', 'One has 3 words of at most 2'],
  ['integer', { min: 5 }, 5, 4, 'One should be 5 or more'],
  ['integer', { max: 5 }, 5, 6, 'One should be 5 or less'],
])('%s with %j has a warning just beyond its limit', (type, attrs, at, beyond, message) => {
  const warning = (value: unknown) => limitWarning(field('one', type, attrs), value, TODAY)
  expect([warning(at), warning(beyond)]).toEqual([undefined, message])
})

it('a file may be as large as its field says', () => {
  const error = (size: number) => fileError(field('scan', 'file', { max_size: 1 }), { name: 'a.pdf', size })
  expect([error(1_000_000), error(1_000_001)]).toEqual([undefined, 'Scan must be 1 MB or smaller'])
})
