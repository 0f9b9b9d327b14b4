import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { createCase, newCase } from '../server/newCase.ts'
import { expectAccessible } from './accessible.ts'
import { describeProduct, errorsOf, PASSWORD } from './context.ts'
import { focused, interactions } from './interactions.ts'

const e2e = describeProduct()
let advocate: Caller
let page: Page
let ownCase: { id: number; client: number; issue: number }
beforeAll(async () => {
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
  const { issue } = await newCase(advocate)
  ownCase = await createCase(advocate, 1, {
    client: { first_name: 'Perpetua', last_name: 'Quillfeather' },
    issue: { ...(issue as object), advocate: advocate.id },
  })
  page = await e2e.signIn('advocate')
})

describe('an advocate in a hurry', () => {
  it('logs an action from the chronology of a case in at most 6 interactions', async () => {
    await page.goto(`/cases/${ownCase.id}/chronology`)
    await page.getByRole('button', { name: 'Log action', exact: true }).waitFor()
    const dialog = page.getByRole('dialog', { name: 'Log action', exact: true })
    const types = dialog.getByRole('radiogroup', { name: 'Type' }).getByRole('radio')
    const count = await interactions([
      () => page.keyboard.press('a'),
      // The types that the advocate used most stand first, once they are loaded.
      () =>
        types
          .nth(1)
          .waitFor()
          .then(() => types.first().check()),
      () => dialog.getByRole('radio', { name: '0:45' }).check(),
      () => dialog.getByLabel(/^Notes/).fill('Asked the ward for the care plan'),
      () => page.keyboard.press('Control+Enter'),
    ])
    expect(count).toBeLessThanOrEqual(6)
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.timeline-text', { hasText: 'Asked the ward for the care plan' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/cases/${ownCase.id}/chronology`)
    const { body } = await advocate('actions.ofIssue', { params: { id: ownCase.issue } })
    expect(body.data[0]).toMatchObject({ time_taken: 2700, notes: 'Asked the ward for the care plan' })
  })

  itInFull('finds what was typed in another tab of the browser after closing the first', async () => {
    const other = await page.context().newPage()
    await other.goto(`/cases/${ownCase.id}/details`)
    await other.getByRole('button', { name: 'Log action', exact: true }).click()
    const saved = other.waitForResponse((reply) => reply.url().endsWith('/api/drafts') && reply.ok())
    await other.getByLabel(/^Notes/).fill('Half a sentence')
    await saved
    await other.close()
    await page.goto(`/cases/${ownCase.id}/details`)
    await page.getByRole('button', { name: 'Log action', exact: true }).click()
    await page.getByText('You began this before.').waitFor()
    expect(await page.getByLabel(/^Notes/).inputValue()).toBe('Half a sentence')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Start again' }).click()
    await expect.poll(() => page.getByLabel(/^Notes/).inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Log action')
  })

  itInFull('finds a client by either half of the name with at most 8 keys', async () => {
    for (const half of ['quil', 'perp']) {
      await page.goto('/profile')
      await page.getByRole('combobox', { name: 'Find a client' }).waitFor()
      const keys = ['/', ...half]
      for (const key of keys) await page.keyboard.press(key)
      // Not the record opened before, which is listed while the search runs.
      const found = page.getByRole('group', { name: 'Clients' })
      await found.getByRole('option', { name: /Quillfeather/ }).waitFor()
      await page.keyboard.press('Enter')
      expect(keys.length + 1).toBeLessThanOrEqual(8)
      await page.waitForURL(`/clients/${ownCase.client}/info`)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Recent' }).waitFor()
    await expectAccessible(page)
    expect(errorsOf(page)).toEqual([])
  })

  itInFull('goes on by Tab from the quick search, whose list closes behind', async () => {
    await page.goto('/profile')
    await page.getByRole('combobox', { name: 'Find a client' }).focus()
    await page.getByRole('group', { name: 'Go to' }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('group', { name: 'Go to' }).waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).not.toBe('')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => focused(page)).toBe('Dashboard')
  })
})
