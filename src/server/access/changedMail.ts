import { sql } from 'kysely'
import { afterReply } from '../core/afterReply.ts'
import type { Call } from '../core/call.ts'
import { oneLine } from './mail.ts'
import { hasAddress, mailPerson, personWhere } from './mailPerson.ts'

const SUBJECT = 'Your password was changed'
const NOT_YOU =
  'If it was not you, somebody else may be using your name: open the sign-in page, choose “Forgotten your password?” and set another one, which signs out everybody who is signed in by your name. Then tell your administrator.'

/** Mails a person, after the reply, that their password was changed; does nothing without an address. */
export function mailPasswordChanged(call: Call, staff: number): void {
  const at = momentOf(new Date(), call.settings.TIME_ZONE)
  afterReply(call, async (db) => {
    const person = await personWhere(db, sql`id = ${staff}`)
    if (!person || !hasAddress(person)) return
    const what = `The password of the user name ${oneLine(person.username)} was changed on ${at}.`
    await mailPerson(call, person, SUBJECT, [what, 'If it was you, there is nothing to do.', NOT_YOU])
  })
}

/** Mails a person, after the reply, that an account at a provider was connected with theirs, or disconnected. */
export function mailSignOnChanged(call: Call, staff: number, what: 'connected' | 'disconnected'): void {
  const at = momentOf(new Date(), call.settings.TIME_ZONE)
  const link = what === 'connected' ? 'connected with' : 'disconnected from'
  afterReply(call, async (db) => {
    const person = await personWhere(db, sql`id = ${staff}`)
    if (!person || !hasAddress(person)) return
    await mailPerson(call, person, `A way to sign in was ${what}`, [
      `An account of another organisation was ${link} the user name ${oneLine(person.username)} on ${at}.`,
      'If you know of it, there is nothing to do. Otherwise tell your administrator at once.',
    ])
  })
}

/**
 * Mails a person, after the reply, what was changed of their second factors; with `of` an administrator, what they
 * changed of another person.
 */
export function mailFactorChanged(call: Call, staff: number, what: string, of = staff): void {
  const at = momentOf(new Date(), call.settings.TIME_ZONE)
  afterReply(call, async (db) => {
    const [person, whose] = await Promise.all([staff, of].map((id) => personWhere(db, sql`id = ${id}`)))
    if (!person || !whose || !hasAddress(person)) return
    await mailPerson(call, person, what, [
      `${what}: of the user name ${oneLine(whose.username)}, on ${at}.`,
      'If you know of it, there is nothing to do. Otherwise tell your administrator at once.',
    ])
  })
}

/** '21 November 2026, 20:50 (Europe/London)'. */
function momentOf(at: Date, timeZone: string): string {
  const day = at.toLocaleDateString('en-GB', { timeZone, dateStyle: 'long' })
  return `${day}, ${at.toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' })} (${timeZone})`
}
