import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeLink } from '../../src/server/access/resetLink.ts'
import { describeServer, PASSWORD } from './context.ts'

const context = describeServer({ ORGANISATION: 'The Riverside Trust', PRODUCT_NAME: 'Northbridge' })

/** What set-up answers to a password; without the token of the console nothing is made. */
async function setup(password: string, username = 'first.administrator') {
  const body = { token: 'made-up', username, first_name: 'Ann', last_name: 'Example', password }
  const { status, body: reply } = await (await context.as())('auth.setup', { body })
  return [status, reply.password ?? reply.code]
}

describe('a new password', () => {
  it.each([
    ['elevenchars', 'Password must be 12 characters or more'],
    ['😀😀😀😀😀😀', 'Password must be 12 characters or more'],
    ['First.Administrator', 'Password must not be the user name'],
    ['password1234', 'Password must not be one that many people use'],
    ['PassWord1234', 'Password must not be one that many people use'],
    ['ｐassword1234 ', 'Password must not be one that many people use'],
    ['1q2w3e4r5t6y', 'Password must not be one that many people use'],
    ['aaaaaaaaaaaa', 'Password must not be one that many people use'],
    ['correcthorsebatterystaple', 'Password must not be one that many people use'],
    ['advocacy-demo', 'Password must not be one that many people use'],
    ['polniypizdec0211', 'Password must not be one that many people use'],
    ['fyutkbyf2005', 'Password must not be one that many people use'],
    ['ZBKtitymrf809', 'Password must not be one that many people use'],
    ['caseworker123', 'Password must not be one that many people use'],
    ['Summer2026!!!', 'Password must not be made of a season, a month, a year or the like'],
    ['winter-spring-27', 'Password must not be made of a season, a month, a year or the like'],
    ['Welcome!2026!', 'Password must not be made of a season, a month, a year or the like'],
    ['Summer2026!abc', 'Password must not be made of a season, a month, a year or the like'],
    ['January01012026', 'Password must not be made of a season, a month, a year or the like'],
  ])('%s is refused at its field', async (password, words) => {
    expect(await setup(password)).toEqual([400, [words]])
  })

  it.each([
    ['a first.time for all', 'Password must not contain your name or email address'],
    ['quiet aDMInistrator', 'Password must not contain your name or email address'],
    ['an EXAMPLE to follow', 'Password must not contain your name or email address'],
    ['down by the riverside', 'Password must not contain the name of the organisation or of this product'],
    ['northbridge-2031-x', 'Password must not contain the name of the organisation or of this product'],
  ])('%s is refused for a name in it', async (password, words) => {
    expect(await setup(password)).toEqual([400, [words]])
  })

  it.each(['Summer2026!abcd', 'summer fruit for tea', 'a quiet friday walk', '2026-83-41-77-05'])(
    '%s is taken',
    async (password) => {
      expect(await setup(password)).toEqual([404, 'notFound'])
    },
  )

  it('may hold what is too short to be recognised', async () => {
    expect(await setup('annoyed by the thread')).toEqual([404, 'notFound'])
  })

  it('contains nothing of the email address of somebody who changes theirs, nor by a link', async () => {
    const hub = await context.as('hub')
    await sql`update staff set email = 'zelda.q@marshland.org.uk' where id = ${hub.id}`.execute(context.db)
    const link = await makeLink(context.db, hub.id)
    for (const password of ['such a zelda thing', 'marshland in winter']) {
      const changed = await hub('passwords.change', { body: { old_password: PASSWORD, password } })
      const set = await hub('passwords.set', { params: { token: link }, body: { password } })
      for (const { status, body } of [changed, set])
        expect([status, body]).toEqual([
          400,
          { password: ['Password must not contain your name or email address'] },
        ])
    }
  })

  it('of 128 characters is the longest', async () => {
    expect(await setup('a long one '.repeat(12).slice(0, 128))).toEqual([404, 'notFound'])
    expect((await setup('a long one '.repeat(12).slice(0, 129)))[0]).toBe(400)
  })

  it.each(['three plain words', 'password1234 and more', 'Tea & biscuits 4'])(
    '%s will do',
    async (password) => {
      expect(await setup(password)).toEqual([404, 'notFound'])
    },
  )
})
