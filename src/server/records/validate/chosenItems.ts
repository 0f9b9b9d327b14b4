import { holdsRows, isRendered } from '../../../contract/fieldTypes.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { canFillParams, fillParams } from '../../../contract/lookupCall.ts'
import { withRow } from '../../../contract/visible.ts'
import { type ConditionContext, isSet, type Values } from '../../../contract/when.ts'
import type { LookupParams } from '../lookups/choices.ts'

/** A chosen value of a field with choices. */
export interface ChosenItem {
  field: Field
  /** Dotted path, with the row's index within a repeat ('family.0.relationship'). */
  path: string
  value: unknown
  /** Parameters that filter its lookup; undefined if a value for them is missing. */
  params: LookupParams | undefined
}

/** All chosen values of enabled fields; each value of a multiselect is an item. */
export function chosenItems(
  groups: Group[],
  values: Values,
  conditionContext: ConditionContext,
): ChosenItem[] {
  return itemsIn(choosableFields(groups), values, '', { ...conditionContext, answers: values })
}

const choosable = new WeakMap<object, Field[]>()

/** The fields of enabled groups whose values are choices, or rows that may contain some. */
function choosableFields(groups: Group[]): Field[] {
  const known = choosable.get(groups)
  if (known) return known
  const fields = groups
    .filter((g) => g.attrs?.is_on !== false)
    .flatMap((g) => g.fields)
    // The values of fields that no form renders are not chosen by anybody.
    .filter(isRendered)
    .filter((field) => holdsRows(field) || field.attrs?.lookup || field.attrs?.options)
  choosable.set(groups, fields)
  return fields
}

function itemsIn(
  fields: Field[],
  values: Values,
  at: string,
  conditionContext: ConditionContext,
): ChosenItem[] {
  const answered = fields.filter(({ name, attrs }) => attrs?.is_on !== false && isSet(values[name]))
  return answered.flatMap((field) => {
    const path = at + field.name
    const value = values[field.name]
    if (holdsRows(field)) return inRows(field, value, path, conditionContext)
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
  return (rows as Values[]).flatMap((row, i) =>
    itemsIn(fields, row ?? {}, `${at}.${i}.`, withRow(conditionContext, row ?? {})),
  )
}

const NO_PARAMS: LookupParams = {}

function paramsOf({ attrs }: Field, conditionContext: ConditionContext): LookupParams | undefined {
  if (!attrs?.lookup_params) return NO_PARAMS
  if (!canFillParams(attrs?.lookup_params, conditionContext)) return undefined
  const filled = fillParams(attrs?.lookup_params, conditionContext)
  return Object.fromEntries(Object.entries(filled).map(([name, value]) => [name, String(value)]))
}
