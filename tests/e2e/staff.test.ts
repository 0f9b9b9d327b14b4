import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { itInFull } from '../full.ts'
import { linksIn, tokenIn } from '../server/mails.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { expectAccessible } from './accessible.ts'
import { type E2eContext, errorsOf, openE2eContext } from './context.ts'
import { expectToFit } from './expectToFit.ts'

const OWN = 'tea on the third floor'
const NARROW = { width: 320, height: 640 }
const WIDE = { width: 1280, height: 900 }

let e2e: E2eContext
const folder = temporaryFolder('staff-')
beforeAll(async () => {
  e2e = await openE2eContext({ DATA_DIR: folder })
})
afterAll(async () => {
  await e2e?.end()
  rmSync(folder, { recursive: true, force: true })
})

async function signIn(page: Page, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('User name').fill('nova.quill')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const tick = (page: Page, set: string, label: string) =>
  page
    .getByRole('group', { name: set })
    .locator('label')
    .filter({ hasText: new RegExp(`^${label}`) })
    .click()

async function choose(page: Page, box: string | RegExp, typed: string): Promise<void> {
  await page.getByRole('combobox', { name: box }).fill(typed)
  await page.getByRole('option', { name: typed }).first().click()
}

async function closeToast(page: Page, words: string | RegExp): Promise<void> {
  const toast = page.locator('.bp6-toast').filter({ hasText: words })
  await toast.waitFor()
  await toast.getByRole('button', { name: 'Close' }).click()
  await toast.waitFor({ state: 'detached' })
}

/** Clean at both widths, and no wider than the narrow one. */
async function look(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.setViewportSize(NARROW)
  await expectToFit(page)
  await expectAccessible(page)
  await page.setViewportSize(WIDE)
}

itInFull('a person comes, works, hands over and is suspended while she is signed in', async () => {
  const admin = await e2e.signIn('admin')
  await admin
    .getByRole('button', { name: /^Role: Advocate, Volunteer advocate, Hub Adviser, Partner/ })
    .waitFor()
  await look(admin)

  await admin.getByRole('link', { name: 'Add a person' }).click()
  await button(admin, 'Save').click()
  await admin.getByRole('alert', { name: 'There is a problem' }).waitFor()
  await look(admin)
  await admin.getByLabel('User name').fill('Nova.Quill')
  await admin.getByLabel('First name').fill('Nova')
  await admin.getByLabel('Last name').fill('Quill')
  await admin.getByLabel('Email').fill('nova@example.org')
  // The message under the last box goes with its focus.
  await admin.keyboard.press('Tab')
  await tick(admin, 'Roles', 'Advocate$')
  for (const service of ['Independent Mental Capacity', 'Care Act', 'Paid Relevant']) {
    await tick(admin, 'Services', service)
  }
  await button(admin, 'Save').click()
  await admin.getByRole('heading', { level: 1, name: 'Nova Quill' }).waitFor()
  const her = new URL(admin.url()).pathname.replace('/details', '')
  await closeToast(admin, 'Saved')

  const nova = await e2e.visit()
  await signIn(nova, OWN)
  await nova.getByText('Your user name or password is wrong.').first().waitFor()
  const mail = linksIn(folder).at(-1)!
  expect(mail).toContain('nova@example.org')
  await nova.goto(`/reset-password/${tokenIn(mail)}`)
  await nova.getByLabel('Password', { exact: true }).fill(OWN)
  await button(nova, 'Set password').click()
  await nova.waitForURL('/login')
  await signIn(nova, OWN)
  await nova.waitForURL('/dashboard/my-cases')

  await choose(admin, 'Line manager', 'Morgan Ellery')
  await admin.getByLabel('Telephone').fill('0113 496 0123')
  await button(admin, 'Save').click()
  await closeToast(admin, 'Saved')
  await look(admin)
  await admin.getByRole('link', { name: 'History', exact: true }).click()
  await admin.getByText('Morgan Ellery').last().waitFor()
  await look(admin)

  await admin.goto('/dashboard/management')
  await admin.getByLabel('Rows on a page').selectOption('50')
  await admin.getByRole('link', { name: 'Avery Lindqvist' }).click()
  await admin.getByRole('link', { name: 'Work', exact: true }).click()
  await admin.getByRole('link', { name: 'Hand over' }).click()
  await choose(admin, 'New advocate for all', 'Pat Ní Bhriain')
  await admin.getByText(/^Pat Ní Bhriain can take 0 of \d+; the others need somebody else\.$/).waitFor()
  await choose(admin, 'New advocate for all', 'Nova Quill')
  await admin.getByText(/^(\d+) of \1 chosen, not saved yet$/).waitFor()
  await look(admin)
  await button(admin, 'Hand over').click()
  const summary = admin.getByRole('alertdialog', { name: /^Hand over the work of Avery Lindqvist/ })
  await summary.getByText(/^Move \d+ issues of \d+ clients? from Avery Lindqvist to Nova Quill$/).waitFor()
  await expectAccessible(admin)
  await summary.getByRole('button', { name: 'Hand over' }).click()
  await closeToast(admin, /^\d+ issues of \d+ clients? are handed over from Avery Lindqvist to Nova Quill/)
  await admin.getByText('Nothing is left to hand over.').waitFor()
  await nova.reload()
  await nova.locator('.list-table:not([aria-hidden]) tbody a').first().waitFor()

  await admin.goto(her)
  await button(admin, 'Retire').click()
  const question = admin.getByRole('alertdialog', { name: 'Retire' })
  await question.getByText('Still assigned to them').waitFor()
  await expectAccessible(admin)
  await question.getByRole('link', { name: /^\d+ open issues.*: hand over/ }).click()
  await choose(admin, 'New advocate for all', 'Avery Lindqvist')
  await admin.getByText(/^(\d+) of \1 chosen, not saved yet$/).waitFor()
  await admin
    .getByRole('combobox', { name: /^New advocate of/ })
    .first()
    .fill('')
  await button(admin, 'Hand over').click()
  await admin.getByRole('alertdialog').getByText('1 stays: nobody is chosen.').waitFor()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Hand over' }).click()
  await closeToast(admin, /handed over from .+ to Avery Lindqvist/)
  await expect.poll(() => admin.getByRole('combobox', { name: /^New advocate of/ }).count()).toBe(1)

  await admin.goto(`${her}/sessions`)
  await button(admin, 'End')
    .or(admin.getByRole('button', { name: /^End / }))
    .first()
    .waitFor()
  await look(admin)
  await button(admin, 'Suspend').click()
  await admin.getByRole('alertdialog', { name: 'Suspend' }).getByRole('button', { name: 'Suspend' }).click()
  await closeToast(admin, 'Nova Quill is suspended and signed out')
  const began = Date.now()
  await nova.waitForURL('/login', { timeout: 5000 })
  expect(Date.now() - began).toBeLessThan(5000)
  expect(await nova.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await signIn(nova, OWN)
  await nova.getByText('Your user name or password is wrong.').first().waitFor()
  // Her last issue is asked for at once.
  await admin.waitForURL(`${her}/hand-over`)
  await expect.poll(() => admin.getByRole('combobox', { name: /^New advocate of/ }).count()).toBe(1)
  await admin.goto(`${her}/sessions`)
  await admin.getByText('They are not signed in anywhere.').waitFor()
  expect([...errorsOf(admin), ...errorsOf(nova)]).toEqual([])
  await admin.context().close()
  await nova.context().close()
})
