import { parametersOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Entity, Property } from '../../contract/generated.ts'
import { lookupParameters } from '../../contract/lookupCall.ts'
import { isRuleName, RULE_NAMES } from '../../contract/rules.ts'
import { suggest } from '../../contract/suggest.ts'
import { valueProblem } from '../../contract/valueProblem.ts'
import { isRoot } from '../../contract/when.ts'
import type { Path, Report } from '../files/report.ts'
import { addressProblem } from './addresses.ts'
import { checkCall } from './calls.ts'
import { checkFieldDefault } from './defaults.ts'
import { checkEntityAutomations } from './entityAutomations.ts'
import {
  checkAmount,
  checkField,
  fieldProblem,
  propertyAt,
  type Shape,
  shapeOfCall,
  shapeOfEntity,
  userShape,
} from './fields.ts'
import { checkLimits, checkOptions } from './limits.ts'
import { parameterProblem } from './parameters.ts'
import { ANYTHING, checkWhen, FILE_ROOTS, pathProblem, type Reach } from './paths.ts'
import { checkPlaceholders } from './placeholders.ts'
import { checkRegister } from './register.ts'
import { setRuleErrors } from './setRules.ts'

const OPERATIONS = ['count', 'sum', 'distinct', 'average'] as const
/** Parameters of figures and of their rows besides the dimensions. */
const RESERVED = [
  'by',
  'and',
  'measures',
  'start',
  'end',
  'p',
  'page',
  'page_size',
  'format',
  'columns',
  'ids',
  'order_by',
  'sort_order',
  'sort',
  'size',
  'view',
]
const ROW_FIELDS = ['id', 'label', 'and_label', 'by_value', 'and_value']

/** Names under `with` that lookups of an entity may refer to, on any screen with its form. */
const NAMED = ['case', 'client']

export function checkEntity(contract: Contract, name: string, report: Report): void {
  const entity = contract.entities[name]
  for (const { path, message } of setRuleErrors(contract, name)) report(path, message)
  const { $id, chosen, page, named, order, required = [] } = entity
  const own = shapeOfEntity(contract, name)
  if ($id !== name) report(['$id'], `'${$id}' must be the file's name, '${name}'`)
  for (const [i, field] of required.entries()) checkField(own, field, ['required', i], report)
  const problem = page && addressProblem(contract, page)
  if (problem) report(['page'], problem)
  // The address may also name values of the row that links to it, such as the id of its case.
  const ofRows = ['id', ...Object.keys(contract.entities)]
  checkPlaceholders(page, { params: ofRows, records: [own] }, ['page'], report)
  checkPlaceholders(named, { records: [own] }, ['named'], report)
  if (order) checkField(own, order.replace(/^-/, ''), ['order'], report)
  checkProperties(contract, own, ['properties'], report, { record: own })
  checkFacts(contract, own, report)
  checkEntityAutomations(entity, report)
  checkRegister(contract, entity, report)
  if (!chosen) return
  const row = shapeOfCall(contract, chosen.from[0])
  const offered = { name: `what ${chosen.from[0]} lists`, fields: row?.fields }
  for (const [i, call] of chosen.from.entries())
    checkCall(contract, call, { kind: 'list', isPaged: true }, ['chosen', 'from', i], report)
  checkChosenParams(contract, chosen, report)
  for (const [i, field] of (chosen.about ?? []).entries())
    checkField(offered, field, ['chosen', 'about', i], report)
  if (chosen.warning) checkField(offered, chosen.warning, ['chosen', 'warning'], report)
  checkPlaceholders(chosen.label, { records: [row] }, ['chosen', 'label'], report)
}

/** Reports parameters of the calls that list an entity's records which none of them has, and their wrong values. */
function checkChosenParams(
  contract: Contract,
  { from, params = {} }: NonNullable<Entity['chosen']>,
  report: Report,
): void {
  const known = Object.assign({}, ...from.map((call) => parametersOf(contract, contract.endpoints[call])))
  for (const [name, value] of Object.entries(params)) {
    const problem = Object.hasOwn(known, name)
      ? parameterProblem(contract, name, known[name], String(value))
      : `no call in 'from' has a parameter '${name}'${suggest(name, Object.keys(known))}`
    if (problem) report(['chosen', 'params', name], problem)
  }
}

/**
 * Checks the facts of an entity: each measure has one operation, and counts some rows only by dimensions, so that its
 * number can lead to a list of just these rows.
 */
