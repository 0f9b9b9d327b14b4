import type { FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Call, Caller } from '../core/call.ts'
import type { Db } from '../core/db.ts'
import { problem } from '../core/problems.ts'
import type { Settings } from '../core/settings.ts'
import { enforceLimit } from './rateLimit.ts'
import { callerOf, tokenOf } from './session.ts'

const NOBODY: Caller = {
  id: 0,
  username: '',
  first_name: '',
  last_name: '',
  email: null,
  groups: [],
  status: 0,
  hub: null,
  services: [],
  contracts: [],
  digest: 'none',
  team: [],
}

/**
 * Authenticates a call: NOBODY for public calls, otherwise the person of the session. Throws if the descriptor does not
 * allow their roles, or if they exceed the rate limit of the call.
 */
export async function authenticate(
  { db, contract, settings }: { db: Db; contract: Contract; settings: Settings },
  { name, endpoint }: Pick<Call, 'name' | 'endpoint'>,
  request: FastifyRequest,
): Promise<Caller> {
  const { roles, perMinute, background, withoutRole } = endpoint
  if (roles === 'public') return NOBODY
  const token = tokenOf(request.headers.authorization)
  const limited = perMinute ? name : undefined
  const found = token && (await callerOf({ db, contract, settings }, token, { counts: !background, limited }))
  if (!found) throw problem('unauthenticated')
  const { caller, count } = found
  // Before any refusal, so that the log has the person.
  request.staff = caller.id
  if (!allows(contract.roles, roles, caller.groups) && !withoutRole) throw problem('forbidden')
  if (perMinute && count) enforceLimit(perMinute, count)
  return caller
}

/** Refuses cross-site request forgery: foreign sites, neighbouring hosts, prefetches, a missing or old CSRF token. */
export async function refuseForgery(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site' || request.headers['sec-purpose'] !== undefined)
    throw problem('csrf')
  await new Promise<void>((resolve, reject) => {
    request.server.csrfProtection.call(request.server, request, reply, (error?: Error) =>
      error ? reject(error) : resolve(),
    )
  })
}
