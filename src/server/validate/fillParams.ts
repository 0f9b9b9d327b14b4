import type { FieldAttrs } from '../../contract/generated.ts'
import { type ConditionContext, getIn, isRoot, isSet, valueAt } from '../../contract/when.ts'
import type { LookupParams } from '../lookups/choices.ts'

/**
 * What narrows a lookup, with its `$` paths filled from a scope as the browser fills them: a path without a value is
 * left out. Undefined where a path begins with something that is not in the scope: then no choice is known to fit.
 */
export function fillParams(
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
