import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import { FULL, itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { createCase } from '../server/newCase.ts'
import { expectAccessible } from './accessible.ts'
import { describeProduct, PASSWORD } from './context.ts'

const e2e = describeProduct()
let admin: Caller
let advocate: Caller
beforeAll(async () => {
  const signIn = (name: string) => signInByHttp(contract, e2e.product.address, name, PASSWORD)
  ;[admin, advocate] = [await signIn('admin'), await signIn('advocate')]
})

const choice = (name: string, label: string, labels: string[]): Field => ({
  name,
  label,
  type: 'select',
  attrs: { options: labels.map((one) => ({ value: one.toLowerCase().replaceAll(' ', '_'), label: one })) },
})
const FIELDS: Field[] = [
  { name: 'self_neglect_5', label: 'Self-neglect', type: 'text' },
  choice('kind_of_home', 'Kind of home', ['Council tenant', 'Housing association tenant', 'Social housing']),
  choice('living', 'Living', ['Alone', 'With family']),
  { name: 'preferred_contact', label: 'Preferred contact', type: 'text' },
  { name: 'points', label: 'Points', type: 'integer' },
]
const CONTACTS = ['Telephone', 'phone', 'phone', 'either']

/** A case type with these fields, and cases that answer them; the first one's id. */
async function begin(cases: number, label = 'Answers that move'): Promise<{ type: number; first: number }> {
  const form = [{ name: 'ours', label: 'Ours', fields: FIELDS }]
  const body = { label, service: 1, case_meta: form, issue_meta: [] }
  const { body: type } = await admin('caseTypes.create', { body })
  let first = 0
  for (let i = 0; i < cases; i++) {
    const { id } = await createCase(advocate, type.id)
    first ||= id
    const answers = {
      self_neglect_5: `Post ${i}`,
      kind_of_home: ['council_tenant', 'housing_association_tenant'][i % 2],
      living: ['alone', 'with_family'][i % 2],
      preferred_contact: CONTACTS[i % CONTACTS.length],
      points: i % 20,
    }
    const { status } = await advocate('cases.update', { params: { id }, body: { answers } })
    expect(status).toBe(200)
  }
  return { type: type.id, first }
}

/** Counts the clicks of the page; a choice from a list counts as two. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = window as unknown as { clicks: number }
    counter.clicks = 0
    const add = (count: number) => () => {
      counter.clicks += count
    }
    addEventListener('click', add(1), true)
    addEventListener('change', ({ target }) => target instanceof HTMLSelectElement && add(2)(), true)
  })
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks)
}

describe('an administrator changes fields in use', () => {
  it('renames, merges, splits and narrows, finds a mistake and undoes it, in fewer than 40 clicks', async () => {
    const cases = FULL ? 300 : 8
    const { type, first } = await begin(cases)
    const answersOf = async () => (await advocate('cases.read', { params: { id: first } })).body.answers
    const before = await answersOf()
    const page = await e2e.signIn('admin')
    await page.goto(`/dashboard/module-constructor/${type}`)
    await page.getByRole('heading', { name: 'Structure' }).waitFor()
    const clicks = await countClicks(page)
    const settings = page.locator('.constructor-settings')
    const open = (label: string) =>
      page.getByRole('region', { name: 'Structure' }).getByText(label, { exact: true }).click()

    await open('Self-neglect')
    await settings.getByLabel('Label', { exact: true }).fill('Signs of self-neglect')
    await settings.getByRole('button', { name: 'Store as signs_of_self_neglect' }).click()
    await open('Kind of home')
    for (const one of ['Council tenant', 'Housing association tenant'])
      await settings.getByLabel(`Merge ${one} into another choice`).selectOption({ label: 'Social housing' })
    await open('Living')
    await settings.getByRole('button', { name: 'Split this field into two' }).click()
    await open('Preferred contact')
    await settings.getByLabel('Type').selectOption('"select"')
    for (const label of ['Telephone', 'Letter']) {
      await settings.getByLabel('New choice').fill(label)
      await settings.getByRole('button', { name: 'Add choice' }).click()
    }
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/answers of [\d,]+ records move/).waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('What phone becomes in Preferred contact').selectOption({ label: 'Telephone' })
    await dialog.getByText(/^Tried at/).waitFor()
    await dialog.getByRole('button', { name: /^Publish and move [\d,]+ answers$/ }).click()
    await page
      .getByText(/^Published as version 2$/)
      .first()
      .waitFor()
    expect(await answersOf()).toMatchObject({
      signs_of_self_neglect: 'Post 0',
      kind_of_home: 'social_housing',
      living_second_part: 'alone',
      preferred_contact_2: 'telephone',
    })

    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Undo version 2' }).click()
    await page
      .getByText(/^Version 2 undone/)
      .first()
      .waitFor()
    expect(await answersOf()).toEqual(before)
    const count = await clicks()
    console.log(`${count} clicks for ${cases} records`)
    expect(count).toBeLessThan(40)
  })

  itInFull('turns numbers into choices by bands, in a dialog that fits a phone and a tablet', async () => {
    const { type, first } = await begin(8, 'Points in bands')
    const page = await e2e.signIn('admin')
    await page.goto(`/dashboard/module-constructor/${type}`)
    await page.getByRole('region', { name: 'Structure' }).getByText('Points', { exact: true }).click()
    const settings = page.locator('.constructor-settings')
    await settings.getByLabel('Type').selectOption('"select"')
    for (const label of ['None', 'Some']) {
      await settings.getByLabel('New choice').fill(label)
      await settings.getByRole('button', { name: 'Add choice' }).click()
    }
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/answers of [\d,]+ records move/).waitFor()
    const bands = dialog.getByLabel('Bands of Points, one a line')
    await bands.fill('0-4 None\n5+ Heavy')
    await dialog.getByRole('button', { name: 'Use these bands' }).click()
    await dialog.getByText("'Points' has no choice 'Heavy'").waitFor()
    await bands.fill('0-4 None\n5+ Some')
    await dialog.getByRole('button', { name: 'Use these bands' }).click()
    await dialog.getByText('8 by the table').first().waitFor()
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await expectAccessible(page)
      const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
      expect([width, await page.evaluate(isWide)]).toEqual([width, false])
    }
    await dialog.getByRole('button', { name: /^Publish and move 8 answers$/ }).click()
    await page
      .getByText(/^Published as version 2$/)
      .first()
      .waitFor()
    expect((await advocate('cases.read', { params: { id: first } })).body.answers).toMatchObject({
      points_2: 'none',
    })
  })
})
