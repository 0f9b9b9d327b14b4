import { isRealDay } from '../days.ts'
import { FIELD_TYPES, isChoice, takesSeveralChoices } from '../fieldTypes.ts'
import type { Field } from '../generated.ts'
import type { FieldSchema } from '../typeFacts.ts'

/**
 * True if a field can store a value. Of a field of the same type only the choices matter: as after any other publication
 * a stored value stays where the limits of its field no longer allow it.
 */
export function fitsField(field: Field, value: unknown, isSameType: boolean): boolean {
  if (isSameType && !(isChoice(field) && field.attrs?.options)) return true
  const schema = FIELD_TYPES[field.type].schema(field)
  if (!takesSeveralChoices(field)) return fits(schema, value)
  return Array.isArray(value) && value.every((one) => fits(schema.items as FieldSchema, one))
}

/** Validates a single value by the keywords that schemas of texts, numbers, days and choices have. */
function fits(schema: FieldSchema, value: unknown): boolean {
  const { type, enum: choices, pattern, format, maxLength, minimum, maximum, least, most } = schema
  if (choices) return choices.includes(value)
  if (type === 'integer') {
    const isWithin = (limit: unknown, sign: 1 | -1) =>
      limit === undefined || sign * (Number(value) - Number(limit)) >= 0
    return Number.isInteger(value) && isWithin(minimum, 1) && isWithin(maximum, -1)
  }
  if (type !== 'string' || typeof value !== 'string') return false
  if (typeof maxLength === 'number' && [...value].length > maxLength) return false
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) return false
  if (least !== undefined && Number(value) < least) return false
  if (most !== undefined && Number(value) > most) return false
  if (format === 'date') return isRealDay(value)
  return format === undefined
}
