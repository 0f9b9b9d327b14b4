import { dayAfter } from '../../contract/relativeDay.ts'
import type { Values } from '../../contract/when.ts'
import { fillTemplate } from '../core/fillTemplate.ts'
import { today } from '../core/today.ts'

/** The body of an action's call: fixed values, overridden by answers. '{field}' keeps its type; '+7d' is a day. */
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
  if (Array.isArray(value)) return value.map((one) => fillValue(one, record))
  if (typeof value !== 'string') return value
  const [, field] = value.match(/^\{(\w+)\}$/) ?? []
  return field ? (record[field] ?? null) : (dayAfter(value, today()) ?? fillTemplate(value, record))
}
