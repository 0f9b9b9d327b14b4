import type { Values } from '../../contract/when.ts'
import { fillText } from '../fillText.ts'

/** The body of an action's call: what was asked, on top of its fixed values; a lone '{field}' keeps the field's type. */
export function bodyOf(
  fixed: Values | undefined,
  record: Values = {},
  answers: Values | undefined = undefined,
): Values | undefined {
  if (!fixed && !answers) return undefined
  const filled = Object.entries(fixed ?? {}).map(([key, value]) => [key, fillValue(value, record)])
  return { ...Object.fromEntries(filled), ...answers }
}

function fillValue(value: unknown, record: Values): unknown {
  if (typeof value !== 'string') return value
  const [, alone] = value.match(/^\{(\w+)\}$/) ?? []
  return alone ? (record[alone] ?? null) : fillText(value, record)
}
