import { sql } from 'kysely'
import type { Staff } from '../../contract/types/entities.ts'
import type { Call } from '../core/call.ts'
import type { Db, Sql } from '../core/db.ts'
import { isAddress, oneLine, sendMail } from './mail.ts'

/** The data of a member of staff for a mail to them. */
export type Person = Pick<Staff, 'id' | 'username' | 'first_name' | 'email' | 'status'>

/** The member of staff that meets a condition; undefined if there is none. */
export async function personWhere(db: Db, where: Sql): Promise<Person | undefined> {
  const { rows } =
    await sql<Person>`select id, username, first_name, email, status from staff where ${where}`.execute(db)
  return rows[0]
}

export function hasAddress(person: Person): person is Person & { email: string } {
  return person.email !== null && isAddress(person.email)
}

/** Mails a greeting and paragraphs to a member of staff; rejects if the mail server does not accept the mail. */
export async function mailPerson(
  { settings, request }: Call,
  { first_name, username, email }: Person & { email: string },
  subject: string,
  paragraphs: string[],
): Promise<void> {
  const text = [`Hello ${oneLine(first_name || username)},`, ...paragraphs, ''].join('\n\n')
  await sendMail({ settings, log: request.log }, { to: email, subject, text })
}
