import type { BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { KEYS } from '../../src/app/core/storage.ts'
import { contract } from '../loadedContract.ts'
import { signIn as signInByHttp } from '../server/context.ts'
import { demoDatabase } from '../server/database.ts'
import { type Product, startProduct } from '../server/product.ts'
import { sharedBrowser } from './browser.ts'

export const PASSWORD = 'advocacy-demo'
/** Default viewport. */
export const WIDE = { width: 1280, height: 900 }

type Size = { width: number; height: number }
type StorageState = BrowserContextOptions['storageState']

export interface E2eContext {
  product: Product
  databaseUrl: string
  /**
   * Opens a page in a new browser context on the landing screen of this demo user. Signs in by HTTP, which is faster.
   */
  signIn(username: string, size?: Size): Promise<Page>
  /** Opens a page in a new browser context, signed out. */
  visit(size?: Size): Promise<Page>
  end(): Promise<void>
}

/** Starts the built product with demo data on a database of its own, and a real browser. */
export async function openE2eContext(settings: Record<string, string> = {}): Promise<E2eContext> {
  const database = await demoDatabase()
  const product = await startProduct({ DATABASE_URL: database.url, DEMO: '1', ...settings })
  // It prints the number of its address; what browsers bind to the name of a host needs the name.
  if (settings.HOST) product.address = product.address.replace('127.0.0.1', settings.HOST)
  const browser = await sharedBrowser()
  const contexts: BrowserContext[] = []
  const open = async (viewport: Size, storageState?: StorageState) => {
    const context = await browser.newContext({
      viewport,
      storageState,
      baseURL: product.address,
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      // During a fade-in, colours are not final.
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(30_000)
    contexts.push(context)
    const page = await context.newPage()
    watch(page)
    count(page)
    return page
  }
  return {
    product,
    databaseUrl: database.url,
    visit: (size = WIDE) => open(size),
    signIn: async (username, size = WIDE) => {
      const { key } = await signInByHttp(contract, product.address, username, PASSWORD)
      const localStorage = [
        { name: KEYS.token, value: key },
        { name: KEYS.lastResponse, value: String(Date.now()) },
      ]
      const page = await open(size, { cookies: [], origins: [{ origin: product.address, localStorage }] })
      await page.goto('/dashboard')
      await page.waitForURL((url) => !['/login', '/dashboard'].includes(url.pathname))
      return page
    },
    end: async () => {
      for (const context of contexts) await context.close()
      await product.end('SIGTERM')
      await database.drop()
    },
  }
}

/** Starts the product before the tests of a file, where its properties can be read, and ends it after. */
export function describeProduct(settings?: Record<string, string>): E2eContext {
  const e2e = {} as E2eContext
  beforeAll(async () => {
    Object.assign(e2e, await openE2eContext(settings))
  })
  afterAll(() => e2e.end?.())
  return e2e
}

/** Answers a radio group by clicking the visible label, as a person would. */
export async function answer(where: Page | Locator, question: string | RegExp, label: string): Promise<void> {
  await where
    .getByRole('radiogroup', { name: question })
    .locator('label')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .click()
}

const asked = new WeakMap<Page, { waiting: number; since: number }>()

/** Navigates on the client without reloading the page; call `waitForIdle` before expecting new content. */
export async function navigateTo(page: Page, to: string): Promise<void> {
  asked.get(page)!.since = Date.now()
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, to)
}

/**
 * Waits until a page has had no pending request for 250 ms; an event stream is pending only until its response starts.
 */
export async function waitForIdle(page: Page): Promise<void> {
  const { waiting, since } = asked.get(page)!
  if (waiting === 0 && Date.now() - since > 250) return
  await page.waitForTimeout(50)
  await waitForIdle(page)
}

function count(page: Page): void {
  const now = { waiting: 0, since: Date.now() }
  asked.set(page, now)
  const open = new Set<Request>()
  const change = () => Object.assign(now, { waiting: open.size, since: Date.now() })
  const begin = (request: Request) => {
    open.add(request)
    change()
  }
  const end = (request: Request) => {
    open.delete(request)
    change()
  }
  page.on('request', begin)
  page.on('response', (reply) => end(reply.request()))
  page.on('requestfailed', end)
}

const troubles = new WeakMap<Page, string[]>()

/** Errors of a page that are not visible on it: exceptions, CSP violations, React warnings, server errors. */
export function errorsOf(page: Page): string[] {
  return troubles.get(page) ?? []
}

function watch(page: Page): void {
  const list: string[] = []
  troubles.set(page, list)
  page.on('pageerror', (error) => list.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Maximum update depth|unique "key"|Warning:/.test(message.text()))
      list.push(message.text().slice(0, 300))
  })
  page.on('response', (reply) => {
    if (reply.status() >= 500)
      list.push(`${reply.status()} ${reply.request().method()} ${new URL(reply.url()).pathname}`)
  })
}
