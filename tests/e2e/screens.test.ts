import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fillPath } from '../../src/contract/call.ts'
import type { Screen } from '../../src/contract/generated.ts'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { expectAccessible } from './accessible.ts'
import { expectToLookRight } from './appearance.ts'
import { describeProduct, errorsOf, navigateTo, WIDE } from './context.ts'
import { addressOf, firstRoleFor, mayOpen, partsOf, roles, screens, settle } from './everyScreen.ts'
import { expectToFit } from './expectToFit.ts'

const NARROW = { width: 320, height: 640 }

const e2e = describeProduct()

const componentOf = (screen: Screen) =>
  screen.kind === 'custom' ? screen.component : `${screen.kind} ${'layout' in screen && screen.layout}`
/** The first screen that each component draws. */
const oneOfEachKind = screens.filter(
  ([, screen], i) => screens.findIndex(([, one]) => componentOf(one) === componentOf(screen)) === i,
)

/**
 * In `npm test` one screen of each kind is drawn, for one role; with FULL=1 every screen is, for every role that may open
 * it, and its dialogs are opened.
 */
describe.each(roles)('a $label', ({ id, demo, lands }) => {
  const open = screens.filter(([, s]) => mayOpen(id, s))
  const mine = FULL ? open : oneOfEachKind.filter(([name]) => firstRoleFor(name).id === id)

  it(`lands on ${lands}, sees ${mine.length} screens without an error card, and is sent away from others'`, async () => {
    const page = await e2e.signIn(demo)
    expect(new URL(page.url()).pathname).toBe(lands)
    const parts = await partsOf(e2e, demo)
    for (const [name, screen] of mine) {
      const address = addressOf(screen, parts)
      if (address === undefined) {
        // In FULL each screen is also drawn for those who have nothing to see on it.
        expect(FULL, `${demo} has nothing for ${name}`).toBe(true)
        continue
      }
      await navigateTo(page, address)
      await settle(page)
      expect(await page.locator('.error-card').allTextContents(), name).toEqual([])
      const current = await page.locator('.side [aria-current="page"]').allTextContents()
      expect(current.length, `${name}: ${current}`).toBeLessThan(2)
      await expectAccessible(page)
      if (FULL) await expectDialogsToReturnFocus(page, name)
      await page.setViewportSize(NARROW)
      await expectToFit(page, name)
      await page.setViewportSize(WIDE)
    }
    const [foreign] = screens.find(([, s]) => !mayOpen(id, s)) ?? []
    if (foreign) {
      await page.goto(fillPath(contract.screens[foreign].route, { id: 1, type: 'title' }))
      await page.waitForURL((url) => url.pathname === lands)
    }
    expect(errorsOf(page)).toEqual([])
    await page.context().close()
  }, 1_800_000)
})

type Label = string | null | undefined
const openedDialogs = new Set<Label>()

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
    // The rows of a list offer the same again.
    if (labels.indexOf(label) < i) continue
    const opener = openers.nth(i)
    await opener.click()
    await expectDialogToReturnFocus(page, opener, name, label)
  }
  const menus = page.locator('main button[aria-haspopup="menu"]:visible')
  const titles = await menus.evaluateAll((all) => all.map((one) => one.getAttribute('title')))
  for (const [i, title] of titles.entries()) {
    if (titles.indexOf(title) < i) continue
    const items = page.locator('[role="menuitem"][aria-haspopup="dialog"]')
    await menus.nth(i).click()
    const choices = await items.allTextContents()
    await page.keyboard.press('Escape')
    for (const [at, label] of choices.entries()) {
      await menus.nth(i).click()
      await items.nth(at).click()
      await expectDialogToReturnFocus(page, menus.nth(i), name, label)
    }
  }
}

async function expectDialogToReturnFocus(
  page: Page,
  opener: Locator,
  name: string,
  label: Label,
): Promise<void> {
  const what = `${name} ${label}`
  const dialog = page.locator('[role="dialog"], [role="alertdialog"]')
  await dialog
    .locator(':focus')
    .waitFor()
    .catch(() => expect.fail(`${what} opens no dialog with the focus`))
  // It looks the same on every screen that offers it.
  if (!openedDialogs.has(label)) {
    await expectToLookRight(page, what, { width: 320, colours: 'dark', axe: true })
    await expectToLookRight(page, what, { width: WIDE.width, colours: 'light', axe: true })
  }
  openedDialogs.add(label)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(() => opener.evaluate((one) => one === document.activeElement), { message: what })
    .toBe(true)
}
