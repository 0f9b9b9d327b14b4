import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { expectAccessible } from './accessible.ts'
import { answerTo, button, change, fromMenu, save, tab, tags, waitForToast } from './casePage.ts'
import { describeProduct, errorsOf, PASSWORD } from './context.ts'
import { openCuttableProxy } from './cuttableProxy.ts'
import { documentsOf, issueOf, issuePage, ownCase } from './ownCase.ts'
import { add, addOutcome, choose, NEXT_STEP } from './writing.ts'

const PLACE = 'Name of hospital, home or address'
const SUMMARY = 'Summary of the issue'
const ABOUT = 'About this issue'
const e2e = describeProduct()
let advocate: Caller
let page: Page
let manager: Page
beforeAll(async () => {
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
  page = await e2e.signIn('advocate')
  manager = await e2e.signIn('manager')
})

/** What the server keeps of the unfinished record on a page. */
async function keptOf(on: Page): Promise<unknown> {
  const id = new URL(on.url()).searchParams.get('draft')
  return (await advocate('drafts.read', { params: { id } })).body.payload?.document
}

describe('a manager at the chronology of a case', () => {
  itInFull('finds a change and puts the value before it back, which the advocate cannot', async () => {
    const { id } = await ownCase(advocate, 'Restorick')
    for (const place_name of ['The Infirmary', 'The Hospice'])
      await advocate('cases.update', { params: { id }, body: { answers: { place_name } } })
    await manager.goto(`/cases/${id}`)
    await tab(manager, 'Chronology').click()
    await button(manager, 'Filters').click()
    await manager.getByLabel('Kind').selectOption({ label: 'Change' })
    await button(manager, 'Apply filters').click()
    await manager.getByText('Kind: Change').waitFor()
    const shown = manager.locator('.timeline-entries .bp6-tag')
    await expect.poll(async () => new Set(await shown.allTextContents())).toEqual(new Set(['Change']))
    await button(manager, `Put back ${PLACE}`).first().click()
    const question = manager.getByRole('alertdialog')
    await question.getByText(`Set “${PLACE}” back to “The Infirmary”?`).waitFor()
    await expect.poll(() => manager.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await expectAccessible(manager)
    await question.getByRole('button', { name: 'Put back' }).click()
    await waitForToast(manager, `“${PLACE}” is put back`)
    await manager.getByText('From The Hospice to The Infirmary').waitFor()
    await tab(manager, 'Details').click()
    await expect.poll(() => answerTo(manager, PLACE).textContent()).toBe('The Infirmary')
    await page.goto(`/cases/${id}/chronology`)
    await page.getByText('From The Hospice to The Infirmary').waitFor()
    expect(await page.getByRole('button', { name: /^Put back/ }).count()).toBe(0)
    expect([...errorsOf(page), ...errorsOf(manager)]).toEqual([])
  })
})

describe('two tabs on one issue', () => {
  it('are both right where they change different fields, and rows of outcomes stay', async () => {
    const made = await ownCase(advocate, 'Twotabs')
    const other = await page.context().newPage()
    for (const one of [page, other]) await one.goto(`${issuePage(made)}/details`)
    await change(page, ABOUT)
    await page.getByLabel(SUMMARY).fill('They asked to go home.')
    await change(page, 'Outcomes')
    await addOutcome(page, 'Desired outcomes', 'To go home')
    await change(other, 'Issue')
    await other.getByLabel('Start date').fill('2026-01-31')
    await change(other, 'Outcomes')
    await addOutcome(other, 'Actual outcomes', 'Still waiting')
    expect(await save(page)).toBe(200)
    expect(await save(other)).toBe(200)
    await expect.poll(() => answerTo(other, SUMMARY).textContent()).toBe('They asked to go home.')
    expect(await issueOf(advocate, made)).toMatchObject({
      answers: { summary: 'They asked to go home.' },
      start_date: '2026-01-31',
      desired_outcomes: [{ details: 'To go home' }],
      actual_outcomes: [{ details: 'Still waiting' }],
    })
    await change(other, 'Outcomes')
    await change(page, ABOUT)
    await page.getByLabel(SUMMARY).fill('She asked for her sister.')
    expect(await save(page)).toBe(200)
    await addOutcome(other, 'Desired outcomes', 'To see her sister')
    await change(other, ABOUT)
    await other.getByLabel(SUMMARY).fill('He asked for his brother.')
    expect(await save(other)).toBe(409)
    const panel = other.locator('.conflict')
    await panel.getByText('Take theirs: She asked for her sister.').waitFor()
    expect(await panel.locator('legend').allTextContents()).toEqual([SUMMARY])
    await expectAccessible(other)
    await panel.getByText('Keep mine: He asked for his brother.').click()
    await panel.getByRole('button', { name: 'Save' }).click()
    // The toast of the save before may still be there.
    await waitForToast(other, 'Saved: Summary of the issue')
    await panel.waitFor({ state: 'detached' })
    await expect
      .poll(() => issueOf(advocate, made))
      .toMatchObject({
        answers: { summary: 'He asked for his brother.' },
        desired_outcomes: [{ details: 'To go home' }, { details: 'To see her sister' }],
        actual_outcomes: [{ details: 'Still waiting' }],
      })
    await other.close()
    expect(errorsOf(page)).toEqual([])
  })
})

describe('an upload that is cut off in the middle', () => {
  itInFull('says so, leaves no document, and is there once after it is tried again', async () => {
    const made = await ownCase(advocate, 'Cutler')
    const cutting = await openCuttableProxy(e2e.product.address)
    const far = await e2e.visit()
    await far.goto(`${cutting.address}/login`)
    await far.getByLabel('User name').fill('advocate')
    await far.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button(far, 'Sign in').click()
    await far.waitForURL(/my-cases/)
    await far.goto(`${cutting.address}${issuePage(made)}/documents`)
    await far.getByText('This issue has no documents.').waitFor()
    cutting.cutAfter(1_000_000)
    await choose(far, 'long.txt', Buffer.alloc(3_000_000, 'long words\n'))
    await far
      .locator('.upload-files')
      .getByText(/^The upload was cut off\. No part of it is kept/)
      .waitFor()
    await expectAccessible(far)
    await far.getByText('This issue has no documents.').waitFor()
    expect(await documentsOf(advocate, made)).toEqual([])
    cutting.cutAfter(Number.POSITIVE_INFINITY)
    await button(far, 'Retry long.txt').click()
    await far.locator('.upload-files').getByText('Uploaded').waitFor()
    await button(far, 'Download long.txt').waitFor()
    expect(await documentsOf(advocate, made)).toMatchObject([{ name: 'long.txt', size: 3_000_000 }])
    expect(errorsOf(far)).toEqual([])
    await far.close()
    await cutting.end()
  })
})

describe('drafts of an action', () => {
  itInFull(
    'outlive the browser, lead back to the form with what was typed, and go once it is saved',
    async () => {
      const { issue } = await ownCase(advocate, 'Draughty')
      const first = await e2e.signIn('advocate')
      await first.goto(`/action/new?issue=${issue}`)
      await first.getByLabel('Notes').fill('Begun on the train')
      await first.waitForURL(/draft=\d+/)
      await first.getByRole('textbox', { name: NEXT_STEP }).fill('Ring the ward')
      await expect.poll(() => keptOf(first)).toMatchObject({ next_step: 'Ring the ward' })
      await first.context().close()

      const second = await e2e.signIn('advocate')
      await second.getByRole('link', { name: 'Draft Cases' }).click()
      await second.getByRole('link', { name: `New Action – Issue ${issue}` }).click()
      await second.waitForURL(new RegExp(`/action/new\\?issue=${issue}&draft=\\d+`))
      await second.locator('main .form').getByText(`Issue ${issue}: `).waitFor()
      expect(await second.getByLabel('Notes').inputValue()).toBe('Begun on the train')
      expect(await second.getByRole('textbox', { name: NEXT_STEP }).inputValue()).toBe('Ring the ward')
      await second.getByLabel('Next step due').fill('2026-12-24')
      await second.getByLabel('Type', { exact: true }).selectOption({ index: 1 })
      const { id } = await add(second, 'Save')
      expect((await advocate('actions.read', { params: { id } })).body).toMatchObject({
        notes: 'Begun on the train',
        issue,
      })
      await second.waitForURL(/\/chronology$/)
      await second.goto('/dashboard/draft-cases')
      await second.getByText('You have nothing unfinished.').waitFor()
      await expectAccessible(second)
      expect(errorsOf(second)).toEqual([])
    },
  )
})

describe('purging a client', () => {
  itInFull('needs the last name typed, and nobody finds the client again', async () => {
    const { id, client, issue } = await ownCase(advocate, "O'Gone Quartz")
    await advocate('issues.close', { params: { id: issue }, body: { reasons: [1] } })
    await advocate('cases.retire', { params: { id } })
    const box = manager.getByRole('combobox', { name: 'Find a client' })
    await manager.goto(`/clients/${client}`)
    await box.pressSequentially('gone quartz')
    await manager.getByRole('option', { name: /Quartz/ }).waitFor()
    await box.fill('')
    await fromMenu(manager, 'Retire')
    await expect.poll(() => tags(manager)).toContain('Retired')
    await fromMenu(manager, 'Purge')
    const question = manager.getByRole('alertdialog', { name: 'Purge' })
    const name = question.getByRole('textbox')
    const yes = question.getByRole('button', { name: 'Purge' })
    await name.fill('Quartz')
    expect(await yes.isEnabled()).toBe(false)
    await expectAccessible(manager)
    await name.fill("O'Gone Quartz")
    await yes.click()
    await waitForToast(manager, `Client ${client} is purged`)
    await manager.waitForURL(/\/dashboard/)
    await box.pressSequentially('gone quartz')
    await manager.getByText('No clients match').waitFor()
    await manager.goto(`/clients/${client}/info`)
    await manager.getByRole('heading', { name: 'There is no such client, or you may not see it' }).waitFor()
    await page.goto(`/clients/${client}/info`)
    await page.getByRole('heading', { name: 'There is no such client, or you may not see it' }).waitFor()
    expect([...errorsOf(page), ...errorsOf(manager)]).toEqual([])
  })
})
