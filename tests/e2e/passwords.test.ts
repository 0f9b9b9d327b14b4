import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { linksIn, tokenIn } from '../server/mails.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { expectAccessible } from './accessible.ts'
import { type E2eContext, errorsOf, openE2eContext, PASSWORD } from './context.ts'
import { expectToFit } from './expectToFit.ts'

const NEW = 'tea on the third floor'
const NARROW = { width: 320, height: 640 }

let e2e: E2eContext
const folder = temporaryFolder('passwords-')
beforeAll(async () => {
  e2e = await openE2eContext({ DATA_DIR: folder })
})
afterAll(async () => {
  await e2e?.end()
  rmSync(folder, { recursive: true, force: true })
})

const pathOf = (page: Page) => new URL(page.url()).pathname

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Asks on the page for a mail, and answers the token in it. */
async function askFor(page: Page, username: string): Promise<string> {
  const before = linksIn(folder).length
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgotten your password?' }).click()
  await page.getByRole('heading', { name: 'Forgotten password' }).waitFor()
  await expectAccessible(page)
  await page.getByLabel('User name').fill(username)
  await page.keyboard.press('Enter')
  await page.getByText('If we know this user name, an email with a link is on its way.').waitFor()
  await expectAccessible(page)
  await expect.poll(() => linksIn(folder).length).toBe(before + 1)
  return tokenIn(linksIn(folder).at(-1)!)
}

describe('a forgotten password', () => {
  it('is set anew by the link of an email, signs out everywhere, and signs in', async () => {
    const elsewhere = await e2e.signIn('advocate')
    const page = await e2e.visit(NARROW)
    const token = await askFor(page, 'advocate')
    await page.goto(`/reset-password/${token}`)
    await page.getByText('For the user name advocate').waitFor()
    await expectAccessible(page)
    await expectToFit(page)
    const box = page.getByLabel('Password', { exact: true })
    await box.fill('too short')
    await page.keyboard.press('Enter')
    await page.getByText('Password must be 12 characters or more').waitFor()
    await box.fill('password1234')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Password must not be one that many people use').waitFor()
    await expectAccessible(page)
    await box.fill(NEW)
    await page.getByRole('button', { name: 'Show password' }).click()
    expect(await box.getAttribute('type')).toBe('text')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.waitForURL('/login')
    await page.getByText('Your new password is set. Sign in with it.').waitFor()
    await expectAccessible(page)
    await signIn(page, 'advocate', PASSWORD)
    await page.getByText('Your user name or password is wrong.').waitFor()
    await signIn(page, 'advocate', NEW)
    await page.waitForURL('/dashboard/my-cases')

    await elsewhere.reload()
    await elsewhere.waitForURL('/login')
    // The link is used up, and this person is signed in.
    await page.goto(`/reset-password/${token}`)
    await page.waitForURL('/dashboard/my-cases')
    expect([errorsOf(page), errorsOf(elsewhere)]).toEqual([[], []])
    await page.context().close()
    await elsewhere.context().close()
  })

  it('of a link that is not valid leads to the sign-in page, which says why', async () => {
    const page = await e2e.visit()
    await page.goto('/reset-password/nothing')
    await page.waitForURL('/login')
    await page.getByText('This link was used already or is too old. Ask for a new one.').waitFor()
    expect(await page.locator('.bp6-toast').count()).toBe(0)
    await page.context().close()
  })

  itInFull(
    'is nothing for those who are signed in; a link that works signs them out in every tab',
    async () => {
      const page = await e2e.signIn('hub')
      await page.goto('/login/reset')
      await page.waitForURL('/dashboard/my-cases')
      const visitor = await e2e.visit()
      const token = await askFor(visitor, 'hub')
      await visitor.context().close()
      const tab = await page.context().newPage()
      await tab.goto(`/reset-password/${token}`)
      await tab.getByLabel('Password', { exact: true }).fill(NEW)
      await tab.getByRole('button', { name: 'Set password' }).click()
      await tab.waitForURL('/login')
      await page.waitForURL(/thanks|login/)
      await signIn(tab, 'hub', NEW)
      await tab.waitForURL('/dashboard/my-cases')
      await page.context().close()
    },
  )
})

describe('one’s own profile', () => {
  itInFull('shows who one is, and turns leave on and off', async () => {
    const page = await e2e.signIn('partner')
    await page.goto('/profile')
    const status = page.locator('.read-item').filter({ hasText: 'Status' })
    await status.getByText('Active').waitFor()
    await page.getByRole('button', { name: 'Go on leave' }).click()
    await status.getByText('On Leave').waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.getByRole('button', { name: 'Come back from leave' }).click()
    await status.getByText('Active').waitFor()
    expect(errorsOf(page)).toEqual([])
    await page.context().close()
  })

  itInFull('ends a session elsewhere, and all others', async () => {
    const others = [await e2e.signIn('manager'), await e2e.signIn('manager')]
    const page = await e2e.signIn('manager')
    await page.goto('/profile')
    const rows = page.locator('.list-table:not([aria-hidden]) tbody tr')
    await expect.poll(() => rows.count()).toBe(3)
    await expectAccessible(page)
    await page.setViewportSize(NARROW)
    await expectAccessible(page)
    await expectToFit(page)
    await rows.getByRole('button', { name: /^End / }).first().click()
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    for (const other of others) {
      await other.reload()
      await other.waitForURL('/login')
      await other.context().close()
    }
    expect(pathOf(page)).toBe('/profile')
    expect(errorsOf(page)).toEqual([])
    await page.context().close()
  })

  itInFull('changes the password, with the old one', async () => {
    const elsewhere = await e2e.signIn('volunteer')
    const page = await e2e.signIn('volunteer')
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog')
    const [old, wanted] = ['Old password', 'New password'].map((label) =>
      dialog.getByLabel(label, { exact: true }),
    )
    await old.fill('not my password')
    await wanted.fill('too short')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await dialog.getByRole('link', { name: 'New password must be 12 characters or more' }).waitFor()
    await wanted.fill(NEW)
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await dialog.getByRole('link', { name: 'Old password is wrong' }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Show new password' }).click()
    expect(await wanted.getAttribute('type')).toBe('text')
    expect([await old.getAttribute('autocomplete'), await wanted.getAttribute('autocomplete')]).toEqual([
      'current-password',
      'new-password',
    ])
    await old.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Your password is changed, and your other sessions have ended').waitFor()
    await elsewhere.reload()
    await elsewhere.waitForURL('/login')
    await signIn(elsewhere, 'volunteer', NEW)
    await elsewhere.waitForURL((url) => url.pathname !== '/login')
    await page.reload()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    expect([errorsOf(page), errorsOf(elsewhere)]).toEqual([[], []])
    await page.context().close()
    await elsewhere.context().close()
  })

  itInFull('says so when too many guesses were made', async () => {
    const page = await e2e.signIn('partnermanager')
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New password', { exact: true }).fill(NEW)
    const send = dialog.getByRole('button', { name: 'Change password' })
    for (let i = 0; i < 6; i++) {
      await dialog.getByLabel('Old password', { exact: true }).fill(`guess number ${i}`)
      await Promise.all([page.waitForResponse(/change-own-password/), send.click()])
    }
    await page.getByText('Too many wrong passwords. Try again in 15 minutes.').waitFor()
    expect(pathOf(page)).toBe('/profile')
    await page.context().close()
  })
})
