import type { Call } from '../core/call.ts'
import { logAccess } from './accessLog.ts'
import { clearGuesses, type GuessKind, reserveGuess, returnGuess, tooManyGuesses } from './lockout.ts'

/**
 * Runs a check of a password or second factor; true if it succeeds. A guess of this kind is reserved before it, and a
 * failure counts as one, so that parallel attempts cannot exceed the limit.
 */
export async function checkProof(
  call: Call,
  username: string,
  kind: GuessKind,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const name = username.toLowerCase()
  if (!(await reserveGuess(call, name, kind))) {
    await logAccess(call, name, false, true)
    throw tooManyGuesses(call, 'locked')
  }
  const isRight = await check().catch(async (error) => {
    await returnGuess(call, name, kind)
    throw error
  })
  if (isRight) await clearGuesses(call, name, kind)
  else await logAccess(call, name, false, false)
  return isRight
}