function checkFacts(contract: Contract, own: Shape, report: Report): void {
  const { facts } = contract.entities[own.name]
  if (!facts) return
  const { day, dimensions, measures } = facts
  checkField(own, day, ['facts', 'day'], report)
  const dated = propertyAt(own, [day])
  if (dated?.type && !dated.format) report(['facts', 'day'], `'${day}' is not a date`)
  for (const name of Object.keys(dimensions)) {
    checkField(own, name, ['facts', 'dimensions', name], report)
    if (RESERVED.includes(name))
      report(['facts', 'dimensions', name], `'${name}' is a parameter of every report`)
  }
  for (const [name, measure] of Object.entries(measures)) {
    const at = ['facts', 'measures', name]
    const operations = OPERATIONS.filter((operation) => measure[operation] !== undefined)
    if (operations.length !== 1) report(at, `a measure needs exactly one of ${OPERATIONS.join(', ')}`)
    if (ROW_FIELDS.includes(name)) report(at, `'${name}' is a field of every report's rows`)
    if (measure.distinct) checkField(own, measure.distinct, [...at, 'distinct'], report)
    for (const operation of ['sum', 'average'] as const)
      if (measure[operation] && operations.length === 1)
        checkAmount(own, measure[operation], [...at, operation], report)
    for (const [dimension, value] of Object.entries(measure.where ?? {})) {
      const property = propertyAt(own, [dimension])
      const problem = Object.hasOwn(dimensions, dimension)
        ? property && valueProblem(dimension, property, value)
        : `no dimension '${dimension}'${suggest(dimension, Object.keys(dimensions))}`
      if (problem) report([...at, 'where', dimension], problem)
    }
  }
}

/**
 * Reports unknown names in the properties of an entity or body. `record` is the stored record of a change; that of a
 * body depends on the screen.
 */
export function checkProperties(
  contract: Contract,
  shape: Shape,
  at: Path,
  report: Report,
  { above, record = ANYTHING }: { above?: Shape; record?: Shape } = {},
): void {
  // A row of a repeat can refer to the record around it.
  const answers = { ...shape, fields: { ...above?.fields, ...shape.fields } }
  const user = userShape(contract)
  const reach = { answers, record, form: ANYTHING, user }
  for (const [name, property] of Object.entries(shape.fields ?? {})) {
    const path = [...at, name]
    checkLookup(contract, property, reach, path, report)
    checkFieldDefault(property, path, report)
    checkLimits(property, path, report)
    checkOptions(name, property, path, report)
    if (property.total) checkAmount(shape, name, [...path, 'total'], report)
    checkWhen(property.when, reach, [...path, 'when'], report)
    for (const [i, rule] of (property.rules ?? []).entries())
      checkRule(rule, shape, [...path, 'rules', i], report)
    if (property.diedOn) checkField(shape, property.diedOn, [...path, 'diedOn'], report)
    const rows = property.columns && { name, fields: property.columns }
    if (rows && property.keep) checkField(rows, property.keep, [...path, 'keep'], report)
    if (rows) checkProperties(contract, rows, [...path, 'columns'], report, { above: shape, record })
  }
}

function checkRule(rule: string, shape: Shape, at: Path, report: Report): void {
  const [name, other] = rule.split(':')
  if (!isRuleName(name)) report(at, `no rule '${name}'${suggest(name, RULE_NAMES)}`)
  else if (other) checkField(shape, other, at, report)
}

/**
 * Reports parameters by which a lookup cannot be narrowed, and paths of their values that lead nowhere. `case` and
 * `client` are what screens with a form of the entity read under these names.
 */
function checkLookup(
  contract: Contract,
  { lookup, ref, lookup_params = {} }: Property,
  reach: Reach,
  at: Path,
  report: Report,
): void {
  const { entities, endpoints, lookups } = contract
  // Records are listed by calls, which take parameters of their own.
  const listing = lookup ? [] : (entities[ref ?? '']?.chosen?.from ?? [])
  const known = [
    ...Object.keys(lookupParameters(lookups[lookup ?? ''] ?? {})),
    ...listing.flatMap((name) => Object.keys(parametersOf(contract, endpoints[name]))),
  ]
  const named = NAMED.map((name) => [name, { name, fields: entities[name]?.properties }])
  for (const [param, value] of Object.entries(lookup_params)) {
    const path = [...at, 'lookup_params', param]
    if (!known.includes(param))
      report(path, `${lookup ?? ref} is not narrowed by '${param}'${suggest(param, known)}`)
    const problem = paramProblem(value, { ...reach, query: ANYTHING, with: Object.fromEntries(named) })
    if (problem) report(path, problem)
  }
}

/** Error of the path in a lookup's parameter; undefined for a literal. */
function paramProblem(value: unknown, reach: Reach): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('$')) return undefined
  const path = value.slice(1)
  const [head, ...rest] = path.split('.')
  if (rest.length === 0 || isRoot(head)) return pathProblem(path, reach)
  const named = reach.with ?? {}
  if (Object.hasOwn(named, head)) return fieldProblem(named[head], rest)
  return `no '${head}' here${suggest(head, [...FILE_ROOTS, ...Object.keys(named)])}`
}
