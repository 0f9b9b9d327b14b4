import { isDrawn } from '../../contract/fieldTypes.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { canFillParams, fillParams } from '../../contract/lookupCall.ts'
import { type ConditionContext, isSet, type Values } from '../../contract/when.ts'
import type { LookupParams } from '../lookups/choices.ts'

/** One choice that somebody made. */
export interface ChosenItem {
  field: Field
  /** Dotted, with the row's number within a repeat ('family.0.relationship'). */
  path: string
  value: unknown
  /** What narrows its lookup here; undefined where that cannot be known. */
  params: LookupParams | undefined
}

/** Every choice among the values of fields that are on; those of a multiselect one by one. */
export function chosenItems(
  groups: Group[],
  values: Values,
  conditionContext: ConditionContext,
): ChosenItem[] {
  return itemsIn(choosableFields(groups), values, '', { ...conditionContext, answers: values })
}

const choosable = new WeakMap<object, Field[]>()

/** The fields of a form's groups that are on and whose values are choices, or rows that may hold some. */
function choosableFields(groups: Group[]): Field[] {
  const known = choosable.get(groups)
  if (known) return known
  const fields = groups
    .filter((g) => g.attrs?.is_on !== false)
    .flatMap((g) => g.fields)
    // Nobody chose what a field that is never asked has.
    .filter(isDrawn)
    .filter(({ type, attrs }) => type === 'repeat' || attrs?.lookup || attrs?.options)
  choosable.set(groups, fields)
  return fields
}

function itemsIn(
  fields: Field[],
  values: Values,
  at: string,
  conditionContext: ConditionContext,
): ChosenItem[] {
  const asked = fields.filter(({ name, attrs }) => attrs?.is_on !== false && isSet(values[name]))
  return asked.flatMap((field) => {
    const path = at + field.name
    const value = values[field.name]
    if (field.type === 'repeat') return inRows(field, value, path, conditionContext)
    if (!field.attrs?.lookup && !field.attrs?.options) return []
    const params = paramsOf(field, conditionContext)
    if (!Array.isArray(value)) return { field, path, value, params }
    return value.map((one) => ({ field, path, value: one, params }))
  })
}

function inRows(
  { fields = [] }: Field,
  rows: unknown,
  at: string,
  conditionContext: ConditionContext,
): ChosenItem[] {
  if (!Array.isArray(rows)) return []
  const { answers, row: around } = conditionContext
  const outside = { ...conditionContext, answers: { ...answers, ...around } }
  return (rows as Values[]).flatMap((row, i) =>
    itemsIn(fields, row ?? {}, `${at}.${i}.`, { ...outside, row }),
  )
}

const NO_PARAMS: LookupParams = {}

function paramsOf({ attrs }: Field, conditionContext: ConditionContext): LookupParams | undefined {
  if (!attrs?.lookup_params) return NO_PARAMS
  if (!canFillParams(attrs?.lookup_params, conditionContext)) return undefined
  const filled = fillParams(attrs?.lookup_params, conditionContext)
  return Object.fromEntries(Object.entries(filled).map(([name, value]) => [name, String(value)]))
}
