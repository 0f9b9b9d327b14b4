import type { Values } from '../../contract/when.ts'
import { fillTemplate } from '../runtime/fillTemplate.ts'

/** The body of an action's call: what was asked, on top of its fixed values; a lone '{field}' keeps the field's type. */
export function bodyOf(
  fixedValues: Values | undefined,
  record: Values = {},
  answers: Values | undefined = undefined,
): Values | undefined {
  if (!fixedValues && !answers) return undefined
  const filled = Object.entries(fixedValues ?? {}).map(([key, value]) => [key, fillValue(value, record)])
  return { ...Object.fromEntries(filled), ...answers }
}

function fillValue(value: unknown, record: Values): unknown {
  if (typeof value !== 'string') return value
  const [, field] = value.match(/^\{(\w+)\}$/) ?? []
  return field ? (record[field] ?? null) : fillTemplate(value, record)
}
