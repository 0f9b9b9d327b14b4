import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { expectAccessible } from './accessible.ts'
import { type E2eContext, errorsOf, openE2eContext, PASSWORD } from './context.ts'

let e2e: E2eContext
beforeAll(async () => {
  e2e = await openE2eContext({
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    SECOND_FACTOR_ROLES: 'HubManager',
  })
})
afterAll(() => e2e?.end())

/** The code of the app with the secret that the page shows. */
async function codeOn(page: Page, seconds = 0): Promise<string> {
  const shown = await page.getByText('Or enter this secret into the app:').locator('code').innerText()
  const secret = shown.replaceAll(' ', '')
  return new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1000 })
}
async function enterPassword(page: Page, username: string): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('a second factor', () => {
  it('is set up at the sign-in of a role that needs it, and its code or a recovery code asked for from then on', async () => {
    const page = await e2e.visit()
    await page.goto('/login')
    await enterPassword(page, 'hubmanager')
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('Code is wrong, or was used already').waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill(await codeOn(page, -120))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have kept them' }).waitFor()
    await expectAccessible(page)
    const codes = await page.locator('.recovery-codes code').allInnerTexts()
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('heading', { name: 'My Hub Staff' }).waitFor()

    const other = await e2e.visit()
    await other.goto('/login')
    await enterPassword(other, 'hubmanager')
    await other.getByText('one of your recovery codes').waitFor()
    await expectAccessible(other)
    await other.getByRole('textbox', { name: 'Code' }).fill(codes[3])
    await other.getByText('Ask for no code in this browser for 30 days').click()
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('heading', { name: 'My Hub Staff' }).waitFor()
    await other.getByRole('button', { name: 'Log Out' }).first().click()
    await other.getByRole('button', { name: 'Yes' }).click()
    await other.getByText('You are signed out').waitFor()
    await other.goto('/login')
    await enterPassword(other, 'hubmanager')
    await other.getByRole('heading', { name: 'My Hub Staff' }).waitFor()
    expect([...errorsOf(page), ...errorsOf(other)]).toEqual([])
  })

  itInFull('is set up and removed under Profile', async () => {
    const page = await e2e.signIn('advocate')
    await page.goto('/profile')
    await page.getByRole('link', { name: 'How you sign in' }).click()
    await page.getByRole('link', { name: 'Second factor' }).click()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await page.getByRole('textbox', { name: 'Code' }).fill(await codeOn(page))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('You have 10 recovery codes left.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
    expect(errorsOf(page)).toEqual([])
  })
})
