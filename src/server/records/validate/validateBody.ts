import { applyChanges } from '../../../contract/applyChanges.ts'
import { groupsOf, isFree, isTodayByDefault } from '../../../contract/entity.ts'
import type { Body, Entity, Property } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { normaliseLine, normaliseLong } from '../../../contract/normalise.ts'
import { type Occasion, setRight } from '../../../contract/setBy.ts'
import { suggest } from '../../../contract/suggest.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { type ConditionContext, isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { fieldProblem, prefixed, refuse } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import type { ValuesOf } from '../../core/typedRows.ts'
import { refuseUnknownItems } from './refuseUnknownItems.ts'
import { unknownKeyErrors } from './unknownKeys.ts'

type Shape = Pick<Entity | Body, 'properties' | 'required' | 'title'>

/**
 * Validates a new record or a body as a whole, and returns its values; `at` prefixes the paths of errors ('client'),
 * `extraContext` extends the condition context.
 */
export async function validateBody<S extends Shape>(
  call: Call,
  shape: S,
  body: Values,
  at = '',
  extraContext: ConditionContext = {},
): Promise<ValuesOf<S>> {
  refuseUnknownKeys(shape, body, at, 'create')
  refuseForbiddenKeys(call, shape, body, { occasion: 'create', stored: {}, at })
  const now = today(call.settings.TIME_ZONE)
  const normalised = normaliseRows(shape, { ...requiredDates(shape, body, now), ...body }, now)
  const groups = groupsOf(shape)
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
  return { ...values, ...freeObjects(shape, body) } as ValuesOf<S>
}

/**
 * Validates a change, and returns the columns that it sets: changed keys, and those it hides with their empty value.
 */
export async function validateChange(
  call: Call,
  entity: Entity,
  row: Row,
  sent: Values,
  extraContext: ConditionContext = {},
): Promise<Values> {
  refuseUnknownKeys(entity, sent, '', 'update')
  refuseForbiddenKeys(call, entity, sent, { occasion: 'update', stored: row, at: '' })
  const normalised = normaliseRows(entity, sent, today(call.settings.TIME_ZONE))
  const groups = groupsOf(entity)
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

/** Properties derived from a shape, cached because shapes are immutable. */
interface Prepared {
  /** Names that may be sent for a new record, and for an existing one. */
  settable: { create: Set<string>; update: Set<string> }
  /** Objects of any shape, by name. */
  free: string[]
  /** Properties with rows. */
  repeats: [string, Property][]
}
const prepared = new WeakMap<object, Prepared>()

function prepare(shape: Shape): Prepared {
  const known = prepared.get(shape.properties)
  if (known) return known
  const entries = Object.entries(shape.properties)
  const settable = entries.filter(([, { readOnly }]) => !readOnly)
  const updatable = settable.filter(([, { writeOnce }]) => !writeOnce)
  const made = {
    settable: {
      create: new Set(settable.map(([name]) => name)),
      update: new Set(updatable.map(([name]) => name)),
    },
    free: entries.flatMap(([name, { meta }]) => (isFree(shape, name) && !meta ? name : [])),
    repeats: entries.filter(([, { columns }]) => columns),
  }
  prepared.set(shape.properties, made)
  return made
}

function freeObjects(shape: Shape, body: Values): Values {
  const names = prepare(shape).free.filter((name) => name in body)
  for (const name of names) {
    const value = body[name]
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw fieldProblem({ [name]: [`${shape.properties[name].title} must be a group of values`] })
    }
  }
  return Object.fromEntries(names.map((name) => [name, withoutInvisible(body[name])]))
}

/** A copy of a free object, such as the payload of a draft, whose texts have no invisible characters. */
function withoutInvisible(value: unknown): unknown {
  if (typeof value === 'string') return normaliseLong(value)
  if (Array.isArray(value)) return value.map(withoutInvisible)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutInvisible(one)]))
}

function refuseUnknownKeys(shape: Shape, body: Values, at: string, occasion: Occasion): void {
  const { properties, title } = shape
  const { settable, repeats } = prepare(shape)
  const allowed = settable[occasion]
  const unknown = Object.keys(body).filter((name) => !allowed.has(name))
  const words = (name: string) =>
    Object.hasOwn(properties, name)
      ? `${properties[name].title} cannot be set here`
      : `no field '${name}' in ${title}${suggest(name, allowed)}`
  refuse(prefixed(at, unknownKeyErrors(unknown, words)))
  for (const [name, property] of repeats) {
    const rows = body[name]
    if (Array.isArray(rows)) refuseUnknownColumns(property, rows, at ? `${at}.${name}` : name)
  }
}

/** Refuses the first key of a row that is no column; in rows of a case type's form such keys are ignored instead. */
function refuseUnknownColumns(property: Property, rows: unknown[], at: string): void {
  for (const [i, row] of rows.entries()) {
    const isKnown = (key: string) => key === 'row' || Object.hasOwn(property.columns!, key)
    const unknown = Object.keys(row ?? {}).find((key) => !isKnown(key))
    if (unknown !== undefined)
      throw fieldProblem({ [`${at}.${i}`]: [`${property.title} has no column '${unknown.slice(0, 100)}'`] })
  }
}

/** Refuses keys that the caller's roles may not set; a key with its stored value is allowed. */
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

/**
 * Required dates that the body omits and whose default is `today` (YYYY-MM-DD); a date sent as null gets no default.
 */
function requiredDates({ properties, required = [] }: Shape, body: Values, today: string): Values {
  const missing = required.filter((name) => isTodayByDefault(properties[name]) && !(name in body))
  return Object.fromEntries(missing.map((name) => [name, today]))
}

function empty({ properties }: Entity, name: string): unknown {
  return properties[name].type === 'array' ? [] : null
}

/**
 * Normalises the rows of a body: drops rows without their `keep` column, and sets missing default dates to `today`
 * (YYYY-MM-DD).
 */
function normaliseRows(shape: Shape, body: Values, today: string): Values {
  const normalised = { ...body }
  for (const [name, property] of prepare(shape).repeats) {
    const rows = body[name]
    if (Array.isArray(rows)) normalised[name] = normalise(rows, property, today)
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
  return typeof value === 'string' ? normaliseLine(value) : value
}
