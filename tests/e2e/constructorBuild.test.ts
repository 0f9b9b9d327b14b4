import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { itInFull } from '../full.ts'
import { describeProduct, errorsOf } from './context.ts'
import { focused } from './interactions.ts'

/** Groups with how many fields each has: the first is of yes or no, the last is asked where that is Yes. */
const FORM = { Referral: 9, Home: 8, Plan: 8 }
const MAX_CLICKS = 80
/** Most presses of Tab from one control of the constructor to another. */
const MAX_TABS = 90

const e2e = describeProduct()

const structure = (page: Page) => page.getByRole('region', { name: 'Structure' })
const rowOf = (page: Page, label: string) =>
  structure(page).getByRole('button', { name: new RegExp(`^${label} `) })
const labelsOf = (group: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${group} question ${i + 1}`)

/** What the published form has: how many fields, and the conditions of those that have one. */
async function published(page: Page, label: string) {
  const token = await page.evaluate(() => localStorage.token)
  const reply = await fetch(`${e2e.product.address}/case_type_lookup/?term=${label}`, {
    headers: { accept: 'application/json', authorization: `Token ${token}` },
  })
  const [{ case_meta }] = await reply.json()
  const fields = case_meta.flatMap((group: { fields: object[] }) => group.fields)
  return {
    count: fields.length,
    conditions: fields.flatMap((field: { attrs: { when?: object } }) => field.attrs.when ?? []),
  }
}
const BUILT = {
  count: 25,
  conditions: Object.keys(FORM).map((group) => ({ [`${group.toLowerCase()}_question_1`]: 'yes' })),
}

/** Waits until the services have come: the form to begin with, in the same dialog, has choices of its own. */
const serviceOffered = (dialog: Locator) =>
  dialog.getByLabel('Service').locator('option').nth(1).waitFor({ state: 'attached' })

itInFull('a form of 25 fields with three conditions is built by the keyboard alone', async () => {
  const page = await e2e.signIn('admin')
  const press = (key: string) => page.keyboard.press(key)
  const tabTo = async (name: RegExp, key = 'Tab') => {
    for (let i = 0; i < MAX_TABS; i++) {
      if (name.test(await focused(page))) return
      await press(key)
    }
    throw new Error(`${key} does not lead to ${name}`)
  }
  /** What adds stands right before the settings, in which the focus is. */
  const backTo = (name: RegExp) => tabTo(name, 'Shift+Tab')
  const type = async (control: RegExp, text: string) => {
    await tabTo(control)
    await page.keyboard.type(text)
  }
  await page.goto('/dashboard/module-constructor')
  await page.getByRole('button', { name: 'New case type' }).waitFor()
  await tabTo(/^New case type/)
  await press('Enter')
  await serviceOffered(page.getByRole('dialog'))
  await type(/^Name/, 'Keyboard form')
  await tabTo(/^Service/)
  await press('ArrowDown')
  await tabTo(/^New case type/)
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Keyboard form' }).waitFor()
  for (const [group, count] of Object.entries(FORM)) {
    await backTo(/^Add group/)
    await press('Enter')
    await type(/^Label/, group)
    await press('Enter')
    await rowOf(page, group).waitFor()
    for (const [i, label] of labelsOf(group, count).entries()) {
      await backTo(new RegExp(`^Add field to ${group}`))
      await press('Enter')
      await type(/^Label/, label)
      await tabTo(/^Text One line/)
      await press('Space')
      for (let down = 0; i === 0 && down < 2; down++) await press('ArrowDown')
      await press('Enter')
      await rowOf(page, label).waitFor()
      await expect.poll(() => focused(page)).toMatch(new RegExp(`^${label}`))
    }
    await tabTo(/^Always/)
    await press('ArrowDown')
    await type(/^Field/, `${group} question 1`)
    await type(/^Value/, 'Yes')
  }
  await tabTo(/^Publish…/)
  await press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(/^Publish version \d+$/)
  await press('Enter')
  await page.getByText('Published as version 1').first().waitFor()
  expect(await published(page, 'Keyboard')).toEqual(BUILT)
  expect(errorsOf(page)).toEqual([])
})

itInFull(`the same form is built by the mouse in at most ${MAX_CLICKS} clicks`, async () => {
  const page = await e2e.signIn('admin')
  let clicks = 0
  const click = async (control: Locator) => {
    clicks++
    await control.click()
  }
  /** A list is opened by one click, and a choice of it taken by another. */
  const choose = async (list: Locator, label: string) => {
    clicks += 2
    await list.selectOption({ label })
  }
  const settings = page.locator('.constructor-settings')
  await page.goto('/dashboard/module-constructor')
  await click(page.getByRole('button', { name: 'New case type' }))
  const dialog = page.getByRole('dialog')
  await serviceOffered(dialog)
  // Who types before sees that it goes nowhere.
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type('Mouse form')
  await choose(
    dialog.getByLabel('Service'),
    `${await dialog.getByLabel('Service').locator('option').nth(1).textContent()}`,
  )
  await click(dialog.getByRole('button', { name: 'New case type' }))
  await page.getByRole('heading', { level: 1, name: 'Mouse form' }).waitFor()
  for (const [group, count] of Object.entries(FORM)) {
    await click(page.getByRole('button', { name: 'Add group' }).first())
    await page.keyboard.type(group)
    await page.keyboard.press('Enter')
    await rowOf(page, group).waitFor()
    for (const [i, label] of labelsOf(group, count).entries()) {
      await click(structure(page).getByRole('button', { name: `Add field to ${group}` }))
      await page.keyboard.type(label)
      const kind = i === 0 ? 'Yes or no Yes, no or not known' : 'Text One line'
      await click(settings.locator('label').filter({ hasText: new RegExp(`^${kind}$`) }))
      await page.keyboard.press('Enter')
      await rowOf(page, label).waitFor()
    }
    const shown = settings.getByRole('radiogroup', { name: 'Shown' }).locator('label')
    await click(shown.filter({ hasText: 'Only when…' }))
    await choose(settings.getByLabel('Field'), `${group} question 1`)
    await choose(settings.getByLabel('Value'), 'Yes')
  }
  await click(page.getByRole('button', { name: 'Publish…' }))
  await click(page.getByRole('button', { name: /^Publish version/ }))
  await page.getByText('Published as version 1').first().waitFor()
  expect(await published(page, 'Mouse')).toEqual(BUILT)
  expect(clicks).toBeLessThanOrEqual(MAX_CLICKS)
})
