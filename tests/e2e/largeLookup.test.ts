import { Client } from 'pg'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { createCase } from '../server/newCase.ts'
import { expectAccessible } from './accessible.ts'
import { button, change, save } from './casePage.ts'
import { describeProduct, errorsOf, PASSWORD } from './context.ts'

const GROUP = {
  name: 'large',
  label: 'Large lists',
  fields: [
    { name: 'org', label: 'Organisation', type: 'select', attrs: { lookup: 'sp_org' } },
    { name: 'orgs', label: 'Organisations', type: 'multiselect', attrs: { lookup: 'sp_org' } },
    { name: 'why', label: 'Why this one', type: 'text' },
  ],
}
const ITEM = 'Ward & Home 14990'

const e2e = describeProduct()
let advocate: Caller
let made: { id: number }
beforeAll(async () => {
  const client = new Client({ connectionString: e2e.databaseUrl })
  await client.connect()
  await client.query('update case_types set case_meta = case_meta || $1::jsonb where id = 1', [
    JSON.stringify([GROUP]),
  ])
  for (const kind of ['sp_org', 'contracts'])
    await client.query(
      `insert into lookup (kind, value, label, position, attrs) select $1, n, 'Ward & Home ' || n, n, '{}'
        from generate_series(10001, 15000) n`,
      [kind],
    )
  await client.end()
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
  made = await createCase(advocate, 1)
})

/** Chooses an item of a long list by typing a part of its name. */
async function choose(page: Page, box: Locator, typed: string, item: string): Promise<void> {
  await box.and(page.locator('input')).click()
  await box.fill(typed)
  await page.getByRole('option', { name: item, exact: true }).click()
}

describe.runIf(FULL)('a list of 5,000 choices', () => {
  it('is searched in a select and a checkbox list, and the choices are there after a reload', async () => {
    const page = await e2e.signIn('advocate')
    await page.goto(`/cases/${made.id}/details`)
    await change(page, 'Large lists')
    const one = page.getByRole('combobox', { name: /^Organisation\b/ })
    await choose(page, one, '14990', ITEM)
    const several = page.locator('fieldset', { hasText: 'Organisations' }).last().getByRole('combobox')
    await choose(page, several, 'home 1200', 'Ward & Home 12005')
    await choose(page, several, '14999', 'Ward & Home 14999')
    await expectAccessible(page)
    expect(await save(page)).toBe(200)
    const { body } = await advocate('cases.read', { params: { id: made.id } })
    expect(body.answers).toMatchObject({ org: 14_990, orgs: [12_005, 14_999] })
    await page.reload()
    for (const label of [ITEM, 'Ward & Home 12005', 'Ward & Home 14999'])
      await page.getByText(label).first().waitFor()
    await change(page, 'Large lists')
    await expect.poll(() => one.inputValue()).toBe(ITEM)
    expect(errorsOf(page)).toEqual([])
  })

  it('is searched in a filter, which the address keeps', async () => {
    const page = await e2e.signIn('manager')
    await page.goto('/dashboard/cases')
    await button(page, 'Filters').click()
    await choose(page, page.getByRole('combobox', { name: /^Contract/ }), '14990', ITEM)
    await button(page, 'Apply filters').click()
    await page.waitForURL((url) => url.searchParams.get('commissioning_contract') === '14990')
    await page.reload()
    await page.getByText(`Contract: ${ITEM}`).waitFor()
    expect(errorsOf(page)).toEqual([])
  })

  it('is searched for a condition in the Module Constructor', async () => {
    const page = await e2e.signIn('admin')
    await page.goto('/dashboard/module-constructor')
    await page.getByRole('link', { name: 'IMCA - Serious medical treatment', exact: true }).click()
    await page
      .getByRole('button', { name: /Why this one/ })
      .first()
      .click()
    const settings = page.locator('.constructor-settings')
    await settings.getByRole('radiogroup', { name: 'Shown' }).getByLabel('Only when…').check({ force: true })
    await settings.getByLabel('Field').selectOption({ label: 'Organisation' })
    await choose(page, settings.getByRole('combobox', { name: 'Value' }), '14990', ITEM)
    await expect.poll(() => page.getByText(ITEM).count()).toBeGreaterThan(0)
    expect(errorsOf(page)).toEqual([])
  })
})
