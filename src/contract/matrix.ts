import { offeredOptions } from './fieldTypes.ts'
import type { Field, Group, Option } from './generated.ts'

/** Whether the questions of a group are drawn as one table. */
export function isMatrix({ attrs }: Group): boolean {
  return attrs?.layout === 'matrix'
}

/** Whether two questions offer the same choices in the same order. What a choice weighs may differ: some count the other way round. */
export function offersSame(one: Field, other: Field): boolean {
  const words = (field: Field) =>
    JSON.stringify(offeredOptions(field).map(({ value, label }) => [value, label]))
  return words(one) === words(other)
}

/**
 * The columns of the table that these questions are, with retired choices that one of them is answered by; undefined
 * while they cannot be one, as between two steps of an administrator.
 */
export function matrixColumns(fields: Field[], answers: Record<string, unknown>): Option[] | undefined {
  const [first] = fields
  if (!first || !fields.every((field) => canBeRow(field) && offersSame(first, field))) return undefined
  const columns = offeredOptions(first)
  for (const { name, attrs } of fields) {
    const kept = attrs!.options!.find(({ value, active }) => active === false && value === answers[name])
    if (kept && !columns.some(({ value }) => value === kept.value)) columns.push(kept)
  }
  return columns
}

/** Whether a field is asked as one of several choices of its own. */
export function canBeRow({ type, attrs }: Field): boolean {
  return type === 'select' && attrs?.options !== undefined && !attrs.read_only && !attrs.calc
}
