import { allows, roleIds } from '../../contract/access.ts'
import { callOf, isListing, isWrite, parametersOf, partsOf, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Endpoint } from '../../contract/generated.ts'
import type { Path, Report } from '../files/report.ts'
import { type Filling, placeholderProblem } from './placeholders.ts'

/** Requirements of a screen on a call that it refers to. */
export interface Need {
  /** list: rows; read: a record or anything else that changes nothing; change: a call that changes data. */
  kind: 'list' | 'read' | 'change'
  /** Sources of its path parameters; omitted: not checked here. */
  filling?: Filling
  /** The screen can have `fixedParams`. */
  mayBeFixed?: boolean
  /** Roles that open the screen, if all of them must be allowed to make the call. */
  roles?: string | string[]
  /** The reply must be paginated. */
  isPaged?: boolean
  /** The rows must be available as an Excel file. */
  isExported?: boolean
}

/**
 * Reports a call that does not meet its requirements, lacks a path parameter, or is closed to people who open the
 * screen.
 */
export function checkCall(
  contract: Contract,
  call: string | undefined,
  need: Need,
  at: Path,
  report: Report,
): void {
  const endpoint = call === undefined ? undefined : contract.endpoints[call]
  if (!endpoint || call === undefined) return
  const problem = kindProblem(contract, call, endpoint, need)
  if (problem) report(at, problem)
  for (const part of need.filling ? partsOf(callOf(endpoint).path) : []) {
    if (placeholderProblem(part, need.filling!) !== undefined)
      report(at, `${call} needs a value for '{${part}}'${adviceOn(part, at, need)}`)
  }
  if (need.roles !== undefined) checkRoles(contract, call, need.roles, at, report)
}

/** The calls of a screen itself get their path parameters from its address or from fixed ones. */
function adviceOn(part: string, at: Path, { mayBeFixed }: Need): string {
  if (at.length > 1) return ''
  return `: write {${part}} into 'route'${mayBeFixed ? ", or give it in 'fixedParams'" : ''}`
}

function kindProblem(
  contract: Contract,
  call: string,
  endpoint: Endpoint,
  { kind, isPaged, isExported }: Need,
): string | undefined {
  const verb = verbOf(endpoint)?.verb
  if (kind === 'change')
    return isWrite(endpoint) ? undefined : `${call} changes nothing: it is ${endpoint.call}`
  if (isWrite(endpoint)) return `${call} changes something: it is ${endpoint.call}`
  const isList = isListing(verb)
  if (kind === 'read') return isList ? `${call} gives a list, not one record` : undefined
  if (verb !== undefined && !isList) return `${call} gives no list: it does '${endpoint.does}'`
  if (isPaged && !('page' in parametersOf(contract, contract.endpoints[call])))
    return `${call} gives no pages: it has no 'paged' among its query groups`
  if (isExported && !('format' in parametersOf(contract, contract.endpoints[call])))
    return `${call} gives no Excel file: it has no 'exported' among its query groups; or say "export": false`
  return undefined
}

function checkRoles(
  { endpoints, roles }: Contract,
  call: string,
  open: string | string[],
  at: Path,
  report: Report,
): void {
  const access = endpoints[call].roles
  if (access === 'public') return
  const shut = roleIds(roles, open).filter((id) => !allows(roles, access, [id]))
  const names = roles.roles.filter(({ id }) => shut.includes(id)).map(({ name }) => name)
  if (names.length > 0) report(at, `${names.join(', ')} may open the screen but not call ${call}`)
}
