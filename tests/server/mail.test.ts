import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMail } from '../../src/server/access/mail.ts'
import { sendReset } from '../../src/server/access/resetMail.ts'
import type { Call } from '../../src/server/core/call.ts'
import type { Problem } from '../../src/server/core/problems.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { type Caller, PASSWORD, signIn, startTestServer, type TestContext } from './context.ts'
import { tokenIn } from './mails.ts'
import { type MailServer, startMailServer } from './smtp.ts'

let server: MailServer
let context: TestContext
let anyone: Caller
beforeAll(async () => {
  server = await startMailServer()
  context = await startTestServer({
    SMTP_URL: server.url,
    PUBLIC_URL: 'https://casework.example.org/',
    MAIL_FROM: 'Casework <casework@example.org>',
    LOCK_AFTER: '50',
    PRODUCT_NAME: 'Northbridge <casework> $&',
  })
  anyone = await context.as()
})
afterAll(async () => {
  server?.end()
  await context?.end()
})

it('and every page calls the product by the name of the settings', async () => {
  const admin = await context.as('admin')
  const before = server.mails.length
  await admin('staff.add', {
    body: { username: 'bo', first_name: 'Bo', last_name: 'Lowe', email: 'bo@example.org', groups: [4] },
  })
  await expect.poll(() => server.mails.length).toBe(before + 1)
  expect(server.mails[before].text).toContain('Subject: Welcome to Northbridge <casework> $&')
  expect(server.mails[before].text).toContain('added you to Northbridge <casework> $&, at')
  server.mails.splice(before)
  const page = (address: string) => anyone.raw(address, { headers: { accept: 'text/html' } })
  expect((await page('/manual')).body).toContain(
    '<title>User Manual – Northbridge &lt;casework> $&amp;</title>',
  )
  for (const address of ['/manual', '/login']) {
    const [, icon] = (await page(address)).body.match(/<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/)
    expect(decodeURIComponent(icon)).toContain('>N</text></svg>')
  }
  expect((await anyone.raw('/openapi.json')).body.info.title).toBe('Northbridge <casework> $&')
})

const ask = (username: string, headers = {}) => anyone('passwords.request', { body: { username }, headers })
const called = (name: string, first_name: string, email: string | null) =>
  sql`update staff set username = ${name}, first_name = ${first_name}, email = ${email} where username = 'hub' or username like 'hub%x'`.execute(
    context.db,
  )
/** The lines above the first empty one. */
const headOf = (mail: string) => mail.slice(0, mail.indexOf('\n\n'))

