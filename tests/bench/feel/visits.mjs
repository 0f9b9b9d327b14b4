import { setTimeout as sleep } from 'node:timers/promises'
import { fromSource } from '../fromSource.mjs'
import { watchPage } from './watch.mjs'

const { recordRequests, longestChain } = await fromSource('tests/e2e/requests.ts')

const VIEWPORT = { width: 1280, height: 900 }
const LIST = '/dashboard/my-cases'
const SOURCE = '/api/worklist'
const ROWS = '.list-table:not([aria-hidden]) tbody tr'
const CASES = `${ROWS} a[href^="/cases/"]:not([href*="/issues/"])`
const RECORD = '.record-cards'
const WIZARD = '.wizard-step :is(input, select)'
/** An office's connection: 20 Mbit/s, 40 ms there and back. */
const OFFICE = { offline: false, latency: 40, downloadThroughput: 2_500_000, uploadThroughput: 1_250_000 }
const DIRECT = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
/** How long a person looks at a list before they open something, in ms. */
const LOOK = 2000

/** A page of a browser that was never here, what it asks for, and how to slow it down. */
async function newPage(browser, address, storageState) {
  const context = await browser.newContext({ baseURL: address, viewport: VIEWPORT, storageState })
  const page = await context.newPage()
  await page.addInitScript(watchPage)
  const cdp = await context.newCDPSession(page)
  const requests = await recordRequests(cdp)
  return {
    context,
    page,
    requests,
    connect: (network) => cdp.send('Network.emulateNetworkConditions', network),
    slowDown: (rate) => cdp.send('Emulation.setCPUThrottlingRate', { rate }),
  }
}

/** A page that shows nothing for so long, in ms, never will. */
const PATIENCE = 30_000

async function until(page, selector) {
  const never = sleep(PATIENCE, undefined, { ref: false }).then(() => {
    throw new Error(`${page.url()} does not show ${selector}`)
  })
  return Promise.race([page.evaluate((wanted) => window.feelUntil(wanted), selector), never])
}

async function load(page, go, selector) {
  await go()
  return until(page, selector)
}

async function click(page, locator, selector) {
  await locator.waitFor()
  const shown = until(page, selector)
  await locator.click()
  return shown
}

/** Signs in by the form; answers the milliseconds until the list is there, and what the browser stored. */
export async function signIn(browser, address, { username, password }) {
  const { context, page, connect } = await newPage(browser, address)
  await connect(OFFICE)
  await page.goto('/login')
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await sleep(LOOK)
  const ms = await click(page, page.getByRole('button', { name: 'Sign in' }), ROWS)
  const storageState = await context.storageState()
  await context.close()
  return { ms, storageState }
}

/** One round: My Cases in a new browser, then cases, a new case and a reload, as a person would open them. */
export async function visit(browser, address, storageState) {
  const { context, page, requests, connect, slowDown } = await newPage(browser, address, storageState)
  const record = async (nth) => {
    await page.locator(ROWS).first().waitFor()
    await sleep(LOOK)
    const addresses = await page
      .locator(CASES)
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    // Several rows may be issues of one case, which would be in the cache.
    const to = [...new Set(addresses)][nth]
    return click(page, page.locator(`${ROWS} a[href="${to}"]`).first(), RECORD)
  }
  const back = () => page.goBack()

  await connect(OFFICE)
  const cold = await load(page, () => page.goto(LIST, { waitUntil: 'commit' }), ROWS)
  await sleep(LOOK)
  const all = requests()
  const { end } = all.find(({ url }) => url.includes(SOURCE))
  const asked = summary(all.filter(({ start }) => start <= end))

  await connect(DIRECT)
  const first = await record(0)
  await back()
  const warm = await record(1)
  await back()
  await slowDown(4)
  const slow = await record(2)
  await slowDown(1)
  await back()
  await page.locator(ROWS).first().waitFor()
  await sleep(LOOK)
  const newCase = await click(page, page.getByRole('link', { name: 'New Case' }).first(), WIZARD)
  await page.goto(LIST)
  await record(3)
  await sleep(LOOK)
  const reload = await load(page, () => page.reload({ waitUntil: 'commit' }), RECORD)
  await context.close()
  const { count: countIdle, kb, kbFont } = summary(all)
  const kbIdle = kb + kbFont
  return { cold, ...asked, countIdle, kbIdle, first, warm, slow, newCase, reload }
}

function summary(requests) {
  const kbOf = (some) => some.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
  const isFont = ({ url }) => url.endsWith('.woff2')
  return {
    count: requests.length,
    chain: longestChain(requests).length,
    kb: kbOf(requests.filter((one) => !isFont(one))),
    kbFont: kbOf(requests.filter(isFont)),
  }
}
