import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createTransport } from 'nodemailer'
import { broken } from '../../contract/rules.ts'
import type { Settings } from '../settings.ts'

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

/**
 * Hands a mail to the SMTP server of the settings; without one it is put as a file into DATA_DIR/outbox, of which the log
 * tells where, and to whom nobody. Rejects where the server does not take it.
 */
export async function sendMail({ settings, log }: World, letter: Letter): Promise<void> {
  if (!isAddress(letter.to)) throw new Error('Not the address of one person')
  const from = addressIn(settings.MAIL_FROM)
  const raw = compose(settings.MAIL_FROM, letter)
  if (settings.SMTP_URL) {
    await send(settings.SMTP_URL, { raw, envelope: { from, to: letter.to, use8BitMime: true } })
    return log.info('a mail was handed to the mail server')
  }
  const file = keep(join(settings.DATA_DIR, 'outbox'), raw)
  log.info({ file }, 'a mail was put into the outbox: SMTP_URL names no mail server')
}

/** Whether a text is one mail address and nothing else: no list, no second line, no name around it. */
export function isAddress(text: string): boolean {
  return /^[!-~]+$/.test(text) && !/[<>()[\],;:"\\]/.test(text) && !broken('email', text, NO_FACTS)
}

const NO_FACTS = { answers: {}, today: '' }

/** A text as one line: what somebody calls themselves must not write lines of its own. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
}

/** The message as it goes over the wire. Its text is not folded, so that a link stays whole also for who reads the file. */
function compose(from: string, { to, subject, text }: Letter): string {
  const domain = addressIn(from).split('@').pop()
  const head = [
    `From: ${encoded(from)}`,
    `To: ${to}`,
    `Subject: ${encoded(subject)}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomUUID()}@${domain}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ]
  return [...head, '', ...text.split('\n')].join('\r\n')
}

/** The words of a header, of which only ASCII ones may stand as they are; an address after them does. */
function encoded(text: string): string {
  const [, words, address] = oneLine(text).match(/^(.*?)( <[^<>]*>)?$/)!
  const isPlain = /^[ -~]*$/.test(words)
  return (isPlain ? words : `=?utf-8?B?${Buffer.from(words).toString('base64')}?=`) + (address ?? '')
}

/** 'a@b' of 'Name <a@b>'. */
function addressIn(from: string): string {
  return from.match(/<([^<>]*)>/)?.[1] ?? from
}

async function send(url: string, mail: object): Promise<void> {
  const patience = { connectionTimeout: PATIENCE, greetingTimeout: PATIENCE, socketTimeout: PATIENCE }
  const transport = createTransport({ url, ...patience })
  try {
    await transport.sendMail(mail)
  } finally {
    transport.close()
  }
}

/** Writes a mail down for its reader alone, under a name that sorts by time; answers where. */
function keep(folder: string, content: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const file = join(folder, `${time}-${randomBytes(3).toString('hex')}.eml`)
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
  return file
}
