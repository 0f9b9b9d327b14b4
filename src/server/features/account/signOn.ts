import { sql } from 'kysely'
import { logAccess } from '../../access/accessLog.ts'
import { authorizationUrl, type Identity, identityOf } from '../../access/openid/authorization.ts'
import { providerOf } from '../../access/openid/configuration.ts'
import { encryptIdToken } from '../../access/openid/endSessionUrl.ts'
import { type Link, linkOf, rememberUnknown, storeSignOn } from '../../access/openid/links.ts'
import { takeRequest } from '../../access/openid/signOnRequest.ts'
import { callerOf, tokenOf } from '../../access/session.ts'
import { startSession } from '../../access/startSession.ts'
import { hashToken } from '../../access/token.ts'
import type { Call, Caller, Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { applyGroups } from './applyGroups.ts'
import { createAccount } from './createAccount.ts'
import { profileOf } from './profile.ts'

/** Begins a sign-on: the reply has the address at the provider that the page goes to. */
export const start: Handler = async (call) => {
  const { provider, purpose } = await validateBody(call, call.contract.bodies.startSignOn, call.body)
  const sessionHash = purpose === 'sign in' ? undefined : (await sessionOf(call)).hash
  const named = providerOf(call.settings, provider)
  return { url: await authorizationUrl(call, named, { purpose: purpose as 'sign in', sessionHash }) }
}

/** Ends a sign-on with the answer that the provider has sent the browser back with. */
export const finish: Handler = async (call) => {
  const { provider: id, query } = await validateBody(call, call.contract.bodies.finishSignOn, call.body)
  const provider = providerOf(call.settings, id)
  const state = new URLSearchParams(query).get('state') ?? ''
  const request = await takeRequest(call, provider.id, state)
  const identity = await identityOf(call, provider, request, { state, query })
  if (request.purpose === 'sign in') return signIn(call, identity)
  const session = await sessionOf(call)
  // Only the session that asked, not another one of this browser.
  if (!request.session_hash?.equals(session.hash)) throw problem('signOnExpired')
  return request.purpose === 'connect'
    ? propose(call, identity, session.hash)
    : confirm(call, identity, session)
}

/** Signs in the person of a subject; an unknown subject gets an account only if the settings say so. */
async function signIn(call: Call, identity: Identity) {
  const { db, settings } = call
  const link = (await linkOf(db, identity)) ?? (await firstSignIn(call, identity))
  if (!link) {
    await rememberUnknown(db, identity)
    await logAccess(call, identity.username, false, false)
    throw problem('signOnUnknown')
  }
  await db.transaction().execute(async (tx) => {
    // Without groups from the provider, the person loses the roles that groups gave.
    const { issuer, groups = [] } = identity
    await applyGroups({ db: tx, settings }, { id: link.id, staff: link.staff, issuer, groups })
    await storeSignOn(tx, settings, link.id, identity)
  })
  const { sid, authTime } = identity
  const proof = { link: link.id, sid, authTime, idToken: encryptIdToken(call, identity.idToken) }
  const started = await startSession(call, link.staff, link.username.toLowerCase(), proof)
  if (!started) throw problem('signOnClosed')
  return { outcome: 'signed in', key: started.key, user: await profileOf({ ...call, me: started.me }) }
}

async function firstSignIn({ db, settings }: Call, identity: Identity): Promise<Link | undefined> {
  if (settings.OPENID_CREATE_ACCOUNTS !== 1) return undefined
  return db.transaction().execute((tx) => createAccount({ db: tx, settings }, identity))
}

/**
 * Proposes to connect a subject with the person of a session, who must confirm it: somebody else may have signed the
 * browser in at the provider.
 */
async function propose({ db }: Call, identity: Identity, sessionHash: Buffer) {
  if (await linkOf(db, identity)) throw problem('signOnLinked')
  const id = await rememberUnknown(db, identity, sessionHash)
  return { outcome: 'connect', id, name: identity.name || identity.username || identity.subject }
}

/** Notes that the person of a session has proved again who they are. */
async function confirm({ db }: Call, identity: Identity, { caller, hash }: Session) {
  const link = await linkOf(db, identity)
  if (link?.staff !== caller.id || identity.authTime === undefined) throw problem('signOnOther')
  await sql`update session set authenticated_at = least(now(), to_timestamp(${identity.authTime}))
    where token_hash = ${hash}`.execute(db)
  return { outcome: 'confirmed' }
}

interface Session {
  caller: Caller
  hash: Buffer
}

/** The session of a public call; throws a 401 if there is none. */
async function sessionOf(call: Call): Promise<Session> {
  const token = tokenOf(call.request.headers.authorization)
  const found = token && (await callerOf(call, token))
  if (!found) throw problem('unauthenticated')
  return { caller: found.caller, hash: hashToken(token) }
}
