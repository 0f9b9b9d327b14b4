import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestContext } from './context.ts'

let context: TestContext
beforeAll(async () => {
  context = await startTestServer()
})
afterAll(() => context?.end())

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
  ])('%s is refused at its field', async (password, words) => {
    expect(await setup(password)).toEqual([400, [words]])
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
