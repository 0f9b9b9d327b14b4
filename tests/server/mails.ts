import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The mails of an outbox, the oldest first; of a subject only those. */
export function outboxOf(folder: string, subject = ''): string[] {
  try {
    const files = readdirSync(join(folder, 'outbox')).sort()
    const mails = files.map((file) => readFileSync(join(folder, 'outbox', file), 'utf8'))
    return mails.filter((mail) => mail.includes(`\r\nSubject: ${subject}`))
  } catch {
    return []
  }
}

/** The mails that bring a link to set a password, the oldest first. */
export function linksIn(folder: string): string[] {
  return outboxOf(folder).filter((mail) => mail.includes('/reset-password/'))
}

/** Token of the link in a mail. */
export function tokenIn(mail: string): string {
  return mail.match(/\/reset-password\/([\w-]+)/)![1]
}
