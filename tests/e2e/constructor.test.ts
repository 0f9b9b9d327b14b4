import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadContract } from '../../src/contract/load.ts'
import { createCase } from '../server/newCase.ts'
import { type Caller, signIn as signInByHttp } from '../server/world.ts'
import { answer, expectAccessible, openStage, PASSWORD, type Stage, troublesOf } from './stage.ts'

const { contract } = loadContract(process.cwd())
let stage: Stage
let advocate: Caller
beforeAll(async () => {
  stage = await openStage()
  advocate = await signInByHttp(contract, stage.product.address, 'advocate', PASSWORD)
}, 120_000)
afterAll(() => stage?.end())

const structure = (page: Page) => page.getByRole('region', { name: 'Structure' })
const settings = (page: Page) => page.locator('.constructor-settings')
const preview = (page: Page) => page.locator('.constructor-preview:not([hidden])')

async function openCaseType(page: Page, label: string): Promise<void> {
  await page.goto('/dashboard/module-constructor')
  await page.getByRole('link', { name: label }).click()
  await page.getByRole('heading', { name: 'Structure' }).waitFor()
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByText(/^Saved as version \d+$/)
    .first()
    .waitFor()
}

describe('an administrator shapes a form, an advocate fills it, it is in the database', () => {
  it('adds a field with a condition, sees it in the preview, saves; the case screen draws and keeps it', async () => {
    const made = await createCase(advocate, 1)
    const admin = await stage.signIn('admin')
    await openCaseType(admin, 'IMCA - Serious medical treatment')
    await admin.getByRole('button', { name: 'Add field to Where the person is now' }).click()
    await settings(admin).getByLabel('Label').fill('Door code of the building')
    await settings(admin).getByRole('radio', { name: 'Text One line' }).check({ force: true })
    await settings(admin).getByRole('button', { name: 'Add field' }).click()
    await settings(admin)
      .getByRole('radiogroup', { name: 'Shown' })
      .getByLabel('Only when…')
      .check({ force: true })
    await settings(admin).getByLabel('Field').selectOption({ label: 'Urgent' })
    await settings(admin).getByLabel('Value').selectOption({ label: 'Yes' })
    await expect.poll(() => preview(admin).getByLabel('Door code of the building').count()).toBe(0)
    await answer(preview(admin), /^Urgent/, 'Yes')
    await preview(admin).getByLabel('Door code of the building').waitFor()
    await expectAccessible(admin)
    await publish(admin)

    const page = await stage.signIn('advocate')
    await page.goto(`/cases/${made.id}/details`)
    await answer(page, /^Urgent/, 'Yes')
    await page.getByLabel('Why urgent').fill('The decision is on Friday')
    await page.getByLabel('Door code of the building').fill('4711')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const { body } = await advocate('cases.read', { params: { id: made.id } })
    expect(body.answers).toMatchObject({
      is_urgent: 'yes',
      urgent_reason: 'The decision is on Friday',
      door_code_of_the_building: '4711',
    })
    await page.reload()
    expect(await page.getByLabel('Door code of the building').inputValue()).toBe('4711')
    expect([...troublesOf(admin), ...troublesOf(page)]).toEqual([])
  }, 90_000)

  it('says why a field with answers keeps its type and cannot be removed', async () => {
    const admin = await stage.signIn('admin')
    await openCaseType(admin, 'IMCA - Change of accommodation')
    await structure(admin)
      .getByRole('button', { name: /^Instruction/ })
      .click()
    await expect.poll(() => settings(admin).textContent()).toMatch(/answered in \d+ cases/)
  })

  it('switches a field off while an advocate has the form open: the field goes, its answer stays, nothing typed is lost', async () => {
    const made = await createCase(advocate, 1)
    await advocate('cases.update', { params: { id: made.id }, body: { answers: { ward: 'Ward 9' } } })
    const page = await stage.signIn('advocate')
    await page.goto(`/cases/${made.id}/details`)
    expect(await page.getByLabel('Ward or unit').inputValue()).toBe('Ward 9')
    await page.getByLabel('Name of hospital, home or address').fill('The Infirmary')

    const admin = await stage.signIn('admin')
    await openCaseType(admin, 'IMCA - Serious medical treatment')
    await structure(admin).getByLabel('Ward or unit is in use').setChecked(false, { force: true })
    await expect.poll(() => preview(admin).getByLabel('Ward or unit').count()).toBe(0)
    await publish(admin)

    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await expect.poll(() => page.getByLabel('Ward or unit').count()).toBe(0)
    expect(await page.getByLabel('Name of hospital, home or address').inputValue()).toBe('The Infirmary')
    const { body } = await advocate('cases.read', { params: { id: made.id } })
    expect(body.answers).toMatchObject({ ward: 'Ward 9', place_name: 'The Infirmary' })
  }, 90_000)
})
