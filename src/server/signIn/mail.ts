import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { SendMailOptions } from 'nodemailer'
import { ruleError } from '../../contract/rules.ts'
import type { Call } from '../call.ts'
import type { Settings } from '../settings.ts'
import { withSpan } from '../tracing/withSpan.ts'

/** A mail to one person, in plain text. */
export interface Mail {
  to: string
  subject: string
  text: string
}
interface MailContext {
  settings: Settings
  log: FastifyBaseLogger
}

/** How mails went since this server started: when the last was taken, and when one was not and why. */
export const mailOutcomes: { sentAt?: Date; failedAt?: Date; error?: string } = {}

/** Milliseconds that a mail server is waited for, at each step. */
const TIMEOUT_MS = 10_000

/**
 * Hands a mail to the SMTP server of the settings; without one it is put as a file into DATA_DIR/outbox, of which the log
 * tells where, and to whom nobody. Rejects where the server does not take it.
 */
export async function sendMail({ settings, log }: MailContext, { to, subject, text }: Mail): Promise<void> {
  if (!isAddress(to)) throw new Error('Not the address of one person')
  const message = {
    from: settings.MAIL_FROM || { name: oneLine(settings.PRODUCT_NAME), address: 'no-reply@localhost' },
    to,
    subject: oneLine(subject),
    text,
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

/** Whether a text is one mail address and nothing else: no list, no second line, no name around it. */
export function isAddress(text: string): boolean {
  return /^[!-~]+$/.test(text) && !/[<>()[\],;:"\\]/.test(text) && !ruleError('email', text, NO_FACTS)
}

const NO_FACTS = { answers: {}, today: '' }

/** Where people reach the product: never taken from what a request says of itself, which anybody may write. */
export function publicAddress({ settings, request }: Pick<Call, 'settings' | 'request'>): string {
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST
  const here = `http://${host}:${request.socket.localPort}`
  return (settings.PUBLIC_URL || here).replace(/\/+$/, '')
}

/** A text as one line: what somebody calls themselves must not write lines of its own. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
}

/** Loaded with the first mail: most servers send few. */
const mailer = () => import('nodemailer')

async function compose(message: SendMailOptions): Promise<Buffer> {
  const { createTransport } = await mailer()
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return (await composer.sendMail(message)).message as Buffer
}

async function send(url: string, mail: SendMailOptions): Promise<void> {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const { createTransport } = await mailer()
  // A password never travels in the clear: a server that takes one must offer TLS first.
  const requireTLS = new URL(url).password !== ''
  const transport = createTransport({ url, requireTLS, ...timeouts })
  try {
    await transport.sendMail(mail)
  } finally {
    transport.close()
  }
}

/** Writes a mail down for its reader alone, under a name that sorts by time; answers where. */
function writeToOutbox(folder: string, content: Buffer): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const file = join(folder, `${time}-${randomBytes(3).toString('hex')}.eml`)
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
  return file
}
