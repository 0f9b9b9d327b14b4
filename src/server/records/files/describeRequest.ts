import { parametersOf } from '../../../contract/call.ts'
import type { Field, Parameter } from '../../../contract/generated.ts'
import { NONE, NOT_SAID } from '../../../contract/listFilters.ts'
import type { Call } from '../../core/call.ts'
import type { Period } from '../../core/today.ts'
import { formatMoment, formatValue } from '../audit/formatValue.ts'
import { lookupLabels } from '../audit/lookupLabels.ts'

/** Describes the request of a list in words: its period, the record it belongs to and its filters. */
export async function describeRequest(call: Call, period: Period | undefined): Promise<string> {
  const { contract, endpoint, query, params } = call
  const filters = Object.entries(parametersOf(contract, endpoint))
    .filter(([name, { match, title, options }]) => (match || (title && options)) && query[name] !== undefined)
    .map(([name, parameter]): [Field, unknown] => [fieldOf(name, parameter), sentOf(parameter, query[name])])
  const labels = await lookupLabels(call, filters)
  const day = (value: string) => formatValue(value, { name: 'day', label: 'Day', type: 'date' }, labels)
  const parts = [
    ...(period ? [`Period: ${day(period.start)} to ${day(period.end)}`] : []),
    ...(params.id !== undefined ? [`ID: ${params.id}`] : []),
    ...filters.map(([field, value]) => `${field.label}: ${formatValue(value, field, labels)}`),
  ]
  if (parts.length === 0) parts.push('No filters')
  return [
    ...parts,
    ...(call.standby ? [`As at ${formatMoment(call.standby.asAt, call.settings.TIME_ZONE)}`] : []),
  ].join('; ')
}

/** The parts of a file name for the period of a report, or of a list's filters. */
export function periodInName({ query }: Call, period: Partial<Period> = {}): string[] {
  const { start = query.start, end = query.end } = period
  if (start && end) return [`${start}-to-${end}`]
  if (start) return [`from-${start}`]
  return end ? [`until-${end}`] : []
}

function sentOf({ several, match }: Parameter, value: unknown): unknown {
  const labelled = (one: unknown) => (match === 'is' && one === NONE ? NOT_SAID : one)
  if (Array.isArray(value)) return value.map(labelled)
  return several ? String(value).split(',') : labelled(value)
}

function fieldOf(name: string, { title = name, type, lookup, options }: Parameter): Field {
  const choices = options?.map(({ value, label }) => ({ value: value as string | number, label }))
  return {
    name,
    label: title,
    type: type === 'date' ? 'date' : 'select',
    attrs: { ...(lookup && { lookup }), ...(choices && { options: choices }) },
  }
}
