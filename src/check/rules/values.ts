import { verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { dayAfter } from '../../contract/relativeDay.ts'
import { valueProblem } from '../../contract/valueProblem.ts'
import type { Literal } from '../../contract/when.ts'
import type { Path, Report } from '../files/report.ts'
import { fieldProblem, propertyAt, type Shape } from './fields.ts'
import { valueIdProblem } from './idKinds.ts'
import { checkPlaceholders, type Filling } from './placeholders.ts'

/** Shape of the body of a call; undefined if only its handler knows it. */
export function bodyOfCall({ bodies, endpoints, entities }: Contract, call: string): Shape | undefined {
  const { body, writes } = endpoints[call]
  const verb = verbOf(endpoints[call])
  const entity = writes ?? (verb && ['create', 'update'].includes(verb.verb) ? verb.entity : undefined)
  if (body) return { name: body, fields: bodies[body]?.properties }
  return entity ? { name: entity, fields: entities[entity]?.properties } : undefined
}

/** Reports fixed values of a body that it does not take, that their field can never have, or that nothing fills. */
export function checkValues(
  contract: Contract,
  call: string | undefined,
  values: Record<string, unknown> = {},
  filling: Filling,
  at: Path,
  report: Report,
): void {
  const body = call === undefined || !contract.endpoints[call] ? undefined : bodyOfCall(contract, call)
  for (const [name, value] of Object.entries(values)) {
    const problem = body && fieldProblem(body, [name])
    if (problem) report([...at, name], problem)
    checkValue(contract, body, [name], value, filling, [...at, name], report)
  }
}

/** Checks a value or, in a list or object, each part of it. */
function checkValue(
  contract: Contract,
  body: Shape | undefined,
  keys: string[],
  value: unknown,
  filling: Filling,
  at: Path,
  report: Report,
): void {
  if (value !== null && typeof value === 'object') {
    for (const [key, part] of Object.entries(value)) {
      const index = Array.isArray(value)
      checkValue(
        contract,
        body,
        index ? keys : [...keys, key],
        part,
        filling,
        [...at, index ? Number(key) : key],
        report,
      )
    }
    return
  }
  if (typeof value === 'string') {
    checkPlaceholders(value, filling, at, report)
    const [, field] = value.match(/^\{(\w+)\}$/) ?? []
    const known = field && body && propertyAt(body, keys)
    const wrongId = known && valueIdProblem(contract, keys.at(-1)!, known, field, filling.records ?? [])
    if (wrongId) report(at, wrongId)
    if (value.includes('{') || dayAfter(value, SOME_DAY) !== undefined) return
  }
  const property = body && propertyAt(body, keys)
  if (property?.ref && typeof value === 'number')
    report(at, `${value} is the id of one ${property.ref}: write the field that has it, such as '{id}'`)
  const problem = property && valueProblem(keys.at(-1)!, property, value as Literal)
  if (problem) report(at, problem)
}

const SOME_DAY = '2026-01-01'
