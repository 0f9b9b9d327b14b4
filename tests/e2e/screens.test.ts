import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allows } from '../../src/contract/access.ts'
import { fillPath } from '../../src/contract/call.ts'
import type { Screen } from '../../src/contract/generated.ts'
import { loadContract } from '../../src/contract/load.ts'
import { signIn as signInByHttp } from '../server/context.ts'
import {
  type E2eContext,
  errorsOf,
  expectAccessible,
  navigateTo,
  openE2eContext,
  PASSWORD,
  WIDE,
  waitForIdle,
} from './context.ts'

const { contract } = loadContract(process.cwd())
/**
 * In `npm test` each screen is drawn for one role, and one of each kind is checked for accessibility; with FULL=1 every
 * screen is, for every role that may open it.
 */
const FULL = process.env.FULL !== undefined

const NARROW = { width: 320, height: 640 }

let e2e: E2eContext
beforeAll(async () => {
  e2e = await openE2eContext()
}, 120_000)
afterAll(() => e2e?.end())

const roles = contract.roles.roles
const access = (screen: Screen) => ('roles' in screen ? screen.roles : undefined)
const screens = Object.entries(contract.screens).filter(([, s]) => !('signedOut' in s && s.signedOut))

describe.each(roles)('a $label', ({ id, demo, lands }) => {
  const open = screens.filter(([, s]) => allows(contract.roles, access(s), [id]))
  const mine = FULL ? open : open.filter(([name]) => firstRoleFor(name) === id)

  it(`lands on ${lands}, sees ${mine.length} screens without an error card, and is sent away from others'`, async () => {
    const page = await e2e.signIn(demo)
    expect(new URL(page.url()).pathname).toBe(lands)
    const parts = await partsFor(demo)
    for (const [name, screen] of mine) {
      const values = screen.route.includes('/issues/{id}')
        ? { id: parts.issue, case: parts['/cases'] }
        : {
            id: idFor(screen.route, parts),
            type: screen.route.includes('/axes/') ? 'accesslog' : 'contracts',
          }
      if (screen.route.includes('{id}') && values.id === undefined) {
        // In FULL each screen is also drawn for those who have nothing to see on it.
        expect(FULL, `${demo} has nothing for ${name}`).toBe(true)
        continue
      }
      await navigateTo(page, fillPath(screen.route, values))
      await settle(page)
      expect(await page.locator('.error-card').allTextContents(), name).toEqual([])
      if (FULL || isFirstOfItsKind(screen)) await expectAccessible(page, { contrast: true })
      await expectDialogsToReturnFocus(page, name)
      await page.setViewportSize(NARROW)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(NARROW.width)
      await page.setViewportSize(WIDE)
    }
    const [foreign] = screens.find(([, s]) => !allows(contract.roles, access(s), [id])) ?? []
    if (foreign) {
      await page.goto(fillPath(contract.screens[foreign].route, { id: 1, type: 'title' }))
      await page.waitForURL((url) => url.pathname === lands)
    }
    expect(errorsOf(page)).toEqual([])
    await page.context().close()
  }, 240_000)
})

it.each(['/login', '/thanks'])('%s is accessible, wide and narrow', async (path) => {
  for (const width of [1280, 320]) {
    const page = await e2e.visit({ width, height: 800 })
    await page.goto(path)
    await settle(page)
    await expectAccessible(page, { contrast: true })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

const openedDialogs = new Set<string | null | undefined>()

const seenKinds = new Set<string>()

/** Whether no screen before was drawn by the same component. */
function isFirstOfItsKind(screen: Screen): boolean {
  const kind =
    screen.kind === 'custom' ? screen.component : `${screen.kind} ${'layout' in screen && screen.layout}`
  return !seenKinds.has(kind) && seenKinds.add(kind) !== undefined
}

/** Opens each kind of dialog that the page offers and closes it: the focus is on the button that opened it again. */
async function expectDialogsToReturnFocus(page: Page, name: string): Promise<void> {
  // Those of selected rows ask to select one first.
  const openers = page.locator(
    'main button[aria-haspopup="dialog"]:visible:not([aria-disabled="true"]):not(.list-selection *)',
  )
  const labels = await openers.evaluateAll((all) =>
    all.map((one) => one.querySelector('.bp6-button-text')?.firstChild?.textContent),
  )
  for (const [i, label] of labels.entries()) {
    // The rows of a list offer the same again, and in `npm test` so do other screens.
    if (labels.indexOf(label) < i || (!FULL && openedDialogs.has(label))) continue
    openedDialogs.add(label)
    const opener = openers.nth(i)
    await opener.click()
    const dialog = page.locator('[role="dialog"], [role="alertdialog"]')
    await dialog
      .locator(':focus')
      .waitFor()
      .catch(() => expect.fail(`${label} on ${name} opens no dialog with the focus`))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect
      .poll(() => opener.evaluate((one) => one === document.activeElement), {
        message: `${label} on ${name}`,
      })
      .toBe(true)
  }
}

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').waitFor({ state: 'detached' })
  await waitForIdle(page)
}

function firstRoleFor(name: string): number {
  const able = roles.filter((r) => allows(contract.roles, access(contract.screens[name]), [r.id]))
  return able[Object.keys(contract.screens).indexOf(name) % able.length].id
}

/** Ids of what this person may see, by where the addresses of its screens begin; `issue` is one of the case. */
async function partsFor(username: string): Promise<Record<string, number | undefined>> {
  const caller = await signInByHttp(contract, e2e.product.address, username, PASSWORD)
  const { body } = await caller('cases.list')
  const row = Object.values(body.data as Record<string, { id: number; client: number }>).at(-1)
  if (!row) return {}
  const issues = await caller('cases.issues', { params: { id: row.id } })
  const actions = await caller('actions.ofClient', { params: { id: row.client } })
  const firstOf = async (list: string) => (await caller(list)).body.data?.[0]?.id as number | undefined
  // Not everybody of the demo has written one down.
  const activity = await caller('activities.create', {
    body: { type: 1, commissioning_contract: 1, done_on: '2026-02-02' },
  })
  return {
    '/cases': row.id,
    '/clients': row.client,
    issue: issues.body.data[0]?.id,
    '/action': actions.body.data[0]?.id,
    '/activity': activity.body.id,
    '/dashboard/module-constructor': 1,
    '/dashboard/admin-site': 1,
    '/dashboard/referral-forms': 1,
    '/dashboard/axes': 1,
    '/dashboard/case-uploads': await firstOf('bulk.uploads'),
    '/dashboard/referral-requests': await firstOf('referrals.list'),
    '/dashboard/referral-messages': await firstOf('referrals.messages'),
    '/dashboard': caller.id,
    '/advocate': caller.id,
  }
}

/** That of the longest beginning of the address that is known. */
function idFor(route: string, parts: Record<string, number | undefined>): number | undefined {
  const [first] = Object.keys(parts)
    .filter((part) => route.startsWith(`${part}/`))
    .toSorted((a, b) => b.length - a.length)
  return parts[first]
}
