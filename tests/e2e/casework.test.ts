import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { FULL, itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { createCase, newCase } from '../server/newCase.ts'
import { type Product, startProduct } from '../server/product.ts'
import { expectAccessible } from './accessible.ts'
import { sharedBrowser } from './browser.ts'
import {
  answerTo,
  button,
  callsTo,
  change,
  fromMenu,
  save,
  tab,
  tags,
  toasts,
  waitForToast,
} from './casePage.ts'
import { type E2eContext, errorsOf, openE2eContext, PASSWORD } from './context.ts'
import { expectToFit } from './expectToFit.ts'

const PLACE = 'Name of hospital, home or address'
const WARD = 'Ward or unit'
const WHERE = 'Where the person is now'
let e2e: E2eContext
let advocate: Caller
let page: Page
let manager: Page
let restarted: Product | undefined
beforeAll(async () => {
  e2e = await openE2eContext()
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
  page = await e2e.signIn('advocate')
  manager = await e2e.signIn('manager')
})
afterAll(async () => {
  await restarted?.end('SIGTERM')
  await e2e?.end()
})

/** A case of the advocate's own, so that the manager sees it too. */
async function ownCase(): Promise<{ id: number; client: number; issue: number }> {
  const { issue } = await newCase(advocate)
  return createCase(advocate, 1, { issue: { ...(issue as object), advocate: advocate.id } })
}

const bar = (on: Page) => on.locator('.form-bar').textContent()
const answersOf = async (id: number) => (await advocate('cases.read', { params: { id } })).body.answers

/** Where what has the focus stands, seen from the page; runs there. */
function behindTheBar(): string {
  const bar = document.querySelector('.form-bar')!
  const active = document.activeElement!
  if (!document.querySelector('.form')!.contains(active)) return 'elsewhere'
  const [own, cover] = [active.getBoundingClientRect(), bar.getBoundingClientRect()]
  const isBehind = !bar.contains(active) && own.bottom > cover.top + 1 && own.top < cover.bottom - 1
  return isBehind ? `behind: ${active.id}` : 'in sight'
}

describe('an advocate at a case', () => {
  it('opens one from My Cases, changes it on every tab, and finds the changes after loading it anew', async () => {
    await page.goto('/dashboard/my-cases')
    const client = page.locator('.list-table:not([aria-hidden]) tbody a[href$="/details"]').first()
    const name = await client.textContent()
    await client.click()
    await page.getByRole('heading', { level: 1, name: `: ${name}` }).waitFor()
    await expect
      .poll(() => page.locator('.detail-tabs').textContent())
      .toMatch(/^DetailsIssues \d+Tasks \d+MonitoringChronology$/)
    expect(await page.title()).toMatch(new RegExp(`^Details – Case \\d+: ${name} – `))
    await expectAccessible(page)
    await change(page, WHERE)
    await page.getByLabel(PLACE).fill('St. Ælred’s, 2nd floor')
    await expect.poll(() => bar(page)).toContain('Not saved yet')
    await expectAccessible(page)
    expect(await save(page)).toBe(200)
    await page.locator('.form-bar').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(`Change ${WHERE}`)
    await expectAccessible(page)
    await page.reload()
    await answerTo(page, PLACE).getByText('St. Ælred’s, 2nd floor').waitFor()

    await tab(page, 'Monitoring').click()
    await change(page, 'Equality monitoring for this case')
    const religion = page.getByLabel('Religion')
    const chosen = () => religion.evaluate((list: HTMLSelectElement) => list.selectedIndex)
    const other = (await chosen()) === 3 ? 4 : 3
    await religion.selectOption({ index: other })
    expect(await save(page)).toBe(200)
    await tab(page, 'Issues').click()
    await page.locator('.list-table:not([aria-hidden]) tbody th a').first().click()
    await page.getByRole('heading', { level: 1, name: /^Issue \d+: / }).waitFor()
    // The heading comes with the list's row, the way to it with the record.
    await expect
      .poll(() => page.locator('.breadcrumbs li').allTextContents())
      .toEqual([
        'Dashboard',
        name,
        expect.stringMatching(/^Case \d+$/),
        expect.stringMatching(/^Issue \d+: /),
      ])
    await change(page, 'About this issue')
    await page.getByLabel('Summary of the issue').fill('They asked to go home.\nAgain.')
    expect(await save(page)).toBe(200)
    await page.reload()
    await expect
      .poll(() => answerTo(page, 'Summary of the issue').textContent())
      .toBe('They asked to go home.\nAgain.')
    await tab(page, 'Monitoring').click()
    await change(page, 'What changed for the person')
    await page.getByText('Access to health care').click()
    expect(await save(page)).toBe(200)
    await page.locator('.breadcrumbs').getByRole('link', { name: /^Case/ }).click()
    await tab(page, 'Monitoring').click()
    await change(page, 'Equality monitoring for this case')
    await expect.poll(chosen).toBe(other)
  })

  it.each([[1280, 800], ...(FULL ? [[320, 700]] : [])])(
    'reaches each control by the Tab key with none behind the bar, on a page of %i by %i',
    async (width, height) => {
      const { id, issue } = await ownCase()
      const usual = page.viewportSize()!
      await page.setViewportSize({ width, height })
      await page.goto(`/cases/${id}/issues/${issue}/details`)
      await change(page, 'Serious medical treatment')
      await page.getByLabel('Proposal').waitFor()
      await page.locator('h1').focus()
      const placed = []
      for (let i = 0; i < 70; i++) {
        await page.keyboard.press('Tab')
        placed.push(await page.evaluate(behindTheBar))
      }
      expect(placed.filter((one) => one === 'in sight').length).toBeGreaterThan(20)
      expect(placed.filter((one) => one.startsWith('behind'))).toEqual([])
      await page.setViewportSize(usual)
    },
  )

  itInFull('is asked before what is typed is lost by a click on a tab', async () => {
    const { id } = await ownCase()
    await page.goto(`/cases/${id}/details`)
    await change(page, WHERE)
    await page.getByLabel(WARD).fill('Ward 12')
    await tab(page, 'Issues').click()
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    expect(await question.textContent()).toBe(
      'Warning! You have unsaved changesThe added information will be lost.CancelLeave',
    )
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await page.keyboard.press('Enter')
    expect(await page.getByLabel(WARD).inputValue()).toBe('Ward 12')
    await tab(page, 'Issues').click()
    await button(page, 'Leave').click()
    await page.waitForURL(/issues/)
    expect(await answersOf(id)).not.toHaveProperty('ward')
  })

  itInFull(
    'retires a case after asking about its open issues, takes that back by Undo, and unretires it',
    async () => {
      const { id, issue } = await ownCase()
      await page.goto(`/cases/${id}`)
      const calls = callsTo(page, /retire/)
      await fromMenu(page, 'Retire')
      const question = page.getByRole('alertdialog', { name: 'Retire' })
      await question.getByText(`Case ${id} has open issues. Retire it all the same?`).waitFor()
      await expectAccessible(page)
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe('More actions')
      expect(calls).toEqual([])
      await fromMenu(page, 'Retire')
      await question.getByRole('button', { name: 'Retire' }).click({ clickCount: 2, delay: 80 })
      await waitForToast(page, `Case ${id} is retired`)
      await expect.poll(() => tags(page)).toContain('Retired')
      expect(calls).toEqual([`GET /case/${id}/retire/`])
      await expectAccessible(page)
      await button(page, 'Undo').click()
      await waitForToast(page, 'Undone')
      await expect.poll(() => tags(page)).toContain('Open')
      await advocate('issues.close', { params: { id: issue }, body: { reasons: [1] } })
      await page.reload()
      await fromMenu(page, 'Retire')
      await waitForToast(page, `Case ${id} is retired`)
      await expect.poll(() => tags(page)).toContain('Retired')
      await fromMenu(page, 'Unretire')
      await waitForToast(page, `Case ${id} is active again`)
      expect((await advocate('cases.read', { params: { id } })).body.status).toBe(1)
    },
  )

  it('closes an issue with its reasons; what is missing or wrong is shown at its field', async () => {
    const { id, issue } = await ownCase()
    await page.goto(`/cases/${id}/issues/${issue}/details`)
    const calls = callsTo(page, /\/close\//)
    await fromMenu(page, 'Close issue')
    const dialog = page.getByRole('dialog', { name: 'Close issue' })
    await dialog.getByLabel('Desired outcome achieved').waitFor()
    await button(page, 'Close issue').last().click()
    await dialog.getByRole('link', { name: 'Choose reasons' }).waitFor()
    await expectAccessible(page)
    expect(calls).toEqual([])
    await dialog.getByText('Client withdrew').click()
    await dialog.getByLabel('Closed on').fill('2020-01-01')
    await dialog.getByLabel('Closed on').press('Enter')
    await dialog.getByRole('link', { name: 'Closed on must not be before start date' }).click()
    expect(await dialog.getByLabel('Closed on').evaluate((box) => box === document.activeElement)).toBe(true)
    await dialog.getByLabel('Closed on').fill('2026-03-02')
    await button(page, 'Close issue').last().dblclick()
    await page
      .locator('.bp6-toast')
      .getByText(new RegExp(`^Issue ${issue} of .+ is closed$`))
      .waitFor()
    await expect.poll(() => tags(page)).toEqual(['Closed'])
    expect(calls).toHaveLength(2)
    await button(page, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Print' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Close issue' }).count()).toBe(0)
    const { body } = await advocate('issues.read', { params: { id: issue } })
    expect(body).toMatchObject({ is_opened: false, close_date: '2026-03-02' })
    expect(body.close_reasons).toHaveLength(1)
    expect(errorsOf(page)).toEqual([])
  })
})

