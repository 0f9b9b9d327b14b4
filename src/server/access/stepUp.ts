import { sql } from 'kysely'
import type { Endpoint } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import type { Call } from '../core/call.ts'
import { openidProviders, providerOfIssuer } from '../core/openidProviders.ts'
import { problem } from '../core/problems.ts'
import type { Settings } from '../core/settings.ts'
import { mayUsePassword } from './mayUsePassword.ts'
import { offersPasskeys } from './relyingParty.ts'
import { type Factors, factorColumns } from './secondFactors.ts'
import { tokenOf } from './session.ts'
import { hashToken } from './token.ts'

/** Seconds for which a proof of who a person is counts: that of the sign-in, or a later one. */
export const FRESH_SECONDS = 300

type StepUpCall = Pick<Call, 'db' | 'settings' | 'request'>

/** True if a call with this body needs a recent proof of who the person is: some always do, others where STEP_UP=1. */
export function needsStepUp({ stepUp }: Endpoint, body: Values, { STEP_UP }: Settings): boolean {
  if (stepUp === 'always') return true
  if (STEP_UP !== 1) return false
  return Array.isArray(stepUp) ? stepUp.some((key) => Object.hasOwn(body, key)) : stepUp === true
}

/**
 * Refuses a call if the last proof of the session is older than five minutes. The refusal has the ways in which the
 * person can prove who they are.
 */
export async function refuseStale(call: StepUpCall): Promise<void> {
  const { db, settings, request } = call
  const { rows } = await sql<Proofs>`select
      x.authenticated_at > now() - make_interval(secs => ${FRESH_SECONDS}) as "isFresh",
      s.password_hash is not null and ${mayUsePassword(settings, 's')} as password, ${factorColumns('s')},
      array(select issuer from openid_link l where l.staff = s.id) as issuers
    from session x join staff s on s.id = x.staff
    where x.token_hash = ${hashToken(tokenOf(request.headers.authorization) ?? '')}`.execute(db)
  if (!rows[0]) throw problem('unauthenticated')
  const { isFresh, password, authenticator, issuers } = rows[0]
  if (isFresh) return
  const passkey = rows[0].passkey && offersPasskeys(call)
  const linked = issuers.map((issuer) => providerOfIssuer(settings.OPENID_PROVIDERS, issuer)?.id)
  const providers = openidProviders(settings.OPENID_PROVIDERS)
    .filter(({ id }) => linked.includes(id))
    .map(({ id, name }) => ({ id, name }))
  throw problem('step_up', { password, authenticator, passkey, providers })
}

interface Proofs extends Factors {
  isFresh: boolean
  password: boolean
  issuers: string[]
}

/**
 * Notes that the person of a session has just proved who they are; a second factor also makes it a session by second
 * factor.
 */
export async function noteProof(
  { db, request }: StepUpCall,
  proof: 'password' | 'second factor',
): Promise<void> {
  const token = tokenOf(request.headers.authorization) ?? ''
  const isMore = proof === 'second factor'
  await sql`update session set authenticated_at = now(),
      proved_by = case when ${isMore} and proved_by = 'password' then 'second factor' else proved_by end
    where token_hash = ${hashToken(token)}`.execute(db)
}
