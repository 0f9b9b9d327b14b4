import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { expectAccessible } from './accessible.ts'
import { answerTo, button, change, save, waitForToast } from './casePage.ts'
import { describeProduct, errorsOf, PASSWORD } from './context.ts'
import { type OwnCase, ownCase } from './ownCase.ts'

const e2e = describeProduct()
let advocate: Caller
let admin: Page
let page: Page
let made: OwnCase
beforeAll(async () => {
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
  admin = await e2e.signIn('admin')
  page = await e2e.signIn('advocate')
  made = await ownCase(advocate, 'Captainson')
})

const choices = (on: Page) => on.getByLabel('Title').locator('option').allTextContents()
const rows = (on: Page) => on.locator('.list-table:not([aria-hidden]) tbody th').allTextContents()

async function openList(name: string): Promise<void> {
  await admin.goto('/dashboard')
  await admin.getByRole('link', { name: 'Admin Site' }).click()
  await button(admin, 'Filters').click()
  await admin.getByLabel('Name', { exact: true }).fill(name)
  await button(admin, 'Apply filters').click()
  await admin.getByText('Showing 1 to 1 of 1').waitFor()
  await admin.locator('.list-table').getByRole('link', { name }).click()
  await admin.getByRole('heading', { level: 1, name }).waitFor()
  await admin.locator('.list-table:not([aria-hidden]) tbody th').first().waitFor()
}

describe('a value of a list', () => {
  it('is added by an administrator, and an advocate can choose it', async () => {
    await openList('Title')
    await expectAccessible(admin)
    await admin.getByRole('main').getByRole('link', { name: 'Add' }).click()
    await admin.getByLabel('Label', { exact: true }).fill('Captain')
    await expectAccessible(admin)
    await button(admin, 'Save').click()
    await waitForToast(admin, 'Saved')
    await expect.poll(() => rows(admin)).toContain('Captain')

    await page.goto(`/clients/${made.client}/info`)
    await change(page, 'Personal details')
    await expect.poll(() => choices(page)).toContain('Captain')
    await page.getByLabel('Title').selectOption({ label: 'Captain' })
    expect(await save(page)).toBe(200)
  })

  it('is retired after the question that says where it is used; older records still show it, new ones do not', async () => {
    await button(admin, 'Retire Captain').click()
    const dialog = admin.getByRole('alertdialog')
    await dialog.getByText('Client, Title: 1 record').waitFor()
    await expectAccessible(admin)
    await dialog.getByRole('button', { name: 'Retire' }).click()
    await waitForToast(admin, '“Captain” is retired')
    await admin
      .getByRole('row', { name: /Captain/ })
      .getByText('Retired')
      .waitFor()

    await page.goto(`/clients/${made.client}/info`)
    await expect.poll(() => answerTo(page, 'Title').textContent()).toBe('Captain')
    await change(page, 'Personal details')
    const title = page.getByLabel('Title')
    await expect.poll(() => title.locator('option:checked').textContent()).toBe('Captain')
    const other = await ownCase(advocate, 'Landlubber')
    await page.goto(`/clients/${other.client}/info`)
    await change(page, 'Personal details')
    await expect.poll(() => choices(page)).toContain('Mrs')
    expect(await choices(page)).not.toContain('Captain')
  })

  itInFull('is changed in its form, where two administrators see what the other did', async () => {
    await admin.locator('.list-table').getByRole('link', { name: 'Captain' }).click()
    await admin.getByRole('heading', { level: 1, name: 'Title: Captain' }).waitFor()
    const other = await e2e.signIn('admin')
    await other.goto(new URL(admin.url()).pathname)
    await other.getByLabel('Label', { exact: true }).fill('Skipper')
    await button(other, 'Save').click()
    await waitForToast(other, 'Saved')
    await admin.getByLabel('Label', { exact: true }).fill('Commander')
    await button(admin, 'Save').click()
    await admin.getByText('Take theirs: Skipper').waitFor()
    await expectAccessible(admin)
    await admin.getByRole('radio', { name: /Keep mine/ }).check({ force: true })
    await admin.locator('.conflict').getByRole('button', { name: 'Save' }).click()
    await admin.getByRole('heading', { level: 1, name: 'Title: Commander' }).waitFor()
    await admin.getByRole('main').getByRole('link', { name: 'History' }).click()
    await admin.getByRole('heading', { level: 1, name: 'History: Commander' }).waitFor()
    await admin
      .getByRole('row', { name: /Skipper/ })
      .first()
      .waitFor()
    await expectAccessible(admin)
    await other.context().close()
  })
})

