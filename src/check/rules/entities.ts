import type { Contract } from '../../contract/contract.ts'
import type { Property } from '../../contract/generated.ts'
import { lookupParameters } from '../../contract/lookupCall.ts'
import { isRuleName, RULE_NAMES } from '../../contract/rules.ts'
import { suggest } from '../../contract/suggest.ts'
import { ROOTS } from '../../contract/when.ts'
import type { Path, Report } from '../files/report.ts'
import { addressProblem } from './addresses.ts'
import { checkCall } from './calls.ts'
import { checkFieldDefault } from './defaults.ts'
import { checkField, type Shape, shapeOfCall } from './fields.ts'
import { ANYTHING, checkWhen } from './paths.ts'
import { checkPlaceholders } from './placeholders.ts'
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

/** Reports unknown names in an entity. */
export function checkEntity(contract: Contract, name: string, report: Report): void {
  const entity = contract.entities[name]
  for (const { path, message } of setRuleErrors(contract, name)) report(path, message)
  const { $id, chosen, page, named, order, required = [], properties } = entity
  const own = { name, fields: properties }
  if ($id !== name) report(['$id'], `'${$id}' must be the file's name, '${name}'`)
  for (const [i, field] of required.entries()) checkField(own, field, ['required', i], report)
  const problem = page && addressProblem(contract, page)
  if (problem) report(['page'], problem)
  checkPlaceholders(named, { records: [own] }, ['named'], report)
  if (order) checkField(own, order.replace(/^-/, ''), ['order'], report)
  checkProperties(contract, own, ['properties'], report)
  checkFacts(contract, own, report)
  if (!chosen) return
  const row = shapeOfCall(contract, chosen.from[0])
  const offered = { name: `what ${chosen.from[0]} lists`, fields: row?.fields }
  for (const [i, call] of chosen.from.entries())
    checkCall(contract, call, { kind: 'list', isPaged: true }, ['chosen', 'from', i], report)
  for (const [i, field] of (chosen.about ?? []).entries())
    checkField(offered, field, ['chosen', 'about', i], report)
  if (chosen.warning) checkField(offered, chosen.warning, ['chosen', 'warning'], report)
  checkPlaceholders(chosen.label, { records: [row] }, ['chosen', 'label'], report)
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
  for (const name of Object.keys(dimensions)) {
    checkField(own, name, ['facts', 'dimensions', name], report)
    if (RESERVED.includes(name))
      report(['facts', 'dimensions', name], `'${name}' is a parameter of every report`)
  }
  for (const [name, measure] of Object.entries(measures)) {
    const at = ['facts', 'measures', name]
    const operations = OPERATIONS.filter((operation) => measure[operation] !== undefined)
    if (operations.length !== 1) report(at, `a measure says one of ${OPERATIONS.join(', ')}`)
    if (ROW_FIELDS.includes(name)) report(at, `'${name}' is a field of every report's rows`)
    for (const operation of operations)
      if (typeof measure[operation] === 'string')
        checkField(own, measure[operation], [...at, operation], report)
    for (const dimension of Object.keys(measure.where ?? {}))
      if (!Object.hasOwn(dimensions, dimension))
        report(
          [...at, 'where', dimension],
          `no dimension '${dimension}'${suggest(dimension, Object.keys(dimensions))}`,
        )
  }
}

/** Reports unknown names in the properties of an entity or body. */
export function checkProperties(
  contract: Contract,
  shape: Shape,
  at: Path,
  report: Report,
  above?: Shape,
): void {
  for (const [name, property] of Object.entries(shape.fields ?? {})) {
    const path = [...at, name]
    checkLookup(contract, property, shape, above, path, report)
    checkFieldDefault(property, path, report)
    // A row of a repeat can refer to the record around it.
    const fields = { ...above?.fields, ...shape.fields }
    const reach = { answers: { ...shape, fields }, record: ANYTHING, form: ANYTHING, user: ANYTHING }
    checkWhen(property.when, reach, [...path, 'when'], report)
    for (const [i, rule] of (property.rules ?? []).entries())
      checkRule(rule, shape, [...path, 'rules', i], report)
    if (property.diedOn) checkField(shape, property.diedOn, [...path, 'diedOn'], report)
    const rows = property.columns && { name, fields: property.columns }
    if (rows && property.keep) checkField(rows, property.keep, [...path, 'keep'], report)
    if (rows) checkProperties(contract, rows, [...path, 'columns'], report, shape)
  }
}

function checkRule(rule: string, shape: Shape, at: Path, report: Report): void {
  const [name, other] = rule.split(':')
  if (!isRuleName(name)) report(at, `no rule '${name}'${suggest(name, RULE_NAMES)}`)
  else if (other) checkField(shape, other, at, report)
}

function checkLookup(
  { lookups }: Contract,
  { lookup, lookup_params = {} }: Property,
  shape: Shape,
  above: Shape | undefined,
  at: Path,
  report: Report,
): void {
  const known = Object.keys(lookupParameters(lookups[lookup ?? ''] ?? {}))
  for (const [param, value] of Object.entries(lookup_params)) {
    const path = [...at, 'lookup_params', param]
    if (!known.includes(param))
      report(path, `${lookup} is not narrowed by '${param}'${suggest(param, known)}`)
    if (typeof value !== 'string' || !value.startsWith('$')) continue
    const [head, ...rest] = value.slice(1).split('.')
    const roots = [...ROOTS, ...NAMED]
    if (rest.length > 0 && !roots.includes(head))
      report(path, `no '${head}' to look at${suggest(head, roots)}`)
    else if (rest.length === 0)
      checkField({ ...shape, fields: { ...above?.fields, ...shape.fields } }, head, path, report)
  }
}
