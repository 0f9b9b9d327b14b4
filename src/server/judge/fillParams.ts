import type { FieldAttrs } from '../../contract/types.ts'
import { isRoot, isSet, type Scope, valueAt, walk } from '../../contract/when.ts'
import type { LookupParams } from '../choices.ts'

/**
 * What narrows a lookup, with its `$` paths filled from a scope as the browser fills them: a path without a value is
 * left out. Undefined where a path begins with something that is not in the scope: then no choice is known to fit.
 */
export function fillParams(params: FieldAttrs['lookup_params'], scope: Scope): LookupParams | undefined {
  const given: LookupParams = {}
  for (const [name, param] of Object.entries(params ?? {})) {
    const path = typeof param === 'string' && param.startsWith('$') ? param.slice(1) : undefined
    if (path !== undefined && !isReachable(path, scope)) return undefined
    const value = path === undefined ? param : at(path, scope)
    if (isSet(value)) given[name] = String(value)
  }
  return given
}

function isReachable(path: string, scope: Scope): boolean {
  const [head, ...rest] = path.split('.')
  if (rest.length === 0 || isNamed(head, scope)) return true
  return isRoot(head) && scope[head] !== undefined
}

function at(path: string, scope: Scope): unknown {
  const [head, ...rest] = path.split('.')
  return rest.length > 0 && isNamed(head, scope) ? walk(scope.with?.[head], rest) : valueAt(path, scope)
}

function isNamed(head: string, scope: Scope): boolean {
  return scope.with !== undefined && Object.hasOwn(scope.with, head)
}
