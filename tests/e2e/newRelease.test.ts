import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { signIn } from '../server/context.ts'
import { createCase } from '../server/newCase.ts'
import { answerTo, change, waitForToast } from './casePage.ts'
import { describeProduct, errorsOf, navigateTo, PASSWORD } from './context.ts'

const NEW = 'There is a new version. It comes with the next page that you open.'
const PLACE = 'Name of hospital, home or address'

const e2e = describeProduct()

/** A page of another release than the server's, until it is loaded again. */
async function openOutdated(address: string): Promise<Page> {
  const page = await e2e.signIn('advocate')
  let isFirst = true
  await page.route(address, async (route) => {
    if (route.request().resourceType() !== 'document' || !isFirst) return route.fallback()
    isFirst = false
    const reply = await route.fetch()
    const body = (await reply.text()).replace(/(name="release" content=")\d+/, '$11')
    return route.fulfill({ response: reply, body })
  })
  await page.goto(address)
  await waitForToast(page, NEW)
  await page.evaluate(() => Object.assign(window, { isOutdated: true }))
  return page
}
const isOutdated = (page: Page) => page.evaluate(() => 'isOutdated' in window)
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Reflect.deleteProperty(document, 'hidden')
  })

describe('a page that is open while the server gets a new release', () => {
  it('is loaded again at the next address, and not once more', async () => {
    const page = await openOutdated('/dashboard/my-cases')
    await navigateTo(page, '/dashboard/my-activities')
    await page.waitForURL('/dashboard/my-activities')
    await expect.poll(() => isOutdated(page).catch(() => true)).toBe(false)
    await page.getByRole('heading', { name: 'My activities' }).waitFor()
    await page.evaluate(() => Object.assign(window, { isLoaded: true }))
    await navigateTo(page, '/dashboard/my-cases')
    await page.getByRole('heading', { name: 'My Cases' }).waitFor()
    expect(await page.evaluate(() => 'isLoaded' in window)).toBe(true)
    expect(errorsOf(page)).toEqual([])
    await page.context().close()
  })

  itInFull(
    'waits while something is being filled in, and is loaded again once its tab is hidden',
    async () => {
      const { id } = await createCase(await signIn(contract, e2e.product.address, 'advocate', PASSWORD), 1)
      const page = await openOutdated(`/cases/${id}/details`)
      await change(page, 'Where the person is now')
      await page.getByLabel(PLACE).fill('Ward 3')
      await hide(page)
      expect(await isOutdated(page)).toBe(true)
      expect(await page.getByLabel(PLACE).inputValue()).toBe('Ward 3')
      await page.getByRole('button', { name: 'Save' }).click()
      await answerTo(page, PLACE).getByText('Ward 3').waitFor()
      await hide(page)
      await expect.poll(() => isOutdated(page).catch(() => true)).toBe(false)
      expect(errorsOf(page)).toEqual([])
      await page.context().close()
    },
  )
})
