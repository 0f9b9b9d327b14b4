import { sql } from 'kysely'
import type { Call } from './call.ts'
import { oneLine } from './mail.ts'
import { hasAddress, mailPerson, type Person, personWhere } from './mailPerson.ts'
import { fieldProblem, problem } from './problems.ts'
import { makeToken } from './resetLink.ts'

const ASKED = 'Somebody, most likely you, asked for a new password'
const INVITED = 'An administrator asks you to set a new password'
const SUBJECT = 'Set a new password'
const MAY_SIGN_IN = [1, 4]

/**
 * Mails a person a link to set a new password, for an administrator; throws a 404 for nobody, a 400 by field for whoever has no address
 * or may not sign in, a 503 where the mail server does not take it.
 */
export async function sendReset(call: Call, staffId: number): Promise<void> {
  const person = await personWhere(call.db, sql`id = ${staffId}`)
  if (!person) throw problem('notFound')
  if (!MAY_SIGN_IN.includes(person.status))
    throw fieldProblem({ status: ['Only a person who may sign in can be sent a password link'] })
  if (!hasAddress(person)) throw fieldProblem({ email: ['Email is needed to send a password link'] })
  try {
    await send(call, person, INVITED)
  } catch (error) {
    call.request.log.error(
      { id: call.request.id, code: (error as { code?: string }).code },
      'a mail was not sent',
    )
    throw problem('mailFailed')
  }
}

/** Mails a link to the person of a user name; whoever is not known or has no address gets none. */
export async function sendResetTo(call: Call, username: string): Promise<void> {
  const person = await personWhere(call.db, sql`lower(username) = ${username}`)
  if (person && MAY_SIGN_IN.includes(person.status) && hasAddress(person)) await send(call, person, ASKED)
}

async function send(call: Call, person: Person & { email: string }, why: string): Promise<void> {
  const link = `${publicAddress(call)}/reset-password/${await makeToken(call.db, person.id)}`
  await mailPerson(call, person, SUBJECT, [
    `${why} for the user name ${oneLine(person.username)}. To set one, open this page within one hour:`,
    link,
    'The link works once. If you do nothing, your password stays as it is.',
  ])
}

/** Where people reach the product: never taken from what a request says of itself, which anybody may write. */
function publicAddress({ settings, request }: Call): string {
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST
  const here = `http://${host}:${request.socket.localPort}`
  return (settings.PUBLIC_URL || here).replace(/\/+$/, '')
}
