import { FIELD_TYPES } from './fieldTypes.ts'
import type { Column, Property } from './generated.ts'
import type { CELLS } from './generatedNames.ts'

export type CellName = (typeof CELLS)[number]

const BY_TYPE: Record<string, CellName> = { integer: 'number', number: 'number', boolean: 'yesno' }

export function defaultCell(
  { diedOn, fieldType, format, lookup, options, type }: Property,
  { field, link }: Column,
): CellName {
  if (lookup || options) return 'lookup'
  if (format === 'date' && diedOn) return 'age'
  if (format) return format === 'date' ? 'date' : 'datetime'
  if (fieldType) return FIELD_TYPES[fieldType].cell
  // Ids are identifiers, not quantities, so they are not formatted as numbers.
  if (field === 'id' || link) return 'text'
  const [first] = [type].flat()
  return BY_TYPE[first ?? ''] ?? 'text'
}