describe('who can see a record', () => {
  itInFull(
    'is answered in the menu of a case, a client and an issue, to managers with all people',
    async () => {
      const { id, client, issue } = await ownCase()
      const reason = `Advocate of issue ${issue}`
      const places = [
        [`/cases/${id}/details`, `Who can see case ${id}?`, reason],
        [`/clients/${client}/info`, /^Who can see Ann Example/, reason],
        [`/cases/${id}/issues/${issue}/details`, `Who can see issue ${issue}?`, 'Advocate of this issue'],
      ] as const
      for (const [address, name, words] of places) {
        await manager.goto(address)
        await fromMenu(manager, 'Why can I see this?')
        const dialog = manager.getByRole('dialog', { name: 'Why can I see this?' })
        await dialog.getByRole('listitem').filter({ hasText: 'Manages the team of' }).waitFor()
        await expectAccessible(manager)
        await button(manager, 'Close').click()
        await fromMenu(manager, 'Who can see this?')
        await manager.getByRole('heading', { level: 1, name }).waitFor()
        await manager.getByRole('rowheader', { name: /^Advocates/ }).waitFor()
        await manager.getByText(words, { exact: true }).waitFor()
        await expectAccessible(manager)
      }
      await page.goto(`/cases/${id}/details`)
      await button(page, 'More actions').click()
      await page.getByRole('menuitem', { name: 'Why can I see this?' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Who can see this?' }).count()).toBe(0)
      await page.getByRole('menuitem', { name: 'Why can I see this?' }).click()
      await page.getByRole('dialog').getByText(reason).waitFor()
      await button(page, 'Close').click()
      expect([...errorsOf(manager), ...errorsOf(page)]).toEqual([])
    },
  )
})

describe('an answer whose question a save hides', () => {
  const RISK = 'Known risk for visits'
  const SUMMARY = 'What we must know before a visit'
  const risk = (answer: string) =>
    page.getByRole('radiogroup', { name: RISK }).getByRole('radio', { name: answer, exact: true })

  itInFull(
    'is said to count no longer, comes back with its question, and is deleted only on request',
    async () => {
      const { id } = await ownCase()
      const known = { risk_known: 'yes', risk_summary: 'A dog that bites' }
      expect((await advocate('cases.update', { params: { id }, body: { answers: known } })).status).toBe(200)
      await page.goto(`/cases/${id}/details`)
      await change(page, 'Safe visiting')
      await risk('No').check({ force: true })
      expect(await save(page)).toBe(200)
      await waitForToast(page, `No longer counted: ${SUMMARY}`)
      expect(await answersOf(id)).not.toHaveProperty('risk_summary')
      const list = page.locator('.form-kept', { hasText: 'No longer counted' })
      await list.getByText('No longer counted (1)').click()
      await list.getByText('A dog that bites').waitFor()
      await expectAccessible(page)

      await change(page, 'Safe visiting')
      await risk('Yes').check({ force: true })
      expect(await page.getByLabel(SUMMARY).inputValue()).toBe('A dog that bites')
      expect(await save(page)).toBe(200)
      await waitForToast(page, `Counted again: ${SUMMARY}`)
      expect(await answersOf(id)).toMatchObject(known)

      await change(page, 'Safe visiting')
      await risk('No').check({ force: true })
      expect(await save(page)).toBe(200)
      await list.getByText('No longer counted (1)').click()
      await list.getByRole('button', { name: /^Delete/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await waitForToast(page, `“${SUMMARY}” is deleted`)
      await expect.poll(() => list.count()).toBe(0)
    },
  )
})

describe('two people at one case', () => {
  itInFull('are both right where they change different fields', async () => {
    const { id } = await ownCase()
    await page.goto(`/cases/${id}/details`)
    await manager.goto(`/cases/${id}/details`)
    for (const one of [page, manager]) await change(one, WHERE)
    await page.getByLabel(PLACE).fill('The Infirmary')
    await manager.getByLabel(WARD).fill('Ward 9')
    expect(await save(page)).toBe(200)
    expect(await save(manager)).toBe(200)
    await expect.poll(() => answerTo(manager, PLACE).textContent()).toBe('The Infirmary')
    expect(await answersOf(id)).toMatchObject({ place_name: 'The Infirmary', ward: 'Ward 9' })
  })

  const choices = [
    ['mine', 'Keep mine: The Infirmary', 'The Infirmary'],
    ['theirs', 'Take theirs: The Hospice', 'The Hospice'],
  ]
  itInFull.each(choices)('choose where they change the same one: %s', async (_, choice, kept) => {
    const { id } = await ownCase()
    await page.goto(`/cases/${id}/details`)
    await manager.goto(`/cases/${id}/details`)
    for (const one of [page, manager]) await change(one, WHERE)
    await page.getByLabel(PLACE).fill('The Infirmary')
    await page.getByLabel(WARD).fill('Ward 9')
    await manager.getByLabel(PLACE).fill('The Hospice')
    expect(await save(manager)).toBe(200)
    expect(await save(page)).toBe(409)
    const panel = page.locator('.conflict')
    await panel.getByText(/^Changed by Morgan Ellery at /).waitFor()
    expect(await panel.locator('legend').allTextContents()).toEqual([PLACE])
    expect(await toasts(page)).toEqual([])
    await expectAccessible(page)
    await page.getByLabel(PLACE).first().focus()
    await button(page, 'Save').last().click()
    await expect.poll(() => panel.evaluate((box) => box === document.activeElement)).toBe(true)
    await panel.getByText(choice).click()
    await panel.getByRole('button', { name: 'Save' }).click()
    await waitForToast(page, 'Saved')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => answerTo(page, PLACE).textContent()).toBe(kept)
    expect(await answersOf(id)).toMatchObject({ place_name: kept, ward: 'Ward 9' })
    expect([...errorsOf(page), ...errorsOf(manager)]).toEqual([])
  })
})

describe('a client', () => {
  itInFull(
    'is found by part of the name or by number, with keys alone; a page says if nobody is found',
    async () => {
      const { client } = await ownCase()
      const { body } = await advocate('clients.read', { params: { id: client } })
      await page.goto('/profile')
      await page.keyboard.press('/')
      const box = page.getByRole('combobox', { name: 'Find a client' })
      expect(await box.getAttribute('placeholder')).toBe('Client name or client ID')
      await box.pressSequentially(body.last_name.slice(0, -2).toUpperCase())
      await page.locator('.quick-results').getByText('Searching...').waitFor()
      await page
        .getByRole('option', { name: /ID \d+/ })
        .first()
        .waitFor()
      await page.keyboard.press('ArrowDown')
      await expectAccessible(page)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/clients\/\d+\/info/)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await box.pressSequentially('qzxqzx')
      await page.locator('.quick-results').getByText('No clients match').waitFor()
      await box.fill(String(client))
      await page.getByRole('option', { name: `ID ${client}` }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`/clients/${client}/info`)
      await page.getByRole('heading', { level: 1, name: `${body.first_name} ${body.last_name}` }).waitFor()
    },
  )

  itInFull('is changed, and leads to the cases', async () => {
    const { id, client } = await ownCase()
    await page.goto(`/clients/${client}`)
    await change(page, 'Personal details')
    await page.getByLabel('NHS number').fill('943 476 5918')
    await page.getByLabel('Known as').fill('Nan')
    await button(page, 'Save').click()
    await page.getByRole('link', { name: /NHS number/ }).waitFor()
    await page.getByLabel('NHS number').fill('9434765919')
    expect(await save(page)).toBe(200)
    await page.reload()
    await expect.poll(() => answerTo(page, 'Known as').textContent()).toBe('Nan')
    await expectAccessible(page)
    await tab(page, 'Cases').click()
    await page.getByRole('link', { name: String(id), exact: true }).click()
    await page.waitForURL(`/cases/${id}/details`)
    expect(errorsOf(page)).toEqual([])
  })
})

describe('on paper', () => {
  itInFull('a form shows what is answered, and says of which sections nothing is', async () => {
    const { id } = await ownCase()
    await page.goto(`/cases/${id}/details`)
    await change(page, WHERE)
    await page.getByLabel(PLACE).fill('The Limes')
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByLabel(PLACE).isVisible()).toBe(true)
    expect(await page.getByLabel('Ward or unit').isVisible()).toBe(false)
    const empty = await page.locator('.form-section').evaluateAll((sections) =>
      sections
        .map((one) => ({
          fields: [...one.querySelectorAll<HTMLElement>('.field, .read-item')].filter(
            (field) => field.offsetHeight > 0,
          ).length,
          says: getComputedStyle(one, '::after').content,
        }))
        .filter(({ fields, says }) => (fields === 0) !== (says === '"Not answered"')),
    )
    expect(empty).toEqual([])
    // What stands beside the record on a screen takes no room on paper.
    expect(await page.locator('.section-index, .detail-aside').filter({ visible: true }).count()).toBe(0)
    expect((await page.locator('.card').first().boundingBox())!.width).toBeGreaterThan(900)
    await page.emulateMedia({ media: 'screen' })
    await page.getByLabel(PLACE).fill('')
  })
})

describe('a manager', () => {
  it('assigns what has no advocate, sees it with that person, and exports the columns of the list', async () => {
    await manager.goto('/dashboard/allocations-required')
    const row = manager.locator('.list-table:not([aria-hidden]) tbody tr').first()
    const issue = await row.locator('th').textContent()
    const calls = callsTo(manager, /assign_advocate/)
    await row.getByRole('button', { name: `Assign ${issue}` }).click()
    const dialog = manager.getByRole('dialog', { name: /^Assign .+ of .+/ })
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await dialog.getByRole('link', { name: 'Choose advocate' }).waitFor()
    await expectAccessible(manager)
    await dialog.getByRole('combobox', { name: 'Advocate' }).fill('tamsin')
    await expectAccessible(manager)
    await dialog.getByRole('option', { name: /^Tamsin Fitzgerald-Oyelaran \d+ open issues?, / }).click()
    await dialog.getByRole('button', { name: 'Assign' }).dblclick()
    await manager
      .locator('.bp6-toast')
      .getByText(new RegExp(`^Issue ${issue} of .+ is assigned to .+$`))
      .waitFor()
    expect(calls).toHaveLength(1)
    await expect.poll(() => row.locator('th').textContent()).not.toBe(issue)

    await manager
      .getByRole('checkbox', { name: /^Select \d/ })
      .first()
      .check()
    const candidates = manager.locator('.candidates li')
    await candidates.first().waitFor()
    const all = await candidates.count()
    await manager.locator('.candidates').getByText('At work').click()
    // Those who are shown are dim while others are looked for.
    await manager.locator('.candidates ol:not([aria-busy="true"])').waitFor()
    await expect.poll(() => candidates.filter({ hasText: /on leave/i }).count()).toBe(0)
    expect(await candidates.count()).toBeLessThanOrEqual(all)
    await expectAccessible(manager)

    await manager.getByRole('link', { name: 'My Advocates' }).click()
    await manager.getByRole('link', { name: 'Tamsin Fitzgerald-Oyelaran' }).click()
    await manager.getByRole('heading', { level: 1, name: 'Issues: Tamsin Fitzgerald-Oyelaran' }).waitFor()
    await manager.getByRole('link', { name: issue!, exact: true }).waitFor()
    const shown = await manager.locator('.list-table:not([aria-hidden]) thead th').allTextContents()
    const download = manager.waitForEvent('download')
    await button(manager, 'Export to Excel').click()
    const book = xlsx.read(await readFile(await (await download).path()))
    const [heads] = xlsx.utils.sheet_to_json<string[]>(book.Sheets.data, { header: 1 })
    // The boxes that select rows have no heading.
    expect(heads.toSorted()).toEqual(shown.filter(Boolean).toSorted())

    await manager.getByRole('link', { name: 'Old Cases' }).click()
    await manager.getByRole('heading', { level: 1, name: 'Old Cases' }).waitFor()
    const more = row.getByRole('button', { name: /^More actions/ })
    await more.waitFor()
    expect(await row.getByRole('button', { name: /^Purge/ }).count()).toBe(0)
    const old = await row.locator('th').textContent()
    await more.click()
    await manager.getByRole('menuitem', { name: 'Purge' }).click()
    const question = manager.getByRole('alertdialog', { name: `Purge case ${old}` })
    await question.getByLabel(`Type ${old} to go on`).fill(old!)
    await question.getByRole('button', { name: 'Purge' }).click()
    await waitForToast(manager, `Case ${old} is purged`)
    await expect.poll(() => row.locator('th').textContent()).not.toBe(old)
    expect(errorsOf(manager)).toEqual([])
  })

  itInFull('chooses among the open issues of the team for an action, by touch on a narrow page', async () => {
    const context = await (await sharedBrowser()).newContext({
      ...{ baseURL: e2e.product.address, viewport: { width: 320, height: 640 }, hasTouch: true },
      storageState: await manager.context().storageState(),
    })
    const narrow = await context.newPage()
    await narrow.goto('/action/new')
    const box = narrow.getByRole('combobox', { name: 'Issue' })
    await box.tap()
    const first = narrow.getByRole('option').first()
    await first.waitFor()
    const { x, y } = (await first.boundingBox())!
    const under = (await box.boundingBox())!
    expect([Math.abs(x - under.x) < 3, y > under.y]).toEqual([true, true])
    await expectAccessible(narrow)
    await expectToFit(narrow)
    const name = await first.textContent()
    await first.tap()
    expect(await box.inputValue()).toBe(name?.trim())
    await context.close()
  })
})

describe('when the server is gone', () => {
  itInFull(
    'says so, keeps what was typed, and saves it by itself and once when the server is back',
    async () => {
      const { id } = await ownCase()
      await page.goto(`/cases/${id}/details`)
      await change(page, WHERE)
      await page.getByLabel(PLACE).fill('Typed in the dark')
      await e2e.product.end('SIGKILL')
      await button(page, 'Save').dblclick()
      await page.getByText('Waiting for the connection. It will be sent automatically.').waitFor()
      expect(await page.getByLabel(PLACE).inputValue()).toBe('Typed in the dark')
      await expect.poll(() => bar(page)).toContain('Not saved yet')
      await manager.getByRole('link', { name: 'Next' }).click()
      await manager.getByRole('heading', { name: 'This cannot be opened now' }).waitFor()

      const { port } = new URL(e2e.product.address)
      const calls = callsTo(page, /^\/case\//)
      restarted = await startProduct({ DATABASE_URL: e2e.databaseUrl, PORT: port })
      await waitForToast(page, 'Saved')
      expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([`PATCH /case/${id}/`])
      expect(await answersOf(id)).toMatchObject({ place_name: 'Typed in the dark' })
      await manager.getByText(/^Showing 11 to 20 of /).waitFor()
    },
  )
})
