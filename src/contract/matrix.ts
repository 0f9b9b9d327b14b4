import { offeredOptions, takesOneChoice } from './fieldTypes.ts'
import type { Field, Group, Option } from './generated.ts'

/** True if the fields of a group are rendered as one table. */
export function isMatrix({ attrs }: Group): boolean {
  return attrs?.layout === 'matrix'
}

/**
 * True if two fields offer the same choices in the same order. Weights may differ, because some questions are
 * reverse-scored.
 */
export function offersSame(one: Field, other: Field): boolean {
  const words = (field: Field) =>
    JSON.stringify(offeredOptions(field).map(({ value, label }) => [value, label]))
  return words(one) === words(other)
}

/**
 * The columns of the table of these fields, including retired choices that are answered; undefined if they cannot be
 * one table, as may happen while an administrator edits them.
 */
export function matrixColumns(fields: Field[], answers: Record<string, unknown>): Option[] | undefined {
  const [first] = fields
  if (!first || !fields.every((field) => canBeRow(field) && offersSame(first, field))) return undefined
  const columns = offeredOptions(first)
  for (const { name, attrs } of fields) {
    const retired = attrs!.options!.find(({ value, active }) => active === false && value === answers[name])
    if (retired && !columns.some(({ value }) => value === retired.value)) columns.push(retired)
  }
  return columns
}

/** True if a field can be a row of the table: one choice of its own options. */
export function canBeRow(field: Field): boolean {
  const { attrs } = field
  return takesOneChoice(field) && attrs?.options !== undefined && !attrs.read_only && !attrs.calc
}
