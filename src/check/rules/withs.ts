import { callOf, partsOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { With } from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Report } from '../files/report.ts'
import { checkCall } from './calls.ts'
import { fieldProblem, type Shape, shapeOfCall } from './fields.ts'
import { ANYTHING, checkPath, type Reach } from './paths.ts'

/** Names that forms of case types and lookups of entities refer to. */
const NAMED = ['case', 'client', 'last']

/**
 * Checks the `with` of a screen or card, and returns the shapes that conditions can refer to, by name. `user` is the
 * screen or card, which must use each name.
 */
export function checkWith(
  contract: Contract,
  withs: Record<string, With> = {},
  roots: Reach,
  roles: string | string[],
  report: Report,
  user: object,
): Record<string, Shape> {
  const known: Record<string, Shape> = {}
  for (const [name, { read, id, params = {}, is }] of Object.entries(withs)) {
    const at = ['with', name]
    if ((read === undefined) === (is === undefined))
      report(at, `'${name}' needs either 'read', a call, or 'is', the path of what is loaded already`)
    if (!NAMED.includes(name) && !JSON.stringify(user).includes(`with.${name}`))
      report(at, `nothing uses 'with.${name}': remove it, or correct its name`)
    const reach = { ...roots, with: known }
    const paths = { ...(id !== undefined && { id }), ...params }
    if (id !== undefined) checkPath(id, reach, [...at, 'id'], report)
    for (const [part, path] of Object.entries(params)) checkPath(path, reach, [...at, 'params', part], report)
    if (is !== undefined) checkPath(is, reach, [...at, 'is'], report)
    if (read !== undefined) {
      const filling = { params: Object.keys(paths) }
      checkCall(contract, read, { kind: 'read', filling, roles }, [...at, 'read'], report)
      const parts = partsOf(callOf(contract.endpoints[read]).path)
      for (const part of Object.keys(params)) {
        if (!parts.includes(part))
          report([...at, 'params', part], `${read} has no '{${part}}'${suggest(part, parts)}`)
      }
    }
    known[name] = read ? (shapeOfCall(contract, read) as Shape) : is ? shapeAt(is, reach) : ANYTHING
  }
  return known
}

function shapeAt(path: string, reach: Reach): Shape {
  const [head, ...rest] = path.split('.')
  const shape = head === 'with' ? reach.with?.[rest.shift() ?? ''] : reach[head as 'record' | 'form']
  return shape && rest.length === 0 && fieldProblem(shape, []) === undefined ? shape : ANYTHING
}
