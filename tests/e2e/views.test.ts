import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import xlsx from 'xlsx'
import { itInFull } from '../full.ts'
import { expectAccessible } from './accessible.ts'
import { describeProduct, errorsOf } from './context.ts'
import { expectToFit } from './expectToFit.ts'

const NARROW = { width: 320, height: 640 }
const WIDE = { width: 1280, height: 900 }

const e2e = describeProduct()

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const headings = (page: Page) =>
  page.locator('.list-table:not([aria-hidden]) thead th:not(.list-select)').allInnerTexts()

async function openViews(page: Page) {
  await button(page, 'Columns and views').click()
  const dialog = page.getByRole('dialog', { name: 'Columns and views' })
  await dialog.getByRole('checkbox').first().waitFor()
  return dialog
}

/** Clean at both widths, and no wider than the narrow one. */
async function look(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.setViewportSize(NARROW)
  await expectToFit(page)
  await expectAccessible(page)
  await page.setViewportSize(WIDE)
}

async function exported(page: Page, name: string): Promise<unknown[][]> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  const book = xlsx.read(readFileSync(await download.path()))
  return xlsx.utils.sheet_to_json<unknown[]>(book.Sheets.data, { header: 1 })
}

itInFull('somebody chooses columns, which print and Excel follow and the browser remembers', async () => {
  const manager = await e2e.signIn('manager')
  await manager.getByRole('table').waitFor()
  const dialog = await openViews(manager)
  await dialog.getByRole('checkbox', { name: 'Started' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Last contact' }).check()
  // Up until it stands behind the first column, which stays where it is.
  const up = dialog.getByRole('button', { name: 'Move Last contact up' })
  const before = () =>
    dialog.getByRole('checkbox').evaluateAll((all) => all.map((one) => one.closest('label')?.textContent))
  for (let at = (await before()).indexOf('Last contact'); at > 1; at--) await up.press('Enter')
  await look(manager)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const shown = ['Issue', 'Last contact', 'Client', 'Issue type']
  const seen = (await headings(manager)).filter((text) => shown.includes(text.trim()))
  expect(seen.map((text) => text.trim())).toEqual(shown)
  const [heads] = await exported(manager, 'Export to Excel')
  // The tag beside the issue type has a column of its own.
  expect(heads).toEqual([...shown, 'Urgent'])
  await manager.reload()
  await manager.getByRole('table').waitFor()
  expect((await headings(manager))[1].trim()).toBe('Last contact')
  await (await openViews(manager)).getByRole('button', { name: 'Show the usual columns' }).click()
  expect(await headings(manager)).toContain('Started')
  expect(errorsOf(manager)).toEqual([])
})

itInFull('a manager assigns three issues at once, and exports those that are selected', async () => {
  const manager = await e2e.signIn('manager')
  await manager.getByRole('table').waitFor()
  await button(manager, /^Assign 0 selected/).click()
  await manager.getByText('Select an item for this task').waitFor()
  const boxes = manager.getByRole('checkbox', { name: /^Select \d+$/ })
  const rows = await manager
    .locator('.list-table:not([aria-hidden]) tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '')),
    )
  // Three of one service and contract, which one advocate can take.
  const kind = (row: string[]) => `${row[4]} ${row[5]}`
  const same = rows.filter((row) => rows.filter((one) => kind(one) === kind(row)).length >= 3).slice(0, 3)
  const three = same.length === 3 ? same : rows.slice(0, 3)
  const ids = three.map((row) => Number(row[1]))
  for (const id of ids) await manager.getByRole('checkbox', { name: `Select ${id}`, exact: true }).check()
  await manager.getByRole('status').getByText('3 selected').waitFor()
  await look(manager)
  const [heads, ...sheet] = await exported(manager, 'Export selected')
  expect(heads[0]).toBe('Issue')
  expect(sheet.map(([id]) => id).sort()).toEqual([...ids].sort())
  await manager.emulateMedia({ media: 'print' })
  expect(
    await manager
      .locator('.list-selection, .list-select')
      .evaluateAll((all) => all.filter((one) => getComputedStyle(one).display !== 'none').length),
  ).toBe(0)
  await manager.emulateMedia({ media: 'screen' })
  await button(manager, /^Assign 3 selected/).click()
  const dialog = manager.getByRole('dialog', { name: /^Assign/ })
  await dialog.getByLabel('Advocate').waitFor()
  await dialog.getByRole('combobox', { name: 'Advocate' }).fill('Avery')
  await dialog.getByRole('option', { name: /^Avery/ }).click()
  await button(manager, 'Assign').last().click()
  await manager
    .getByText(/^3 issues of \d clients? are assigned to Avery/)
    .first()
    .waitFor()
  for (const id of ids)
    await manager.getByRole('checkbox', { name: `Select ${id}`, exact: true }).waitFor({ state: 'detached' })
  expect(await boxes.count()).toBeGreaterThan(0)
  expect(errorsOf(manager)).toEqual([])
})

itInFull('a view is saved, shared with the team and opened by another person of it', async () => {
  const manager = await e2e.signIn('manager')
  await manager.goto('/search?searchType=2')
  await manager.getByLabel('From').fill('2026-01-01')
  await manager.getByLabel('To', { exact: true }).fill(new Date().toISOString().slice(0, 10))
  await button(manager, 'Search').last().click()
  await manager.getByRole('table').waitFor()
  const dialog = await openViews(manager)
  await dialog.getByRole('checkbox', { name: 'Next step', exact: true }).check()
  await dialog.getByRole('button', { name: 'Save the current list as a view' }).click()
  expect(await dialog.getByLabel('Name').evaluate((box) => box === document.activeElement)).toBe(true)
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByText('Enter a name').waitFor()
  await dialog.getByLabel('Name').fill('Work of this year')
  await dialog.getByText('To: always today').click()
  await dialog.getByLabel('Share with').selectOption('team')
  await look(manager)
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByRole('link', { name: 'Work of this year' }).waitFor()
  await look(manager)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await manager.getByText('View: Work of this year').waitFor()
  expect(manager.url()).toMatch(/start=2026-01-01&end=today.*view=\d+/)
  await look(manager)

  const advocate = await e2e.signIn('advocate')
  await advocate.goto('/search?searchType=2')
  await button(advocate, 'Columns and views').click()
  await advocate.getByRole('link', { name: 'Work of this year' }).click()
  await advocate.getByText('View: Work of this year').waitFor()
  await advocate.getByRole('columnheader', { name: 'Next step' }).waitFor()
  expect(await button(advocate, 'Save changes').count()).toBe(0)
  await button(advocate, /^From: 1 January 2026/).click()
  await advocate.getByText(', changed').waitFor()
  await button(advocate, 'Leave this view').click()
  await advocate.getByText('Fill in at least one field').waitFor()
  expect(advocate.url()).not.toContain('view=')
  expect(errorsOf(advocate)).toEqual([])
})
