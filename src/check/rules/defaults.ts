import { parametersOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { isRealDay } from '../../contract/days.ts'
import type { Property } from '../../contract/generated.ts'
import { relativeDay } from '../../contract/relativeDay.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Path, Report } from '../files/report.ts'
import { parameterProblem } from './parameters.ts'

/** Reports values of filters that the call does not have, or that are invalid for their parameter. */
export function checkFilters(
  contract: Contract,
  call: string | undefined,
  values: Record<string, string> = {},
  at: Path,
  report: Report,
): void {
  if (call === undefined || !contract.endpoints[call]) return
  const parameters = parametersOf(contract, contract.endpoints[call])
  for (const [name, text] of Object.entries(values)) {
    const problem = Object.hasOwn(parameters, name)
      ? parameterProblem(contract, name, parameters[name], text)
      : `no filter '${name}' in ${call}${suggest(name, Object.keys(parameters))}`
    if (problem) report([...at, name], problem)
  }
  const [start, end] = [values.start, values.end].map((text) => text && relativeDay(text, SOME_DAY))
  if (start && end && start > end)
    report([...at, 'start'], `'${values.start}' is after the end, '${values.end}'`)
}

const SOME_DAY = '2026-01-31'

export function checkFieldDefault(property: Property, path: Path, report: Report): void {
  const { format, options, type } = property
  const value: unknown = property.default
  if (value === undefined) return
  const types = [type].flat()
  const problem =
    value === 'today'
      ? format || options?.some((one) => one.value === value)
        ? undefined
        : "'today' is for a field of the format date or date-time"
      : format && !(typeof value === 'string' && isRealDay(value.slice(0, 10)))
        ? `'${value}' must be a date like 2026-01-31, or 'today'`
        : options && !types.includes('array') && !options.some((one) => one.value === value)
          ? `'${value}' is not one of the field's options`
          : isOfType(value, types)
            ? undefined
            : `the default must be of the type ${types.join(' or ')}`
  if (problem) report([...path, 'default'], problem)
}

function isOfType(value: unknown, types: (string | undefined)[]): boolean {
  const own =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : Number.isInteger(value)
          ? 'integer'
          : typeof value
  return types.some((type) => type === undefined || type === own || (type === 'number' && own === 'integer'))
}
