import type { FieldAttrs, Lookup } from './generated.ts'
import { MAX_PAGE } from './limits.ts'
import { type ConditionContext, getIn, isRoot, isSet, valueAt } from './when.ts'

/** Most choices in one reply of a lookup's call. */
export const LOOKUP_LIMIT = MAX_PAGE.keyed
/** Parameter of a lookup with parent lists: only items that can be parents of the items of this list. */
export const PARENTS_OF = 'parents_of'
/** Parameter of the lookup of hubs: all but the caller's own. */
export const NOT_OWN = 'not_own'
/** Response header of a lookup's call with the number of matching choices. */
export const TOTAL_COUNT = 'X-Total-Count'

interface LookupParameter {
  description: string
  type: 'integer' | 'string' | 'boolean'
  /** May occur several times, and then matches any of its values. */
  isRepeatable?: boolean
}

/** The query parameters that a lookup's call takes, by name. */
export function lookupParameters({ by = [] }: Lookup): Record<string, LookupParameter> {
  const narrowing = by.map((name) => [
    name,
    { description: `Narrows the list by ${name}.`, type: 'string', isRepeatable: true },
  ])
  return {
    ...Object.fromEntries(narrowing),
    id: {
      description: 'Only these choices, retired ones too; at most 500.',
      type: 'integer',
      isRepeatable: true,
    },
    term: {
      description: `Only choices whose label has every word of it; needed to reach all of a list of more than ${LOOKUP_LIMIT}.`,
      type: 'string',
    },
    active: { description: 'false includes retired choices, sorted last.', type: 'boolean' },
  }
}

/** Values of a lookup's parameters by name. */
export type LookupParams = Record<string, string | number | boolean>

/**
 * Resolves the `$` paths of a field's lookup parameters: `$field` is an answer of the same form or row, `$case.x` a
 * property of the record that the screen's `with` names case. A path without a value is omitted.
 */
export function fillParams(
  params: FieldAttrs['lookup_params'],
  conditionContext: ConditionContext,
): LookupParams {
  const filled = Object.entries(params ?? {}).map(([name, param]) => {
    const path = pathOf(param)
    return [name, path === undefined ? param : resolvePath(path, conditionContext)] as const
  })
  return Object.fromEntries(filled.filter(([, value]) => isSet(value))) as LookupParams
}

/** False if a parameter's path begins at a root or record that this context lacks; then choices cannot be checked. */
export function canFillParams(
  params: FieldAttrs['lookup_params'],
  conditionContext: ConditionContext,
): boolean {
  return Object.values(params ?? {}).every((param) => {
    const [head, ...rest] = pathOf(param)?.split('.') ?? []
    if (rest.length === 0 || isNamed(head, conditionContext)) return true
    return isRoot(head) && conditionContext[head] !== undefined
  })
}

function pathOf(param: unknown): string | undefined {
  return typeof param === 'string' && param.startsWith('$') ? param.slice(1) : undefined
}

/**
 * Value at a path without its `$`: an answer of the same form or row, or a property of a record that the screen's
 * `with` names, such as case or client.
 */
export function resolvePath(path: string, conditionContext: ConditionContext): unknown {
  const [head, ...rest] = path.split('.')
  return rest.length > 0 && isNamed(head, conditionContext)
    ? getIn(conditionContext.with?.[head], rest)
    : valueAt(path, conditionContext)
}

function isNamed(head: string, conditionContext: ConditionContext): boolean {
  return conditionContext.with !== undefined && Object.hasOwn(conditionContext.with, head)
}