describe('a bank holiday', () => {
  it('is saved after the question that says which open deadlines come later', async () => {
    const { body } = await advocate('deadlines.ofIssue', { params: { id: made.issue } })
    // Counted in working days, so that it is due on one.
    const firstContact = body.data.find(({ name }: { name: string }) => name === 'first_contact')
    await admin.goto('/dashboard/admin-site/bank_holiday/new?app=core&type=bank_holiday')
    await admin.getByLabel('Label', { exact: true }).fill('A jubilee day')
    await admin.getByLabel(/^Day/).fill(firstContact.due)
    await admin.keyboard.press('Tab')
    await admin.getByText('England and Wales', { exact: true }).click()
    await button(admin, 'Save').click()
    const dialog = admin.getByRole('alertdialog')
    await dialog
      .getByText(/comes? later/)
      .first()
      .waitFor()
    await expectAccessible(admin)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await waitForToast(admin, 'Saved')
    await expect.poll(() => rows(admin)).toContain('A jubilee day')
  })
})

describe('a list', () => {
  itInFull('is put into another order by dragging and by keys', async () => {
    await openList('Religion or belief')
    const [first, second, third] = await rows(admin)
    await button(admin, 'Change order').click()
    const list = admin.getByRole('list', { name: 'Religion or belief' })
    const item = (name: string) => list.getByRole('listitem').filter({ hasText: name })
    await item(first).waitFor()
    await expectAccessible(admin)
    await item(third).dragTo(item(first))
    await admin.getByText(`${third} is now 1 of 13`).waitFor({ state: 'attached' })
    await button(admin, `Move ${first} up`).focus()
    await admin.keyboard.press('Alt+ArrowDown')
    await admin.getByText(`${first} is now 3 of 13`).waitFor({ state: 'attached' })
    await button(admin, 'Save order').click()
    await waitForToast(admin, 'The order is saved')
    await expect.poll(async () => (await rows(admin)).slice(0, 3)).toEqual([third, second, first])
    const { body } = await advocate.raw('/religion_lookup/')
    expect(body[0].label).toBe(third)
  })

  itInFull('goes out as a spreadsheet and comes back changed, mistakes first', async () => {
    const download = admin.waitForEvent('download')
    await button(admin, 'Export to Excel').click()
    const book = xlsx.read(await readFile(await (await download).path()))
    const sheet: unknown[][] = xlsx.utils.sheet_to_json(book.Sheets.data, { header: 1 })
    const [heads] = sheet
    const labelAt = heads.indexOf('Label')
    sheet[1][labelAt] = 'Renamed in Excel'
    const fileOf = (rows: unknown[][]) => {
      const next = xlsx.utils.book_new()
      xlsx.utils.book_append_sheet(next, xlsx.utils.aoa_to_sheet(rows), 'data')
      const buffer = xlsx.write(next, { type: 'buffer', bookType: 'xlsx' }) as Buffer
      return { name: 'religion.xlsx', mimeType: 'application/octet-stream', buffer }
    }
    await button(admin, 'Import').click()
    const dialog = admin.getByRole('dialog', { name: 'Import into Religion' })
    await dialog.getByLabel('File').setInputFiles(fileOf([heads, ...sheet.slice(1), [' ', '', '', 'x']]))
    await dialog.getByText('mistake').first().waitFor()
    expect(await dialog.getByRole('button', { name: 'Import into Religion' }).isDisabled()).toBe(true)
    await dialog.getByLabel('File').setInputFiles(fileOf(sheet))
    await dialog.getByText('religion.xlsx: 0 added, 1 changed, 12 unchanged.').waitFor()
    await expectAccessible(admin)
    await dialog.getByRole('button', { name: 'Import into Religion' }).click()
    await waitForToast(admin, '0 added, 1 changed')
    await expect.poll(() => rows(admin)).toContain('Renamed in Excel')
  })
})

describe('AXES', () => {
  itInFull('shows who is locked out, and lets them in again', async () => {
    const visitor = await e2e.visit()
    const tryIn = async (password: string) => {
      await visitor.goto('/login')
      await visitor.getByLabel('User name').fill('volunteer')
      await visitor.getByLabel('Password', { exact: true }).fill(password)
      const reply = visitor.waitForResponse(
        (r) => new URL(r.url()).pathname === '/login/' && r.request().method() === 'POST',
      )
      await visitor.getByRole('button', { name: 'Sign in' }).click()
      return (await reply).status()
    }
    for (let i = 0; i < 5; i++) expect(await tryIn(`not the password ${i}`)).toBe(401)
    expect(await tryIn(PASSWORD)).toBe(423)
    await admin.goto('/dashboard/axes')
    await admin.getByRole('link', { name: 'Access attempts' }).click()
    const row = admin.getByRole('row', { name: /volunteer/ })
    await row.getByText('Yes').waitFor()
    await expectAccessible(admin)
    await row.getByRole('link').click()
    await admin.getByRole('heading', { level: 1, name: 'Access attempts: volunteer' }).waitFor()
    expect(await admin.locator('main').textContent()).not.toContain('not the password')
    await button(admin, 'Unlock').click()
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Unlock' }).click()
    await admin.waitForURL('/dashboard/axes/accessattempt')
    expect(await tryIn(PASSWORD)).toBe(200)
    expect([...errorsOf(admin), ...errorsOf(page)]).toEqual([])
  })
})
