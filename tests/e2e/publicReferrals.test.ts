import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { FULL } from '../full.ts'
import { expectAccessible } from './accessible.ts'
import { button, tags, waitForToast } from './casePage.ts'
import { describeProduct, errorsOf } from './context.ts'
import { expectToFit } from './expectToFit.ts'
import { fillForm } from './fillForm.ts'

const PHONE = { width: 360, height: 740 }
const NARROW = { width: 320, height: 640 }
/** Most presses of Tab that lead from one end of a page to the other. */
const MAX_TABS = 60

const e2e = describeProduct()

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Presses Tab until the control of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < MAX_TABS; i++) {
    const found = await page.evaluate((wanted) => {
      const here = document.activeElement as HTMLInputElement
      const names = [here.textContent, ...Array.from(here.labels ?? [], (label) => label.textContent)]
      return names.some((text) => text?.trim().startsWith(wanted))
    }, name)
    if (found) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${name}`)
}

/** Answers questions and goes on, by the keyboard alone. */
async function typePage(page: Page, answers: [string, string][]): Promise<void> {
  for (const [name, text] of answers) {
    await tabTo(page, name)
    if (text === NEXT) await page.keyboard.press('ArrowDown')
    else await page.keyboard.type(text)
  }
  await tabTo(page, 'Continue')
  await page.keyboard.press('Enter')
}

/** A ticked box or a chosen radio button: the space bar takes the one that has the focus. */
const TAKE = ' '
/** The radio button after the one that has the focus. */
const NEXT = 'next'

async function refer(page: Page): Promise<string> {
  await page.goto('/refer/4')
  await heading(page, 'Before you start')
  await typePage(page, [])
  await page.getByRole('alert').waitFor()
  await expectAccessible(page)
  await typePage(page, [['I do', NEXT]])
  await heading(page, 'About you')
  await typePage(page, [
    ['Your name', 'Zoë Ünal'],
    ['How you know', 'Sister'],
    ['Yes, they know', TAKE],
  ])
  await heading(page, 'Getting in touch')
  await typePage(page, [
    ['By telephone', TAKE],
    ['Your telephone', '020 7946 0000'],
  ])
  await heading(page, 'The person who needs help')
  await expectAccessible(page)
  await typePage(page, [
    ['First name', 'Łukasz'],
    ['Last name', 'Żółć'],
    ['Council area', 'Hert'],
  ])
  await heading(page, 'In your words')
  await page.goBack()
  await heading(page, 'The person who needs help')
  expect(await page.getByLabel('Last name').inputValue()).toBe('Żółć')
  await typePage(page, [])
  await heading(page, 'In your words')
  await typePage(page, [['What help is needed', 'He has a meeting']])
  await heading(page, 'Referral')
  await typePage(page, [['Yes', TAKE]])
  await page.getByRole('alert').waitFor()
  await typePage(page, [['Why urgent', 'It is on Monday']])
  await heading(page, 'Complainant and patient')
  await typePage(page, [['The client is', 'The patient']])
  await heading(page, 'Where the person is now')
  await typePage(page, [['Setting', 'Own home - t']])
  await heading(page, 'Check your answers')
  await page.getByText('It is on Monday').waitFor()
  await expectAccessible(page)
  await tabTo(page, 'Send')
  await page.keyboard.press('Enter')
  await heading(page, 'Thank you, your form has been sent')
  await expectAccessible(page)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
    'Żółć',
  )
  await tabTo(page, 'http')
  await page.keyboard.press('Enter')
  await heading(page, 'Status of your referral')
  return page.url()
}

describe('a referral from outside', () => {
  it('is made on a telephone by the keyboard alone, asked about, answered, and becomes a case with its answers', async () => {
    const stranger = await e2e.visit(PHONE)
    const link = await refer(stranger)
    expect(link).toMatch(/\/referral-status#[\w-]{43}$/)
    await stranger.getByText('We have it and will look at it').waitFor()

    const adviser = await e2e.signIn('hub')
    await adviser.goto('/dashboard/referral-requests')
    await adviser.locator('.list-table:not([aria-hidden]) tbody th a').first().click()
    await heading(adviser, /: Łukasz Żółć$/)
    await adviser.getByText('Zoë Ünal').first().waitFor()
    await adviser.getByText('It is on Monday').waitFor()
    expect(await tags(adviser)).toEqual(['New'])
    await expectAccessible(adviser)
    await button(adviser, 'More actions').click()
    await adviser.getByRole('menuitem', { name: 'Ask for more information' }).click()
    const question = adviser.getByRole('dialog', { name: 'Ask for more information' })
    await question.getByLabel('Question to the referrer').fill('Who has the key?')
    await question.getByRole('button', { name: 'Ask for more information' }).click()
    await waitForToast(adviser, 'The question is sent')

    await stranger.setViewportSize(NARROW)
    await stranger.reload()
    await stranger.getByText('Who has the key?').waitFor()
    await expectAccessible(stranger)
    await expectToFit(stranger)
    expect(await stranger.locator('main').innerText()).not.toMatch(/Łukasz|Żółć|Complaints/)
    await tabTo(stranger, 'Your answer')
    await stranger.keyboard.type('I have it')
    await tabTo(stranger, 'Send answer')
    await stranger.keyboard.press('Enter')
    await stranger.getByText('We have it and will look at it').waitFor()

    await adviser.reload()
    await expect.poll(() => tags(adviser)).toEqual(['New'])
    await button(adviser, 'Accept').click()
    await adviser.waitForURL(/\/accept-referral\?draft=\d+/)
    await heading(adviser, 'Accept referral')
    expect(await adviser.getByLabel('Last name').inputValue()).toBe('Żółć')
    expect(await adviser.getByLabel('Why urgent').inputValue()).toBe('It is on Monday')
    if (FULL) await finish(adviser, stranger)
    expect([errorsOf(stranger), errorsOf(adviser)]).toEqual([[], []])
  })
})

/** Fills in the rest of the page; the case has the answers of the form, and the status page says that it is taken on. */
async function finish(adviser: Page, stranger: Page): Promise<void> {
  await fillForm(adviser)
  await button(adviser, 'Save').click()
  await adviser.waitForURL(/\/cases\/\d+\/details$/)
  await adviser.getByText('It is on Monday').or(adviser.getByLabel('Why urgent')).first().waitFor()
  await stranger.reload()
  await stranger.getByText('We have taken it on').waitFor()
}
