import { sql } from 'kysely'
import type { Call } from './call.ts'
import { isAddress, oneLine, sendMail } from './mail.ts'
import { fieldProblem, problem } from './problems.ts'
import { makeToken } from './resetLink.ts'

interface Person {
  id: number
  username: string
  first_name: string
  email: string | null
  status: number
}

const ASKED = 'Somebody, most likely you, asked for a new password'
const INVITED = 'An administrator asks you to set a new password'
const SUBJECT = 'Set a new password'
const MAY_SIGN_IN = [1, 4]

/**
 * Mails a person a link to set a new password, for an administrator; throws a 404 for nobody, a 400 by field for whoever has no address
 * or may not sign in, a 503 where the mail server does not take it.
 */
export async function sendReset(call: Call, staffId: number): Promise<void> {
  const person = await find(call, sql`id = ${staffId}`)
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
  const person = await find(call, sql`lower(username) = ${username}`)
  if (person && MAY_SIGN_IN.includes(person.status) && hasAddress(person)) await send(call, person, ASKED)
}

async function find({ db }: Call, where: ReturnType<typeof sql>): Promise<Person | undefined> {
  const { rows } =
    await sql<Person>`select id, username, first_name, email, status from staff where ${where}`.execute(db)
  return rows[0]
}

function hasAddress(person: Person): person is Person & { email: string } {
  return person.email !== null && isAddress(person.email)
}

async function send(call: Call, person: Person & { email: string }, why: string): Promise<void> {
  const link = `${publicAddress(call)}/reset-password/${await makeToken(call.db, person.id)}`
  await sendMail(
    { settings: call.settings, log: call.request.log },
    { to: person.email, subject: SUBJECT, text: words(person, why, link) },
  )
}

function words({ first_name, username }: Person, why: string, link: string): string {
  return [
    `Hello ${oneLine(first_name || username)},`,
    `${why} for the user name ${oneLine(username)}. To set one, open this page within one hour:`,
    link,
    'The link works once. If you do nothing, your password stays as it is.',
    '',
  ].join('\n\n')
}

/** Where people reach the product: never taken from what a request says of itself, which anybody may write. */
function publicAddress({ settings, request }: Call): string {
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST
  const here = `http://${host}:${request.socket.localPort}`
  return (settings.PUBLIC_URL || here).replace(/\/+$/, '')
}
