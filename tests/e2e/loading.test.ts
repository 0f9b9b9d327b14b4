import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { FULL, itInFull } from '../full.ts'
import { describeProduct, errorsOf, waitForIdle } from './context.ts'
import { longestChain, recordRequests } from './requests.ts'

const LIST = '/dashboard/my-cases'
const ROWS = '.list-table:not([aria-hidden]) tbody tr'
const CASE = `${ROWS} [data-label=Client] a`
/** Far away: with it, what is asked for in one moment is open before the first of it is answered. */
const CONNECTION = { offline: false, latency: 300, downloadThroughput: -1, uploadThroughput: -1 }

const e2e = describeProduct()

/** What a page of a browser that was never here asks for until the rows of a list are there. */
async function openList(page: Page, path = LIST) {
  const cdp = await page.context().newCDPSession(page)
  const requests = await recordRequests(cdp)
  await cdp.send('Network.emulateNetworkConditions', CONNECTION)
  await page.goto(path)
  await page.locator(ROWS).first().waitFor()
  return requests
}

/** A person who is signed in, in a browser with an empty cache. */
async function newBrowser(username = 'advocate'): Promise<Page> {
  const signedIn = await e2e.signIn(username)
  const page = await e2e.visit()
  const stored = await signedIn.evaluate(() => ({ ...localStorage }))
  await page.context().addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  }, stored)
  await signedIn.context().close()
  return page
}

const landings = [
  { username: 'advocate', path: LIST, source: '/api/worklist' },
  {
    username: 'manager',
    path: '/dashboard/allocations-required',
    source: '/dashboard/allocations_required/',
  },
]
it.each(FULL ? landings : landings.slice(0, 1))(
  'shows the $username their list in a new browser after 25 requests at most, 4 of them one after another',
  async ({ username, path, source }) => {
    const page = await newBrowser(username)
    const requests = await openList(page, path)
    const all = requests()
    const rows = all.find(({ url }) => url.includes(source))
    // What is fetched while the page is idle may have begun already.
    const asked = all.filter(({ start }) => start <= rows!.end!)
    expect(asked.length, asked.map(({ url }) => url).join('\n')).toBeLessThanOrEqual(25)
    expect(longestChain(asked).length, longestChain(asked).join('\n')).toBeLessThanOrEqual(4)
    expect(errorsOf(page)).toEqual([])
    await page.context().close()
  },
)

itInFull('fetches the code of records while the page is idle, and none when one is opened', async () => {
  const page = await newBrowser()
  const requests = await openList(page)
  await expect.poll(() => scripts(requests()).filter((url) => url.includes('/record-'))).toHaveLength(1)
  await waitForIdle(page)
  const before = scripts(requests())
  await page.locator(CASE).first().click()
  await page
    .getByRole('button', { name: /^Change/ })
    .first()
    .waitFor()
  await page.goBack()
  await page.locator(CASE).nth(1).click()
  await page
    .getByRole('button', { name: /^Change/ })
    .first()
    .waitFor()
  // Rare icons come when one is drawn first.
  expect(scripts(requests()).filter((url) => !before.includes(url) && !url.includes('icons-later'))).toEqual(
    [],
  )
  await page.context().close()
})

it('preloads what stands behind sign-in only for pages there', async () => {
  const preloads = async (path: string) => {
    const page = await fetch(e2e.product.address + path, { headers: { accept: 'text/html' } })
    return [...(await page.text()).matchAll(/<link rel="modulepreload" href="\/assets\/(\w+)-/g)].map(
      ([, name]) => name,
    )
  }
  expect(await preloads('/login')).not.toContain('inside')
  expect(await preloads('/refer/advocacy')).not.toContain('inside')
  expect(await preloads(LIST)).toContain('inside')
  expect(await preloads(LIST)).not.toContain('record')
  expect(await preloads('/cases/1/details?a=b')).toEqual(expect.arrayContaining(['inside', 'record']))
  expect(await preloads('/case/client-info')).toContain('record')
})

const scripts = (requests: { url: string }[]) =>
  requests.map(({ url }) => url).filter((url) => url.endsWith('.js'))
