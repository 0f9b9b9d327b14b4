import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { goodRows, type Rows, workbook } from '../server/bulkFiles.ts'
import { signIn as signInByHttp } from '../server/context.ts'
import { expectAccessible } from './accessible.ts'
import { button } from './casePage.ts'
import { describeProduct, PASSWORD } from './context.ts'

const SHOTS = process.env.SHOTS
const e2e = describeProduct()
let page: Page
let good: Awaited<ReturnType<typeof goodRows>>
let caseType: string
beforeAll(async () => {
  const hub = await signInByHttp(contract, e2e.product.address, 'hub', PASSWORD)
  good = await goodRows(hub, e2e.product.address)
  caseType = (await hub.raw('/case_type_lookup/?id=1')).body[0].label
  page = await e2e.signIn('hub')
})

const sheet = (rows: Rows) => ({
  name: 'cases.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: Buffer.from(workbook(rows)),
})
const tab = (name: string) => page.locator('.detail-tabs').getByRole('link', { name, exact: true })
const fact = (name: string) => page.locator('.detail-facts div', { hasText: name }).locator('dd')
const state = (text: string) => page.locator('.detail-head').getByText(text, { exact: true }).waitFor()
const confirm = async (name: string) => {
  await button(page, name).click()
  await page.getByRole('alertdialog').getByRole('button', { name }).click()
}
async function shoot(name: string) {
  if (!SHOTS) return
  for (const width of [1280, 768, 320]) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: `${SHOTS}/${name}-${width}.png`, fullPage: true })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

describe('a spreadsheet of cases', () => {
  it('asks before it is left behind unsent, and not where nothing was chosen', async () => {
    await page.getByRole('link', { name: 'Case Uploads' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Case Uploads' }).waitFor()
    await shoot('list')
    await page.getByRole('main').getByRole('link', { name: 'Upload cases' }).click()
    await page.getByRole('heading', { level: 1, name: 'Upload cases' }).waitFor()
    await button(page, 'Upload and check').click()
    await page.getByText('Choose a file', { exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Case Uploads' }).waitFor()
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: 'Upload cases' }).waitFor()
    await page.getByLabel('Case type').selectOption({ label: caseType })
    const [template] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download template').click(),
    ])
    const book = xlsx.read(await readFile(await template.path()))
    expect(book.SheetNames).toEqual(['data', 'help', 'lists'])

    const wrong = [
      good.row('Ann', 'Uploaded'),
      good.row('Bea', 'Uploaded', { 'Date of birth': 'not a day' }),
      good.row('Cas', 'Uploaded', { 'Date of birth': 'not a day' }),
      good.row('', 'Nameless'),
    ].map((row) => [...row, 'green'])
    await page
      .locator('input[type=file]')
      .setInputFiles(sheet([[...good.headings, 'Favourite colour'], ...wrong]))
    await page.getByText('Not sent yet').waitFor()
    await expectAccessible(page)
    await shoot('new')
    await page.goBack()
    const question = page.getByRole('alertdialog')
    await question.getByText('Warning! You have unsaved changes').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await button(page, 'Upload and check').click()
    await page.waitForURL(/case-uploads\/\d+\/summary/)
  })

  it('waits until somebody says what an unknown column is', async () => {
    await state('Questions to answer')
    await expectAccessible(page)
    await shoot('summary')
    await tab('Columns').click()
    const colour = page.getByRole('combobox', { name: /Favourite colour/ })
    await colour.waitFor()
    await shoot('columns')
    await colour.selectOption({ label: 'Leave out' })
    await button(page, 'Save').click()
    await state('Checked')
    await expect.poll(() => fact('Wrong').textContent()).toBe('3')
  })

  it('shows the same mistake once, and corrects it in all its rows', async () => {
    await tab('Wrong rows').click()
    await page.getByText('Showing 1 to 2 of 2').waitFor()
    await expectAccessible(page)
    await shoot('errors')
    const row = page.locator('.list-table:not([aria-hidden]) tbody tr', { hasText: 'not a day' })
    expect(await row.textContent()).toContain('2')
    await row.getByRole('button', { name: /Correct/ }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Date of birth' }).fill('1/2/1970')
    await page.getByRole('dialog').getByRole('button', { name: 'Correct' }).click()
    await expect.poll(() => fact('Wrong').textContent()).toBe('1')
    await expect.poll(() => fact('Ready').textContent()).toBe('3')
  })

  it('gives the wrong rows back as a file, which takes their place once it is corrected', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download wrong rows').click(),
    ])
    const book = xlsx.read(await readFile(await file.path()))
    const rows: Rows = xlsx.utils.sheet_to_json(book.Sheets.data, { header: 1, defval: null })
    expect(rows.map((row) => row[0])).toEqual(['What is wrong', 'Enter first name'])
    const first = (rows[0] as string[]).indexOf('First name')
    rows[1][first] = 'Dot'
    await page.locator('input[type=file]').setInputFiles(sheet(rows))
    await page.getByText('Corrects upload').waitFor()
    await state('Checked')
    expect(await fact('Ready').textContent()).toBe('1')
    await shoot('corrected')
    await page.getByRole('link', { name: 'Case Uploads' }).last().click()
    await page.getByRole('link', { name: 'cases.xlsx' }).last().click()
    await expect.poll(() => fact('Wrong').textContent()).toBe('0')
    await button(page, 'Open the corrected rows')
      .or(page.getByRole('link', { name: 'Open the corrected rows' }))
      .waitFor()
  })

  it('becomes cases, and can be undone', async () => {
    await confirm('Add the cases')
    await state('Done')
    await expect.poll(() => fact('Cases added').textContent()).toBe('3')
    await tab('Rows').click()
    await page
      .getByRole('link', { name: 'Ann Uploaded' })
      .or(page.getByText('Ann Uploaded'))
      .first()
      .waitFor()
    await shoot('rows')
    await confirm('Undo')
    await state('Undone')
    await expect.poll(() => fact('Cases added').textContent()).toBe('0')
  })
})

