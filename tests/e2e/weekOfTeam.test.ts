import { beforeAll, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { createCase } from '../server/newCase.ts'
import { expectAccessible } from './accessible.ts'
import { fromMenu, waitForToast } from './casePage.ts'
import { describeProduct, errorsOf, PASSWORD } from './context.ts'
import { countedKeyboard, focused, interactions } from './interactions.ts'

const TEN = 10
const e2e = describeProduct()
let hubAdviser: Caller
beforeAll(async () => {
  hubAdviser = await signInByHttp(contract, e2e.product.address, 'hub', PASSWORD)
})

it('an advocate makes a case by the keyboard alone in at most 30 interactions', async () => {
  const page = await e2e.signIn('advocate')
  const keyboard = countedKeyboard(page)
  const arrive = async (heading: string) => {
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await expect.poll(() => focused(page)).toBe(heading)
  }
  await page.getByRole('table').waitFor()
  await keyboard.press('n', 'c')
  await arrive('Person and case type')
  await keyboard.tabTo(/^Short form/)
  await keyboard.press('Enter')
  await page.waitForURL(/quick-case/)
  await arrive('New Case, short form')
  await keyboard.tabTo(/^New client/)
  await keyboard.press('Space')
  await keyboard.tabTo(/^First name/)
  await keyboard.type('Ottilie')
  await keyboard.tabTo(/^Last name/)
  await keyboard.type('Quenby')
  await keyboard.tabTo(/^Case type/)
  await keyboard.type('serious')
  await page.getByRole('option', { name: 'IMCA - Serious medical treatment' }).waitFor()
  await keyboard.press('Enter')
  await keyboard.tabTo(/^Contract/)
  await keyboard.choose('I')
  await keyboard.tabTo(/^Issue type/)
  await keyboard.choose('S')
  await keyboard.press('Control+Enter')
  await page.waitForURL(/\/cases\/\d+\/details/)
  await page.getByRole('heading', { level: 1, name: /Ottilie Quenby/ }).waitFor()
  expect(keyboard.count()).toBeLessThanOrEqual(30)
  expect(errorsOf(page)).toEqual([])
})

itInFull('a hub adviser asks for another advocate with a note, and a manager finds it first', async () => {
  const { id: advocate } = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
  const made = await createCase(hubAdviser, 1)
  const byHttp = await signInByHttp(contract, e2e.product.address, 'manager', PASSWORD)
  const assigned = await byHttp('issues.assign', { params: { id: made.issue }, body: { advocate } })
  expect(assigned.status, JSON.stringify(assigned.body)).toBe(200)
  const hub = await e2e.signIn('hub')
  await hub.goto(`/cases/${made.id}/issues/${made.issue}/details`)
  await hub.getByRole('heading', { level: 1 }).waitFor()
  const dialog = hub.getByRole('dialog')
  const count = await interactions([
    () => fromMenu(hub, 'Ask for allocation'),
    () => dialog.getByRole('textbox').fill('The advocate goes on leave'),
    () => dialog.getByRole('button', { name: 'Ask for allocation' }).click(),
  ])
  await dialog.waitFor({ state: 'detached' })
  // The menu takes two: one to open it, one to choose.
  expect(count + 1).toBeLessThanOrEqual(4)
  expect(errorsOf(hub)).toEqual([])

  const manager = await e2e.signIn('manager')
  await manager.getByRole('link', { name: String(made.issue), exact: true }).waitFor()
  expect(errorsOf(manager)).toEqual([])
})

itInFull('a manager allocates ten issues in at most 15 interactions', async () => {
  const manager = await e2e.signIn('manager')
  const rows = manager.locator('.list-table:not([aria-hidden]) tbody tr')
  await rows.first().waitFor()
  const before = await rows.locator('th').allTextContents()
  expect(before.length).toBeGreaterThanOrEqual(TEN)
  const tick = (issue: string) =>
    manager.getByRole('checkbox', { name: `Select ${issue.trim()}`, exact: true })
  const board = manager.getByRole('complementary', { name: 'Who could take them' })
  const assign = board.getByRole('button', { name: `Assign ${TEN} to` }).first()
  const count = await interactions([
    // By their names: the list may be fetched anew meanwhile, and then its rows move.
    ...before.slice(0, TEN).map((issue) => () => tick(issue).check({ force: true })),
    // Those who could take nine are shown until those for ten are there.
    () =>
      board
        .locator('ol[aria-busy=false]')
        .waitFor()
        .then(() => assign.click()),
    () => manager.getByRole('alertdialog').getByRole('button', { name: 'Assign' }).click(),
  ])
  expect(count).toBeLessThanOrEqual(15)
  await waitForToast(manager, `${TEN} issues`)
  await expect.poll(() => rows.locator('th').allTextContents()).not.toContain(before[0])
  await expectAccessible(manager)
  expect(errorsOf(manager)).toEqual([])
})