describe('an email', () => {
  it('reaches the mail server with the link that works', async () => {
    await called('hub', 'Ann', 'ann@example.org')
    await ask('hub', { host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' })
    await expect.poll(() => server.mails.length).toBe(1)
    const [mail] = server.mails
    expect(mail.to).toEqual(['ann@example.org'])
    expect(mail.text).toContain('From: Casework <casework@example.org>')
    expect(mail.text).toContain('Subject: Set a new password')
    expect(mail.text).toContain('Hello Ann')
    expect(mail.text).toContain('https://casework.example.org/reset-password/')
    expect(mail.text).not.toContain('evil')
    const given = { params: { token: tokenIn(mail.text) }, body: { password: 'tea on the third floor' } }
    expect((await anyone('passwords.set', given)).status).toBe(204)
    expect(await signIn(context.contract, context.address, 'hub', given.body.password)).toBeTruthy()
    await expect.poll(() => server.mails.length).toBe(2)
    expect(server.mails[1].to).toEqual(['ann@example.org'])
    expect(server.mails[1].text).toContain('Subject: Your password was changed')
    expect(server.mails[1].text).not.toMatch(/http|tea on/)
  })

  it('takes no headers and no lines from the names of people', async () => {
    // A user name that is asked for is one line; the stored one may be an older text.
    const name = 'hub Bcc: evil@example.com Come to evilx'
    await called(name, 'Ann\r\n\r\nhttps://evil.example.com\r\n', 'ann@example.org')
    server.mails.length = 0
    await ask(name)
    await expect.poll(() => server.mails.length).toBe(1)
    const [mail] = server.mails
    expect(mail.to).toEqual(['ann@example.org'])
    expect(headOf(mail.text)).not.toMatch(/bcc|evil/i)
    expect(mail.text).toContain('Hello Ann https://evil.example.com,')
    await called('hub', 'Ann', null)
  })

  it.each([
    'ann@example.org, evil@example.com',
    'ann@example.org\r\nBcc: evil@example.com',
    'Ann <ann@example.org>',
    'ann',
    '',
  ])('is sent to one address, and never to %j', async (address) => {
    await sql`update staff set email = ${address} where username = 'advocate'`.execute(context.db)
    await sql`update staff set email = 'last@example.org' where username = 'partner'`.execute(context.db)
    server.mails.length = 0
    expect((await ask('advocate')).status).toBe(204)
    expect((await ask('partner')).status).toBe(204)
    await expect.poll(() => server.mails.length).toBe(1)
    expect(server.mails[0].to).toEqual(['last@example.org'])
  })
})

describe('a link that an administrator sends', () => {
  const send = async (username: string, settings: Record<string, string>) => {
    const { rows } = await sql<{ id: number }>`select id from staff where username = ${username}`.execute(
      context.db,
    )
    const request = { id: 'one', log: { info: () => {}, error: () => {} }, socket: { localPort: 80 } }
    const call = { db: context.db, settings: readSettings(settings), request } as unknown as Call
    return sendReset(call, rows[0]?.id ?? 0).catch(({ statusCode, body }: Problem) => [statusCode, body])
  }

  it('arrives before the call is answered, or the call says why it does not', async () => {
    const smtp = { SMTP_URL: server.url }
    await sql`update staff set email = null where username = 'manager'`.execute(context.db)
    await sql`update staff set email = 'ann@example.org', status = 2 where username = 'volunteer'`.execute(
      context.db,
    )
    server.mails.length = 0
    await send('partner', smtp)
    expect(server.mails[0].text).toContain('An administrator asks you to set a new password')
    expect(server.mails[0].text).toContain('http://127.0.0.1:80/reset-password/')
    expect(await send('manager', smtp)).toMatchObject([400, { email: [expect.any(String)] }])
    expect(await send('volunteer', smtp)).toMatchObject([400, { status: [expect.any(String)] }])
    expect(await send('nobody', smtp)).toMatchObject([404, { code: 'notFound' }])
    expect(await send('partner', { SMTP_URL: 'smtp://127.0.0.1:1' })).toMatchObject([
      503,
      { code: 'mailFailed' },
    ])
  })
})

describe('a mail server with a password', () => {
  it('that offers no TLS gets neither the password nor the email', async () => {
    const log = { info: () => {} } as unknown as FastifyBaseLogger
    const SMTP_URL = server.url.replace('//', '//casework:hush-hush@')
    const mail = { to: 'ann@example.org', subject: 'A word', text: 'Nothing' }
    const before = server.mails.length
    await expect(sendMail({ settings: readSettings({ SMTP_URL }), log }, mail)).rejects.toThrow()
    expect(server.mails).toHaveLength(before)
    expect(server.lines.at(-1)).toBe('STARTTLS')
    expect(server.lines.join()).not.toMatch(/AUTH/)
  })
})

describe('the settings of mail', () => {
  it.each([
    ['SMTP_URL', 'mail.example.org', 'SMTP_URL must begin with smtp:// or smtps://.'],
    ['PUBLIC_URL', 'casework.example.org', 'PUBLIC_URL must begin with http:// or https://.'],
  ])('%s is refused as %s', (name, value, words) => {
    expect(() => readSettings({ [name]: value })).toThrow(words)
  })
})

describe('a mail server that says nothing', () => {
  it('is not waited for: the time of a reply reveals no user name, and a password is changed all the same', async () => {
    const mute = await startMailServer({ mute: true })
    const other = await startTestServer({ SMTP_URL: mute.url })
    await sql`update staff set email = 'ann@example.org' where username = 'hub'`.execute(other.db)
    const nobody = await other.as()
    const begun = Date.now()
    expect((await nobody('passwords.request', { body: { username: 'hub' } })).status).toBe(204)
    expect(Date.now() - begun).toBeLessThan(5000)
    const hub = await other.as('hub')
    const body = { old_password: PASSWORD, password: 'tea on the third floor' }
    const changing = Date.now()
    expect((await hub('passwords.change', { body })).status).toBe(204)
    expect(Date.now() - changing).toBeLessThan(5000)
    mute.end()
    await other.end()
  })
})