describe('a spreadsheet that is not clear', () => {
  const headings = () => [...good.headings, 'Telephone']
  const people = () => [
    [...good.row('Eva', 'Unclear', { 'Date of birth': 1950 }), 7700900123],
    [...good.row('Finn', 'Unclear'), 7700900124],
    [...good.row('Gus', 'Unclear'), '01632 960001'],
  ]
  const choose = (question: RegExp, answer: RegExp) =>
    page
      .getByRole('radiogroup', { name: question })
      .getByRole('radio', { name: answer })
      .check({ force: true })

  async function upload(rows: Rows, change?: Parameters<typeof workbook>[1]) {
    await page.goto(`${e2e.product.address}/dashboard/case-uploads/new`)
    await page.getByLabel('Case type').selectOption({ label: caseType })
    await page
      .locator('input[type=file]')
      .setInputFiles({ ...sheet(rows), buffer: Buffer.from(workbook(rows, change)) })
    await button(page, 'Upload and check').click()
    await page.waitForURL(/case-uploads\/\d+\/summary/)
    await state('Questions to answer')
    await tab('Columns').click()
  }

  itInFull('is asked about beside its columns, and checked once everything has an answer', async () => {
    await upload([headings(), ...people()], ({ Sheets }) => {
      Sheets.data['!rows'] = [{}, {}, {}, { hidden: true }]
    })
    await page.getByRole('radiogroup', { name: /Row 4 is hidden or filtered out in the file/ }).waitFor()
    await expectAccessible(page)
    await shoot('questions')
    await choose(
      /2 cells of Telephone without 0 at the beginning, such as 7700900123/,
      /Put 0 in front: 07700900123/,
    )
    await button(page, 'Save').click()
    await page.getByText('Not saved yet').waitFor({ state: 'detached' })
    await state('Questions to answer')
    await choose(/1 cell of Date of birth may be a year, such as 1950/, /leave the date empty/)
    await choose(/Row 4 is hidden/, /leave hidden rows out/)
    await button(page, 'Save').click()
    await state('Checked')
    await expect.poll(() => fact('Ready').textContent()).toBe('2')
    await confirm('Add the cases')
    await state('Done')
    await tab('Columns').click()
    await page.getByRole('radiogroup', { name: /2 cells of Telephone/ }).waitFor()
    await shoot('questions-answered')
  })

  itInFull(
    'is said to have been uploaded before, with a person who may have two pieces of work',
    async () => {
      const [eva, finn] = people()
      await upload([headings(), eva, finn, finn, [...good.row('Hope', 'Unclear'), null]])
      await choose(/3 rows of 4 were uploaded before, by/, /check all rows/)
      await shoot('before')
      await expectAccessible(page)
      await button(page, 'Save').click()
      await state('Checked')
      await tab('Possible duplicates').click()
      const repeated = page.locator('.list-table:not([aria-hidden]) tbody tr', {
        hasText: 'Row 3: Finn Unclear',
      })
      await repeated.waitFor()
      await expectAccessible(page)
      await shoot('repeated')
      await repeated.getByRole('button', { name: /Same person/ }).click()
      await expect.poll(() => repeated.textContent()).toContain('Another case of the same person')
    },
  )
})

