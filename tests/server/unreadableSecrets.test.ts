import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { describeServer, PASSWORD, signIn, startSecondServer } from './context.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const context = describeServer({ ENCRYPTION_KEY: keyOf(7) })

it.each([
  ['another ENCRYPTION_KEY', { ENCRYPTION_KEY: keyOf(8) }],
  ['no ENCRYPTION_KEY', {} as Record<string, string>],
])(
  'a server with %s says so, takes no code for a wrong one, and lets people in by a recovery code',
  async (_, settings) => {
    await sql`truncate authenticator, recovery_code`.execute(context.db)
    const advocate = await signIn(context.contract, context.address, 'advocate')
    const secret = (await advocate('secondFactor.begin')).body.secret.replaceAll(' ', '')
    const code = new TOTP({ secret }).generate()
    const { recovery_codes: codes } = (await advocate('secondFactor.confirm', { body: { code } })).body
    await sql`update authenticator set last_step = 0`.execute(context.db)
    const other = await startSecondServer(context, settings)
    try {
      const anyone = await signIn(context.contract, other.address, '')
      const { token } = (await anyone('auth.login', { body: { username: 'advocate', password: PASSWORD } }))
        .body
      const verify = (typed: string) =>
        anyone('secondFactor.verify', { body: { token, code: typed, remember: 'no' } })
      for (let i = 0; i < 7; i++) {
        const { status, body } = await verify(code)
        expect([status, body.code]).toEqual([503, 'secretUnreadable'])
      }
      expect((await verify(codes[0])).status).toBe(200)
      const admin = await signIn(context.contract, other.address, 'admin')
      expect((await admin('health.read')).body.unreadable_secrets).toBe('1 authenticator app')
      const here = await context.as('admin')
      expect((await here('health.read')).body.unreadable_secrets).toBeNull()
    } finally {
      await other.end()
    }
  },
)
