import type { FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Endpoint } from '../../contract/generated.ts'
import type { Db } from '../db.ts'
import { problem } from '../problems.ts'
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

/** Who calls: nobody for public calls; otherwise the session's person, whose roles the descriptor must allow. */
export async function authenticate(
  { db, contract, settings }: { db: Db; contract: Contract; settings: Settings },
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Caller> {
  if (endpoint.roles === 'public') return NOBODY
  const token = tokenOf(request.headers.authorization)
  const me = token && (await callerOf(db, token, settings, { counts: !endpoint.background }))
  if (!me) throw problem('unauthenticated')
  if (!allows(contract.roles, endpoint.roles, me.groups) && !endpoint.withoutRole) throw problem('forbidden')
  return me
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
