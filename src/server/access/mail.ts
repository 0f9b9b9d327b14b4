import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { SendMailOptions } from 'nodemailer'
import { ruleError } from '../../contract/rules.ts'
import type { Call } from '../core/call.ts'
import type { Settings } from '../core/settings.ts'
import { withSpan } from '../core/withSpan.ts'

/** A mail to one person, in plain text. */
export interface Mail {
  to: string
  subject: string
  text: string
  /** Identifies the mail if it is sent again; omitted: a random one. */
  id?: string
}
interface MailContext {
  settings: Settings
  log: FastifyBaseLogger
}

/** Outcomes of mails since this server started: when the last one was sent, and when one failed with which error. */
export const mailOutcomes: { sentAt?: Date; failedAt?: Date; error?: string } = {}

/** Timeout of each step with the mail server, in milliseconds. */
const TIMEOUT_MS = 10_000

/**
 * Sends a mail through the SMTP server of the settings; without one, writes it to a file in DATA_DIR/outbox and logs
 * the path. Addresses are never logged. Rejects if the server does not accept the mail.
 */
export async function sendMail(
  { settings, log }: MailContext,
  { to, subject, text, id }: Mail,
): Promise<void> {
  if (!isAddress(to)) throw new Error('Not the address of one person')
  const message = {
    from: settings.MAIL_FROM || { name: oneLine(settings.PRODUCT_NAME), address: 'no-reply@localhost' },
    to,
    subject: oneLine(subject),
    text,
    ...(id && { messageId: `<${id}@${new URL(publicUrl(settings)).hostname}>` }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  if (settings.SMTP_URL) {
    try {
      await withSpan('send mail', () => send(settings.SMTP_URL, message))
    } catch (error) {
      mailOutcomes.failedAt = new Date()
      mailOutcomes.error = (error as { code?: string }).code
      throw error
    }
    mailOutcomes.sentAt = new Date()
    return log.info('a mail was handed to the mail server')
  }
  const file = writeToOutbox(join(settings.DATA_DIR, 'outbox'), await compose(message))
  mailOutcomes.sentAt = new Date()
  log.info({ file }, 'a mail was put into the outbox: SMTP_URL names no mail server')
}

/** True if a text is exactly one mail address: no list, no second line, no display name. */
export function isAddress(text: string): boolean {
  return /^[!-~]+$/.test(text) && !/[<>()[\],;:"\\]/.test(text) && !ruleError('email', text, NO_CONTEXT)
}

const NO_CONTEXT = { answers: {}, today: '' }

/** The base URL of the product for a call. It never uses the Host header, which anybody can forge. */
export function publicAddress({ settings, request }: Pick<Call, 'settings' | 'request'>): string {
  return publicUrl(settings, request.socket.localPort)
}

/** The base URL of the product: PUBLIC_URL, or else the address at which this server listens. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: Settings, port = PORT): string {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST
  return (PUBLIC_URL || `http://${host}:${port}`).replace(/\/+$/, '')
}

/** Joins a text to one line, so that a name cannot add lines to a mail. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
}

/** Loaded with the first mail, because most servers send few. */
const mailer = () => import('nodemailer')

async function compose(message: SendMailOptions): Promise<Buffer> {
  const { createTransport } = await mailer()
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return (await composer.sendMail(message)).message as Buffer
}

async function send(url: string, mail: SendMailOptions): Promise<void> {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const { createTransport } = await mailer()
  // Never send a password unencrypted: a server with one must offer TLS.
  const requireTLS = new URL(url).password !== ''
  const transport = createTransport({ url, requireTLS, ...timeouts })
  try {
    await transport.sendMail(mail)
  } finally {
    transport.close()
  }
}

/** Writes a mail to a file that only the owner can read, with a name that sorts by time; returns its path. */
function writeToOutbox(folder: string, content: Buffer): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const file = join(folder, `${time}-${randomBytes(3).toString('hex')}.eml`)
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
  return file
}
