import type { Field, FieldAttrs, Group } from '../../contract/generated.ts'
import { type ConditionContext, getIn, isRoot, isSet, type Values, valueAt } from '../../contract/when.ts'
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
    const params = fillParams(field.attrs.lookup_params, conditionContext)
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

/**
 * Lookup parameters with `$` paths resolved in a condition context, as in the browser; a path without a value is
 * omitted. Undefined if a path's root is not in the context: then no choice can be checked.
 */
function fillParams(
  params: FieldAttrs['lookup_params'],
  conditionContext: ConditionContext,
): LookupParams | undefined {
  const given: LookupParams = {}
  for (const [name, param] of Object.entries(params ?? {})) {
    const path = typeof param === 'string' && param.startsWith('$') ? param.slice(1) : undefined
    if (path !== undefined && !isReachable(path, conditionContext)) return undefined
    const value = path === undefined ? param : at(path, conditionContext)
    if (isSet(value)) given[name] = String(value)
  }
  return given
}

function isReachable(path: string, conditionContext: ConditionContext): boolean {
  const [head, ...rest] = path.split('.')
  if (rest.length === 0 || isNamed(head, conditionContext)) return true
  return isRoot(head) && conditionContext[head] !== undefined
}

function at(path: string, conditionContext: ConditionContext): unknown {
  const [head, ...rest] = path.split('.')
  return rest.length > 0 && isNamed(head, conditionContext)
    ? getIn(conditionContext.with?.[head], rest)
    : valueAt(path, conditionContext)
}

function isNamed(head: string, conditionContext: ConditionContext): boolean {
  return conditionContext.with !== undefined && Object.hasOwn(conditionContext.with, head)
}
