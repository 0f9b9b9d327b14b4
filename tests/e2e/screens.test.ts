import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allows } from '../../src/contract/access.ts'
import { fill } from '../../src/contract/call.ts'
import { loadContract } from '../../src/contract/load.ts'
import type { Screen } from '../../src/contract/types.ts'
import { signIn as signInByHttp } from '../server/world.ts'
import { expectAccessible, openStage, PASSWORD, type Stage, troublesOf } from './stage.ts'

const { contract } = loadContract(process.cwd())
/** In `npm test` each screen is drawn for one role, and every role lands once; with FULL=1 every screen for every role that may open it. */
const FULL = process.env.FULL !== undefined

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 120_000)
afterAll(() => stage?.end())

const roles = contract.roles.roles
const access = (screen: Screen) => ('roles' in screen ? screen.roles : undefined)
const screens = Object.entries(contract.screens).filter(([, s]) => !(s.kind === 'custom' && s.signedOut))

describe.each(roles)('a $label', ({ id, demo, lands }) => {
  const open = screens.filter(([, s]) => allows(contract.roles, access(s), [id]))
  const mine = FULL ? open : open.filter(([name]) => firstRoleFor(name) === id)

  it(`lands on ${lands} and sees ${mine.length} screens without an error card or a serious finding`, async () => {
    const page = await stage.signIn(demo)
    expect(new URL(page.url()).pathname).toBe(lands)
    const parts = await partsFor(demo)
    for (const [name, screen] of mine) {
      const values = screen.route.includes('/issues/{id}')
        ? { id: parts.issue, case: parts.case }
        : { id: idFor(screen.route, parts) }
      if (screen.route.includes('{id}') && values.id === undefined) continue
      await page.goto(fill(screen.route, values))
      await settle(page)
      expect(await page.locator('.error-card').allTextContents(), name).toEqual([])
      await expectAccessible(page)
    }
    expect(troublesOf(page)).toEqual([])
    await page.context().close()
  }, 240_000)

  it('is sent away from screens of other roles', async () => {
    const [name] = screens.find(([, s]) => !allows(contract.roles, access(s), [id])) ?? []
    if (!name) return
    const page = await stage.signIn(demo)
    await page.goto(fill(contract.screens[name].route, { id: 1 }))
    await page.waitForURL((url) => url.pathname === lands)
    await page.context().close()
  })
})

it.each(['/login', '/thanks'])('%s is accessible, wide and narrow', async (path) => {
  for (const width of [1280, 320]) {
    const page = await stage.visit({ width, height: 800 })
    await page.goto(path)
    await settle(page)
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
}

function firstRoleFor(name: string): number {
  const able = roles.filter((r) => allows(contract.roles, access(contract.screens[name]), [r.id]))
  return able[Object.keys(contract.screens).indexOf(name) % able.length].id
}

/** Ids of a case, its issue and its client that this person may see. */
async function partsFor(username: string): Promise<Record<string, number | undefined>> {
  const caller = await signInByHttp(contract, stage.product.address, username, PASSWORD)
  const { body } = await caller('cases.list')
  const row = Object.values(body.data as Record<string, { id: number; client: number }>).at(-1)
  if (!row) return {}
  const issues = await caller('cases.issues', { params: { id: row.id } })
  return { case: row.id, client: row.client, issue: issues.body.data[0]?.id, staff: caller.id, caseType: 1 }
}

function idFor(route: string, parts: Record<string, number | undefined>): number | undefined {
  if (route.startsWith('/cases')) return parts.case
  if (route.startsWith('/clients')) return parts.client
  return route.includes('module-constructor') ? parts.caseType : parts.staff
}
