import { sql } from 'kysely'
import { afterReply } from '../afterReply.ts'
import type { Call, Handler } from '../call.ts'
import { judgeBody } from '../judge/judgeBody.ts'
import { fieldProblem, problem } from '../problems.ts'
import { logAccess } from '../signIn/accessLog.ts'
import { tellChanged } from '../signIn/changedMail.ts'
import { clearGuesses, reserveGuess, tooManyGuesses } from '../signIn/lockout.ts'
import { isPassword } from '../signIn/password.ts'
import { refusePassword } from '../signIn/passwordRule.ts'
import { type Invited, invitedBy, useToken } from '../signIn/resetLink.ts'
import { sendResetTo } from '../signIn/resetMail.ts'
import { tokenOf } from '../signIn/session.ts'
import { setPassword } from '../signIn/setPassword.ts'

/** Changes one's own password; whoever only found an open page does not know the old one, and may not guess on. */
export const change: Handler = async (call) => {
  const { db, me, contract, request, reply } = call
  const body = await judgeBody(call, contract.bodies.changePassword, call.body)
  const [given, wanted] = [String(body.old_password), String(body.password)]
  const name = me.username.toLowerCase()
  if (!(await reserveGuess(call, name))) {
    await logAccess(call, name, false, true)
    throw tooManyGuesses(call, 'locked')
  }
  const { rows } = await sql<{
    hash: string | null
  }>`select password_hash as hash from staff where id = ${me.id}`.execute(db)
  if (!(await isPassword(given, rows[0]?.hash))) {
    await logAccess(call, name, false, false)
    throw fieldProblem({ old_password: ['Old password is not right'] })
  }
  await clearGuesses(call, name)
  refusePassword(wanted, me.username)
  if (wanted === given) throw fieldProblem({ password: ['Password must not be the old one'] })
  await db
    .transaction()
    .execute((tx) => setPassword({ ...call, db: tx }, me.id, wanted, tokenOf(request.headers.authorization)))
  tellChanged(call, me.id)
  reply.code(204)
}

/** Mails a link to a person who forgot their password. Nothing tells whether there is such a person, nor does the time it takes. */
export const ask: Handler = async (call) => {
  const { username } = await judgeBody(call, call.contract.bodies.forgotten, call.body)
  const name = String(username).trim().toLowerCase()
  if (!(await reserveGuess(call, name, 'reset'))) {
    await logAccess(call, name, false, true)
    throw tooManyGuesses(call, 'tooOften')
  }
  afterReply(call, () => sendResetTo(call, name))
  call.reply.code(204)
}

/** Whether a link is good, and whose it is: a browser keeps the new password under that name. */
export const check: Handler = async (call) => {
  const { username } = await judgeLink(call)
  return { username }
}

/** Sets a new password by a link, which this uses up; whoever was locked out by wrong ones may sign in again. */
export const set: Handler = async (call) => {
  const { db, contract, params, reply } = call
  const body = await judgeBody(call, contract.bodies.newPassword, call.body)
  const invited = await judgeLink(call)
  const password = String(body.password)
  refusePassword(password, invited.username)
  await db.transaction().execute(async (tx) => {
    if (!(await useToken(tx, String(params.token)))) throw problem('deadLink')
    await setPassword({ ...call, db: tx }, invited.id, password)
  })
  const name = invited.username.toLowerCase()
  await clearGuesses(call, name)
  await clearGuesses(call, name, 'reset')
  tellChanged(call, invited.id)
  reply.code(204)
}

/** Whom a link is for; a guess at one counts for the address it comes from, until it was right. */
async function judgeLink(call: Call): Promise<Invited> {
  const { ip } = call.request
  if (!(await reserveGuess(call, ip, 'link'))) {
    await logAccess(call, '', false, true)
    throw tooManyGuesses(call, 'tooOften')
  }
  const invited = await invitedBy(call.db, String(call.params.token))
  if (!invited) {
    await logAccess(call, '', false, false)
    throw problem('deadLink')
  }
  await clearGuesses(call, ip, 'link')
  return invited
}
