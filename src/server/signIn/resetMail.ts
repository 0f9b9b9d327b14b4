import { sql } from 'kysely'
import type { Call } from '../call.ts'
import { fieldProblem, problem } from '../problems.ts'
import { oneLine, publicAddress } from './mail.ts'
import { hasAddress, mailPerson, type Person, personWhere } from './mailPerson.ts'
import { maySignIn } from './maySignIn.ts'
import { makeLink } from './resetLink.ts'

/** What a mail says around its link: its subject, what comes before and after. */
interface MailText {
  subject: string
  before: string[]
  after: string[]
}

const forgotten = (why: string, { username }: Person): MailText => ({
  subject: 'Set a new password',
  before: [`${why} for the user name ${oneLine(username)}. To set one, open this page within one hour:`],
  after: ['The link works once. If you do nothing, your password stays as it is.'],
})
const ASKED_BY_THEMSELVES = 'Somebody, most likely you, asked for a new password'
const ASKED_BY_ADMINISTRATOR = 'An administrator asks you to set a new password'

const welcome = ({ username }: Person, product: string, address: string): MailText => ({
  subject: `Welcome to ${product}`,
  before: [
    `An administrator added you to ${product}, at ${address}`,
    `Your user name is ${oneLine(username)}`,
    'To set a password, open this page within one hour:',
  ],
  after: [
    `The link works once. If it is too late for it, choose “Forgotten your password?” on the page where you sign in, ${address}/login, and give your user name: another link comes by mail.`,
  ],
})

/**
 * Mails a person a link to set a new password, for an administrator; throws a 404 for nobody, a 400 by field for whoever has no address
 * or may not sign in, a 503 where the mail server does not take it. Whoever was just added is made welcome.
 */
export async function sendReset(call: Call, staffId: number, isNew = false): Promise<void> {
  const person = await personWhere(call.db, sql`id = ${staffId}`)
  if (!person) throw problem('notFound')
  if (!maySignIn(person))
    throw fieldProblem({ status: ['Only a person who may sign in can be sent a password link'] })
  if (!hasAddress(person)) throw fieldProblem({ email: ['Email is needed to send a password link'] })
  try {
    await send(
      call,
      person,
      isNew
        ? welcome(person, call.settings.PRODUCT_NAME, publicAddress(call))
        : forgotten(ASKED_BY_ADMINISTRATOR, person),
    )
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
  if (person && maySignIn(person) && hasAddress(person))
    await send(call, person, forgotten(ASKED_BY_THEMSELVES, person))
}

async function send(call: Call, person: Person & { email: string }, text: MailText): Promise<void> {
  const link = `${publicAddress(call)}/reset-password/${await makeLink(call.db, person.id)}`
  await mailPerson(call, person, text.subject, [...text.before, link, ...text.after])
}