describe('a spreadsheet of 50 people who are nearly known', () => {
  const LASTS = ['Abernathy', 'Kowalczyk', 'Pritchard', 'Okonjo', 'Vandenberg']
  const FIRSTS = [
    'Margaret',
    'Abdullahi',
    'Katarzyna',
    'Siobhan',
    'Rajesh',
    'Eleri',
    'Thomas',
    'Zainab',
    'Olga',
    'Winston',
  ]
  const people = LASTS.flatMap((last, l) =>
    FIRSTS.map((first, f) => ({ first, last: `${last}son`, dob: `1${f}/0${l + 1}/19${40 + 10 * l + f}` })),
  )
  const rowsOf = (spell: (last: string) => string) => [
    good.headings,
    ...people.map(({ first, last, dob }) => good.row(first, spell(last), { 'Date of birth': dob })),
  ]
  const exchanged = (last: string) => `${last[0]}${last[2]}${last[1]}${last.slice(3)}`

  async function checked(rows: Rows): Promise<void> {
    await page.goto(`${e2e.product.address}/dashboard/case-uploads/new`)
    await page.getByLabel('Case type').selectOption({ label: caseType })
    await page.locator('input[type=file]').setInputFiles(sheet(rows))
    await button(page, 'Upload and check').click()
    await page.waitForURL(/case-uploads\/\d+\/summary/)
    await state('Checked')
  }

  itInFull('waits until each is decided, and adds no second record of who is chosen', async () => {
    await checked(rowsOf((last) => last))
    await expect.poll(() => fact('Ready').textContent()).toBe('50')
    await confirm('Add the cases')
    await state('Done')
    await expect.poll(() => fact('Cases added').textContent()).toBe('50')

    await checked(rowsOf(exchanged))
    await expect.poll(() => fact('Possible duplicates').textContent()).toBe('50')
    expect(await fact('Ready').textContent()).toBe('0')
    await tab('Possible duplicates').click()
    await page.getByText('Showing 1 to 10 of 50').waitFor()
    await expectAccessible(page)
    await shoot('nearly-known')
    const row = (name: string) =>
      page.locator('.list-table:not([aria-hidden]) tbody tr', { hasText: name }).first()
    const [first, second] = people
    const known = row(`${first.first} ${first.last}`)
    await known.getByText(/two letters exchanged/).waitFor()
    const client = await known.getByRole('link').first().getAttribute('href')
    await known.getByRole('button', { name: /^Use this client/ }).click()
    await row(`${second.first} ${exchanged(second.last)}`)
      .getByRole('button', { name: /^Leave out/ })
      .click()
    await expect.poll(() => fact('Possible duplicates').textContent()).toBe('48')
    await confirm('All are new people')
    await expect.poll(() => fact('Ready').textContent()).toBe('49')
    await confirm('Add the cases')
    await state('Done')
    await expect.poll(() => fact('Cases added').textContent()).toBe('49')
    await page.goto(`${e2e.product.address}${client!.replace('/info', '/cases')}`)
    await page.getByText('Showing 1 to 2 of 2').waitFor()
  })
})
