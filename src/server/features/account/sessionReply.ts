import { rememberDevice } from '../../access/knownDevice.ts'
import { afterPassword } from '../../access/secondFactor/signInStep.ts'
import { trustDevice } from '../../access/secondFactor/trustedDevice.ts'
import { startSession } from '../../access/startSession.ts'
import type { Call } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { profileOf } from './profile.ts'

/** The reply to a right password: a session, or the step that is missing before there is one. */
export async function replyAfterPassword(call: Call, id: number, name: string) {
  const next = await afterPassword(call, id)
  return 'step' in next ? next.step : sessionReply(call, id, name, next)
}

interface Proved {
  proof: 'password' | 'second factor'
  /** True if the browser needs no second factor for some time. */
  isTrusted?: boolean
}

/**
 * Starts a session, and returns its token and the person's profile. A person who may not sign in gets the same error as
 * after a wrong password.
 */
export async function sessionReply(call: Call, id: number, name: string, { proof, isTrusted }: Proved) {
  const started = await startSession(call, id, name, proof)
  if (!started) throw problem('wrongPassword')
  const device = await rememberDevice(call, id)
  if (isTrusted) await trustDevice(call, id, device)
  return { key: started.key, user: await profileOf({ ...call, me: started.me }) }
}
