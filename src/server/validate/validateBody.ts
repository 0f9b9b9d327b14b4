import { applyChanges, isEqual } from '../../contract/applyChanges.ts'
import { groupOf, isFree, isTodayByDefault } from '../../contract/entity.ts'
import type { Body, Entity, Property } from '../../contract/generated.ts'
import { type Occasion, setRight } from '../../contract/setBy.ts'
import { suggest } from '../../contract/suggest.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import { type ConditionContext, isPlainObject, isSet, type Values } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { fieldProblem, prefixed, refuse } from '../problems.ts'
import { today } from '../today.ts'
import { ajvValidate } from './ajvValidate.ts'
import { refuseUnknownItems } from './refuseUnknownItems.ts'
import { unknownKeyErrors } from './unknownKeys.ts'

type Shape = Pick<Entity | Body, 'properties' | 'required' | 'title'>

/**
 * Validates a new record or a body as a whole; `at` prefixes the paths of errors ('client'), `extraContext`
 * extends the condition context.
 */
export async function validateBody(
  call: Call,
  shape: Shape,
  body: Values,
  at = '',
  extraContext: ConditionContext = {},
): Promise<Values> {
  refuseUnknownKeys(shape, body, at)
  refuseForbiddenKeys(call, shape, body, { occasion: 'create', stored: {}, at })
  const now = today(call.settings.TIME_ZONE)
  const normalised = normaliseRows(shape, { ...requiredDates(shape, body, now), ...body }, now)
  const groups = [groupOf(shape)]
  const conditionContext = { ...conditionContextOf(call), ...extraContext }
  const { values, errors } = applyChanges({
    groups,
    stored: {},
    sent: normalised,
    conditionContext,
    ...validationOptions(call),
    all: true,
  })
  refuse(prefixed(at, errors))
  await refuseUnknownItems(call, { groups, values, stored: {}, conditionContext, at })
  return { ...values, ...freeObjects(shape, body) }
}

/** The columns that a change sets: keys sent, and those it hides, set to their empty value. */
export async function validateChange(
  call: Call,
  entity: Entity,
  row: Row,
  sent: Values,
  extraContext: ConditionContext = {},
): Promise<Values> {
  refuseUnknownKeys(entity, sent, '', true)
  refuseForbiddenKeys(call, entity, sent, { occasion: 'update', stored: row, at: '' })
  const normalised = normaliseRows(entity, sent, today(call.settings.TIME_ZONE))
  const groups = [groupOf(entity)]
  const stored = Object.fromEntries(groups[0].fields.map((f) => [f.name, row[f.name]]))
  const conditionContext = { ...conditionContextOf(call), record: row, ...extraContext }
  const result = applyChanges({
    groups,
    stored,
    sent: normalised,
    conditionContext,
    ...validationOptions(call),
  })
  const { values, visibleValues, changed, errors } = result
  refuse(errors)
  const columns = Object.fromEntries(changed.map((name) => [name, values[name] ?? empty(entity, name)]))
  await refuseUnknownItems(call, { groups, values: visibleValues, stored, conditionContext })
  const free = Object.entries(freeObjects(entity, sent)).filter(([name, value]) => !isEqual(row[name], value))
  return { ...columns, ...Object.fromEntries(free) }
}

function validationOptions({ settings }: Call) {
  return { validateSchema: ajvValidate, today: today(settings.TIME_ZONE) }
}

function conditionContextOf({ me }: Call) {
  return { user: { id: me.id, groups: me.groups } }
}

function freeObjects(shape: Shape, body: Values): Values {
  const names = Object.keys(shape.properties).filter(
    (n) => isFree(shape, n) && !shape.properties[n].meta && n in body,
  )
  for (const name of names) {
    const value = body[name]
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw fieldProblem({ [name]: [`${shape.properties[name].title} must be a group of values`] })
    }
  }
  return Object.fromEntries(names.map((name) => [name, body[name]]))
}

function refuseUnknownKeys({ properties, title }: Shape, body: Values, at: string, changing = false): void {
  const allowed = new Set(
    Object.keys(properties).filter((n) => !properties[n].readOnly && !(changing && properties[n].writeOnce)),
  )
  const unknown = Object.keys(body).filter((name) => !allowed.has(name))
  const words = (name: string) =>
    Object.hasOwn(properties, name)
      ? `${properties[name].title} cannot be set here`
      : `no field '${name}' in ${title}${suggest(name, allowed)}`
  refuse(prefixed(at, unknownKeyErrors(unknown, words)))
  for (const [name, property] of Object.entries(properties)) {
    const rows = body[name]
    if (property.columns && Array.isArray(rows))
      refuseUnknownColumns(property, rows, at ? `${at}.${name}` : name)
  }
}

/** Refuses the first key of a row that is no column; a case type's rows pass over such keys instead. */
function refuseUnknownColumns(property: Property, rows: unknown[], at: string): void {
  for (const [i, row] of rows.entries()) {
    const isKnown = (key: string) => key === 'row' || Object.hasOwn(property.columns!, key)
    const unknown = Object.keys(row ?? {}).find((key) => !isKnown(key))
    if (unknown !== undefined)
      throw fieldProblem({ [`${at}.${i}`]: [`${property.title} has no column '${unknown.slice(0, 100)}'`] })
  }
}

/** Refuses keys that the caller's roles may not set; a key whose value stays as it is stored changes nothing. */
function refuseForbiddenKeys(
  { contract, me }: Call,
  { properties }: Shape,
  body: Values,
  { occasion, stored, at }: { occasion: Occasion; stored: Row; at: string },
): void {
  const errors: FieldErrors = {}
  for (const [name, value] of Object.entries(body)) {
    const right = setRight(contract.roles, properties[name], occasion, me.groups)
    if (right === 'any' || isEqual(stored[name], value) || (!isSet(stored[name]) && !isSet(value))) continue
    const { title } = properties[name]
    if (right === 'none') errors[name] = [`${title} cannot be set here`]
    else if (value !== me.id) errors[name] = [`${title} must be yourself or nobody`]
  }
  refuse(prefixed(at, errors))
}

/** The required dates that a new record does not name and that are today (YYYY-MM-DD) by default; one sent as null is missing. */
function requiredDates({ properties, required = [] }: Shape, body: Values, today: string): Values {
  const missing = required.filter((name) => isTodayByDefault(properties[name]) && !(name in body))
  return Object.fromEntries(missing.map((name) => [name, today]))
}

function empty({ properties }: Entity, name: string): unknown {
  return properties[name].type === 'array' ? [] : null
}

/** The body with rows of its repeats tidied: those without what must be kept go, and missing dates are today (YYYY-MM-DD). */
function normaliseRows(shape: Pick<Entity | Body, 'properties'>, body: Values, today: string): Values {
  const normalised = { ...body }
  for (const [name, property] of Object.entries(shape.properties)) {
    const rows = body[name]
    if (property.columns && Array.isArray(rows)) normalised[name] = normalise(rows, property, today)
  }
  return normalised
}

function normalise(rows: unknown[], { keep, columns = {} }: Property, today: string): unknown[] {
  const isComplete = (row: unknown) => !isPlainObject(row) || !keep || isSet(text(row[keep]))
  const dated = Object.entries(columns).flatMap(([name, column]) =>
    (column.default as unknown) === 'today' ? name : [],
  )
  return rows.filter(isComplete).map((row) => {
    if (!isPlainObject(row)) return row
    const missing = dated.filter((name) => !isSet(row[name]))
    return { ...row, ...Object.fromEntries(missing.map((name) => [name, today])) }
  })
}

function text(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}
