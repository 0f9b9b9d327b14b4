import { sql } from 'kysely'
import type { Call } from '../core/call.ts'
import { openidProviders } from '../core/openidProviders.ts'
import { fieldProblem, problem } from '../core/problems.ts'
import { oneLine, publicAddress } from './mail.ts'
import { hasAddress, mailPerson, type Person, personWhere } from './mailPerson.ts'
import { maySignIn } from './maySignIn.ts'
import { isPasswordOff, mayGetPassword } from './mayUsePassword.ts'
import { makeLink } from './resetLink.ts'

/** The subject of a mail, and its paragraphs before and after the link. */
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
const REQUESTED_BY_PERSON = 'Somebody, most likely you, asked for a new password'
const REQUESTED_BY_ADMINISTRATOR = 'An administrator asks you to set a new password'

const welcome = ({ username }: Person, product: string, address: string): MailText => ({
  subject: `Welcome to ${product}`,
  before: [
    `An administrator added you to ${product}, at ${address}`,
    `Your user name is ${oneLine(username)}`,
    'To set a password, open this page within one hour:',
  ],
  after: [
    `The link works once. If it has expired, choose “Forgotten your password?” on the page where you sign in, ${address}/login, and give your user name: another link comes by email.`,
  ],
})

const welcomeBySignOn = (person: Person, product: string, address: string, providers: string) => ({
  subject: `Welcome to ${product}`,
  paragraphs: [
    `An administrator added you to ${product}, at ${address}`,
    `Sign in there with ${providers}. The first time, you are told that you are not known yet: an administrator then connects your account with the user name ${oneLine(person.username)}.`,
  ],
})

/**
 * Mails a person a link to set a new password, for an administrator; a new person gets a welcome mail. Throws a 404 if
 * there is no such person, a 400 by field if they have no address or may not sign in, a
 * 409 if they sign in by a provider alone, and a 503 if the mail server does
 * not accept the mail.
 */
export async function sendReset(call: Call, staffId: number, isNew = false): Promise<void> {
  const person = await personWhere(call.db, sql`id = ${staffId}`)
  if (!person) throw problem('notFound')
  if (!maySignIn(person))
    throw fieldProblem({ status: ['Only a person who may sign in can be sent a password link'] })
  if (!hasAddress(person)) throw fieldProblem({ email: ['Email is needed to send a password link'] })
  const { settings } = call
  const isWithout = isPasswordOff(settings, person)
  if (isWithout && !isNew) throw problem('passwordsOff')
  const mayHaveOne = mayGetPassword(settings, 'staff')
  if (!isWithout && !(await personWhere(call.db, sql`id = ${staffId} and ${mayHaveOne}`)))
    throw problem('signsInElsewhere')
  try {
    if (isWithout) {
      const providers = openidProviders(settings.OPENID_PROVIDERS).map(({ name }) => name)
      const { subject, paragraphs } = welcomeBySignOn(
        ...([person, settings.PRODUCT_NAME, publicAddress(call), providers.join(' or ')] as const),
      )
      await mailPerson(call, person, subject, paragraphs)
    } else
      await send(
        call,
        person,
        isNew
          ? welcome(person, settings.PRODUCT_NAME, publicAddress(call))
          : forgotten(REQUESTED_BY_ADMINISTRATOR, person),
      )
  } catch (error) {
    call.request.log.error(
      { id: call.request.id, code: (error as { code?: string }).code },
      'a mail was not sent',
    )
    throw problem('mailFailed')
  }
}

/** Mails a link to the person with a user name, if there is one who may have a password and has an address. */
export async function sendResetTo(call: Call, username: string): Promise<void> {
  const person = await personWhere(
    call.db,
    sql`lower(username) = ${username} and ${mayGetPassword(call.settings, 'staff')}`,
  )
  if (person && maySignIn(person) && hasAddress(person))
    await send(call, person, forgotten(REQUESTED_BY_PERSON, person))
}

async function send(call: Call, person: Person & { email: string }, text: MailText): Promise<void> {
  const link = `${publicAddress(call)}/reset-password/${await makeLink(call.db, person.id)}`
  await mailPerson(call, person, text.subject, [...text.before, link, ...text.after])
}
