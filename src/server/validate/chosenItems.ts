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
  const fields = groups.filter((g) => g.attrs?.is_on !== false).flatMap((g) => g.fields)
  return itemsIn(fields, values, '', { ...conditionContext, answers: values })
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
    return [value].flat().map((one) => ({ field, path, value: one, params }))
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
    itemsIn(fields, row ?? {}, `${at}.${i}.`, { ...conditionContext, row }),
  )
}

function paramsOf({ attrs }: Field, conditionContext: ConditionContext): LookupParams | undefined {
  if (!canFillParams(attrs?.lookup_params, conditionContext)) return undefined
  const filled = fillParams(attrs?.lookup_params, conditionContext)
  return Object.fromEntries(Object.entries(filled).map(([name, value]) => [name, String(value)]))
}
