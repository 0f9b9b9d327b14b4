import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The mails of an outbox, oldest first; with `subject` only those whose subject begins with it. */
export function outboxOf(folder: string, subject = ''): string[] {
  try {
    const files = readdirSync(join(folder, 'outbox')).sort()
    const mails = files.map((file) => decodeMail(readFileSync(join(folder, 'outbox', file), 'utf8')))
    return mails.filter((mail) => mail.includes(`\r\nSubject: ${subject}`))
  } catch {
    return []
  }
}

/** The mails with a link to set a password, oldest first. */
export function linksIn(folder: string): string[] {
  return outboxOf(folder).filter((mail) => mail.includes('/reset-password/'))
}

/** Token of the link in a mail. */
export function tokenIn(mail: string): string {
  return mail.match(/\/reset-password\/([\w-]+)/)![1]
}

/** A mail with its quoted-printable text decoded. */
export function decodeMail(mail: string): string {
  if (!/^content-transfer-encoding: quoted-printable/im.test(mail)) return mail
  const [, head, text] = mail.match(/^(.*?\r?\n\r?\n)(.*)$/s)!
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return head + Buffer.from(bytes, 'latin1').toString('utf8')
}
