import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createTransport } from 'nodemailer'
import { broken } from '../contract/rules.ts'
import type { Settings } from './settings.ts'

/** A mail to one person, in plain text. */
export interface Letter {
  to: string
  subject: string
  text: string
}
interface World {
  settings: Settings
  log: FastifyBaseLogger
}

/** Milliseconds that a mail server is waited for, at each step. */
const PATIENCE = 10_000
/** A letter names no file and no address to fetch its parts from. */
const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

/**
 * Hands a mail to the SMTP server of the settings; without one it is put as a file into DATA_DIR/outbox, of which the log
 * tells where, and to whom nobody. Rejects where the server does not take it.
 */
export async function sendMail({ settings, log }: World, { to, subject, text }: Letter): Promise<void> {
  if (!isAddress(to)) throw new Error('Not the address of one person')
  const letter = {
    from: settings.MAIL_FROM,
    // An object is one address; a text could be a list of them.
    to: { name: '', address: to },
    subject: oneLine(subject),
    text,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...CLOSED,
  }
  if (settings.SMTP_URL) {
    await send(settings.SMTP_URL, letter)
    return log.info('a mail was handed to the mail server')
  }
  const made = await createTransport({ streamTransport: true, buffer: true }).sendMail(letter)
  const file = keep(join(settings.DATA_DIR, 'outbox'), made.message as Buffer)
  log.info({ file }, 'a mail was put into the outbox: SMTP_URL names no mail server')
}

/** Whether a text is one mail address and nothing else: no list, no second line, no name around it. */
export function isAddress(text: string): boolean {
  return !/[\p{C}<>()[\],;:"\\]/u.test(text) && !broken('email', text, { answers: {}, today: '' })
}

/** A text as one line: what somebody calls themselves must not write lines of its own. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
}

async function send(url: string, letter: object): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  })
  try {
    await transport.sendMail(letter)
  } finally {
    transport.close()
  }
}

/** Writes a mail down for its reader alone, under a name that sorts by time; answers where. */
function keep(folder: string, content: Buffer): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const file = join(folder, `${time}-${randomBytes(3).toString('hex')}.eml`)
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
  return file
}
