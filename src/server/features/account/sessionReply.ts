import { rememberDevice } from '../../access/knownDevice.ts'
import { trustDevice } from '../../access/secondFactor/trustedDevice.ts'
import { startSession } from '../../access/startSession.ts'
import type { Call } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { profileOf } from './profile.ts'

/**
 * Starts a session, and returns its token and the person's profile. A person who may not sign in gets the same error as
 * after a wrong password. With `isTrusted` the browser needs no second factor for some time.
 */
export async function sessionReply(call: Call, id: number, name: string, isTrusted = false) {
  const started = await startSession(call, id, name)
  if (!started) throw problem('wrongPassword')
  const device = await rememberDevice(call, id)
  if (isTrusted) await trustDevice(call, id, device)
  return { key: started.key, user: await profileOf({ ...call, me: started.me }) }
}
