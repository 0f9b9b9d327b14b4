import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/server/core/db.ts'
import { itInFull } from '../full.ts'
import { expectAccessible } from './accessible.ts'
import { type E2eContext, errorsOf, openE2eContext, PASSWORD } from './context.ts'

let e2e: E2eContext
let database: Database
beforeAll(async () => {
  e2e = await openE2eContext({
    // Browsers have passkeys at a name, not at a number.
    HOST: 'localhost',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    SECOND_FACTOR_ROLES: 'HubManager',
  })
})
beforeAll(() => {
  database = openDatabase(e2e.databaseUrl)
})
afterAll(async () => {
  await database?.close()
  await e2e?.end()
})

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
    await other.getByText('Do not ask for a code in this browser for 30 days').click()
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

/** Gives the browser of a page an authenticator that verifies its person. */
async function plugIn(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log Out' }).first().click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByText('You are signed out').waitFor()
  await page.goto('/login')
}
/** Makes every proof of who somebody is older than it may be. */
const age = () => sql`update session set authenticated_at = now() - interval '1 hour'`.execute(database.db)

describe('a passkey', () => {
  itInFull(
    'signs in and confirms who it is, and once lost a recovery code does both and it is removed',
    async () => {
      const page = await e2e.signIn('volunteer')
      await plugIn(page)
      await page.goto('/profile/second-factor')
      await age()
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('Enter a name by which you recognise it.').waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Work laptop')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      const kept = page.getByRole('button', { name: 'I have kept them' })
      await kept.waitFor()
      const [code] = await page.locator('.recovery-codes code').allInnerTexts()
      await kept.click()
      await page.getByRole('cell', { name: 'Work laptop' }).waitFor()
      await expectAccessible(page)

      await signOut(page)
      await enterPassword(page, 'volunteer')
      await page.getByText('Lost it? Enter one of your recovery codes.').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Use your passkey' }).click()
      await page.getByRole('heading', { name: 'My Cases' }).waitFor()
      await page.goto('/profile/second-factor')
      await age()
      await page.getByRole('button', { name: 'Make new recovery codes' }).click()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Confirm with your passkey' }).click()
      await kept.waitFor()
      const [newer] = await page.locator('.recovery-codes code').allInnerTexts()
      expect(newer).not.toBe(code)

      const elsewhere = await e2e.visit()
      await elsewhere.goto('/login')
      await enterPassword(elsewhere, 'volunteer')
      await elsewhere.getByRole('textbox', { name: 'Code' }).fill(newer)
      await elsewhere.keyboard.press('Enter')
      await elsewhere.getByRole('heading', { name: 'My Cases' }).waitFor()
      await elsewhere.goto('/profile/second-factor')
      await elsewhere.getByText('You have 9 recovery codes left.').waitFor()
      await elsewhere.getByRole('button', { name: 'Remove Work laptop' }).click()
      await elsewhere.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await elsewhere.getByRole('cell', { name: 'Work laptop' }).waitFor({ state: 'detached' })
      await signOut(elsewhere)
      await enterPassword(elsewhere, 'volunteer')
      await elsewhere.getByRole('heading', { name: 'My Cases' }).waitFor()
      expect([...errorsOf(page), ...errorsOf(elsewhere)]).toEqual([])
    },
  )

  it('is set up at the sign-in of a role that needs a second factor', async () => {
    const page = await e2e.visit()
    await plugIn(page)
    await sql`truncate authenticator, recovery_code`.execute(database.db)
    await page.goto('/login')
    await enterPassword(page, 'hubmanager')
    await page.getByRole('button', { name: 'Set up a passkey' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('heading', { name: 'My Hub Staff' }).waitFor()
    expect(errorsOf(page)).toEqual([])
  })
})
