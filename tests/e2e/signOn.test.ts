import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/server/core/db.ts'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { signIn as signInByHttp } from '../server/context.ts'
import { startOpenidProvider, type TestProvider } from '../server/openidProvider.ts'
import { expectAccessible } from './accessible.ts'
import { type E2eContext, errorsOf, openE2eContext, PASSWORD } from './context.ts'

let council: TestProvider
let e2e: E2eContext
let database: Database
beforeAll(async () => {
  council = await startOpenidProvider()
  e2e = await openE2eContext({
    OPENID_PROVIDERS: JSON.stringify([council.setting]),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    STEP_UP: '1',
  })
  council.register(e2e.product.address)
  database = openDatabase(e2e.databaseUrl)
})
afterAll(async () => {
  await database?.close()
  await e2e?.end()
  await council?.end()
})
beforeEach(() => {
  council.accounts.set('ann', { name: 'Ann Example', preferred_username: 'ann' })
})

const link = (subject: string, username: string) =>
  sql`insert into openid_link (issuer, subject, staff, name) select ${council.issuer}, ${subject}, id, 'Ann Example'
    from staff where username = ${username} on conflict do nothing`.execute(database.db)
/** Makes every proof of who somebody is older than it may be. */
const age = () => sql`update session set authenticated_at = now() - interval '1 hour'`.execute(database.db)

async function signInThere(page: Page, subject: string): Promise<void> {
  await page.getByLabel('Name').fill(subject)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('signing in by a provider', () => {
  it('explains itself to an unknown person, lets them in once an administrator has identified them, and signs out there too', async () => {
    const page = await e2e.visit()
    await page.goto('/clients/1/info?from=a-mail')
    await page.getByRole('button', { name: 'Sign in with Example Council' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in with Example Council' }).click()
    await signInThere(page, 'ann')
    await page.getByText('You are not known here yet.').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await expectAccessible(page)

    const admin = await signInByHttp(contract, e2e.product.address, 'admin', PASSWORD)
    const [{ id }] = (await admin('signOnLinks.unknown')).body.data
    const { body: staff } = await admin('staff.list', { query: { term: 'manager', page_size: 50 } })
    const manager = staff.data.find(({ username }: { username: string }) => username === 'manager')
    await admin('signOnLinks.decide', { params: { id }, body: { person: manager.id } })

    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await page.getByRole('button', { name: 'Sign in with Example Council' }).click()
    await page.waitForURL('**/clients/1/info?from=a-mail')
    await page.getByRole('button', { name: 'Log Out' }).first().click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.waitForURL((url) => url.origin === council.issuer)
    await page.getByRole('button', { name: /yes/i }).click()
    await page.getByText('You are signed out').waitFor()
    expect(errorsOf(page)).toEqual([])
  })

  it('does not begin by the address alone', async () => {
    const page = await e2e.visit()
    await page.goto('/sign-on/council')
    await page.getByRole('button', { name: 'Go to Example Council' }).waitFor()
    await expectAccessible(page)
    await page.goto('/sign-on/nobody')
    await page.getByText('This address is not used to sign in here.').waitFor()
  })

  itInFull('is connected under Profile by the person themself', async () => {
    council.accounts.set('bob', { name: 'Bob Example' })
    const page = await e2e.signIn('advocate')
    await page.goto('/profile')
    await page.getByRole('link', { name: 'How you sign in' }).click()
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Go to Example Council' }).click()
    await signInThere(page, 'bob')
    await page.getByRole('heading', { name: 'Connect this account?' }).waitFor()
    await page.getByText('You signed in at Example Council as Bob Example').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('cell', { name: 'Bob Example' }).waitFor()
    expect(errorsOf(page)).toEqual([])
  })
})

describe('a call that wants a recent proof', () => {
  const details = async (page: Page) => {
    const { rows } = await sql<{ id: number }>`select id from staff where username = 'volunteer'`.execute(
      database.db,
    )
    await page.goto(`/advocate/${rows[0].id}/details`)
    await page.getByLabel('Email').waitFor()
  }

  it('asks for the password in the middle of a typed form, loses nothing, and is sent again', async () => {
    const page = await e2e.signIn('admin')
    await details(page)
    await page.getByLabel('Email').fill('new@example.org')
    await age()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    await dialog.getByText('Password is wrong').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Email').inputValue()).toBe('new@example.org')
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(async () => {
        const { rows } = await sql`select email from staff where username = 'volunteer'`.execute(database.db)
        return rows
      })
      .toEqual([{ email: 'new@example.org' }])
  })

  itInFull('asks the provider in a window of its own', async () => {
    council.accounts.set('root', { name: 'Root Example' })
    await link('root', 'admin')
    const page = await e2e.signIn('admin')
    await details(page)
    await page.getByLabel('Email').fill('newer@example.org')
    await age()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('button', { name: 'Confirm with Example Council' }).click(),
    ])
    await Promise.all([popup.waitForEvent('close'), signInThere(popup, 'root')])
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(async () => {
        const { rows } = await sql`select email from staff where username = 'volunteer'`.execute(database.db)
        return rows
      })
      .toEqual([{ email: 'newer@example.org' }])
  })
})
