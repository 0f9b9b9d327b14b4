import type { FieldAttrs, Lookup } from './generated.ts'
import { LARGEST_PAGE } from './limits.ts'
import { type ConditionContext, getIn, isRoot, isSet, valueAt } from './when.ts'

/** A lookup's call answers no more choices than this at once. */
export const LOOKUP_LIMIT = LARGEST_PAGE.keyed
/** Parameter of a lookup with parent lists: only items to which those of this list may belong. */
export const PARENTS_OF = 'parents_of'
/** The response header of a lookup's call that says how many choices match. */
export const TOTAL_COUNT = 'X-Total-Count'

interface LookupParameter {
  description: string
  type: 'integer' | 'string' | 'boolean'
  /** May be repeated, and then means any of its values. */
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
 * value of what the screen calls case. A path without a value is omitted.
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

/** False if a parameter's path begins at something that this context lacks; then no choice can be checked. */
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

/** What stands at a path after its `$`: an answer of the same form or row, or a value of what the screen calls case or client. */
export function resolvePath(path: string, conditionContext: ConditionContext): unknown {
  const [head, ...rest] = path.split('.')
  return rest.length > 0 && isNamed(head, conditionContext)
    ? getIn(conditionContext.with?.[head], rest)
    : valueAt(path, conditionContext)
}

function isNamed(head: string, conditionContext: ConditionContext): boolean {
  return conditionContext.with !== undefined && Object.hasOwn(conditionContext.with, head)
}
