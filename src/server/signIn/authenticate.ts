import type { FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Call } from '../call.ts'
import type { Db } from '../db.ts'
import { problem } from '../problems.ts'
import { refuseBeyond } from '../rateLimit.ts'
import type { Settings } from '../settings.ts'
import { type Caller, callerOf, tokenOf } from './session.ts'

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
 * Who calls: nobody for public calls; otherwise the session's person, whose roles the descriptor must allow, and who may
 * not have made a limited call too often.
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
  const found = token && (await callerOf(db, token, settings, { counts: !background, limited }))
  if (!found) throw problem('unauthenticated')
  const { caller, count } = found
  // Before anything refuses them, so that the log says whom.
  request.staff = caller.id
  if (!allows(contract.roles, roles, caller.groups) && !withoutRole) throw problem('forbidden')
  if (perMinute && count) refuseBeyond(perMinute, count)
  return caller
}

/** Refuses a change that a page of ours did not send: foreign sites, neighbouring hosts, prefetches, a missing or old anti-forgery value. */
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
