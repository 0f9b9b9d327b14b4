import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { withClient } from '../../src/server/ops/command/withClient.ts'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { expectAccessible } from './accessible.ts'
import { button, fromMenu, tags, waitForToast } from './casePage.ts'
import { describeProduct, errorsOf, PASSWORD, WIDE } from './context.ts'
import { expectToFit } from './expectToFit.ts'
import { type OwnCase, ownCase } from './ownCase.ts'

const NARROW = { width: 320, height: 640 }

const e2e = describeProduct()
let admin: Caller
let advocate: Caller
let made: OwnCase
const as = (name: string) => signInByHttp(contract, e2e.product.address, name, PASSWORD)
beforeAll(async () => {
  admin = await as('admin')
  advocate = await as('advocate')
  made = await ownCase(advocate, 'Ashworth-Vale')
  await advocate('clients.update', { params: { id: made.client }, body: { dob: '1931-05-07' } })
  await advocate('tasks.create', { body: { title: 'Ring the ward', due: '2030-01-01', issue: made.issue } })
})

/** Clean at both widths, and no wider than the narrow one. */
async function look(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.setViewportSize(NARROW)
  await expectToFit(page)
  await page.setViewportSize(WIDE)
}

itInFull('a death is seen on the page of the person and of the case, with what is still open', async () => {
  await admin('clients.update', { params: { id: made.client }, body: { dod: '2026-06-03' } })
  const page = await e2e.signIn('advocate')
  await page.goto(`/clients/${made.client}/info`)
  const life = '7 May 1931 – 3 June 2026, died at 95'
  await page.getByText(life).waitFor()
  expect(await tags(page)).toEqual(['Died'])
  const open = page.getByRole('region', { name: 'Open work' })
  await open.getByText(/^Died on 3 June 2026, at 95\. 1 issue and 1 next step are still open/).waitFor()
  await look(page)
  await page.goto(`/cases/${made.id}/details`)
  await page.getByText(life).waitFor()
  expect(await tags(page)).toContain('Client died 3 June 2026')
  await look(page)
  await open.getByRole('button', { name: /^Close issue/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Close issue/ })
  await dialog.getByText('Next steps not done: 1').waitFor()
  // The dialog scrolls inside, and the page behind it does not.
  const overlay = page.locator('.bp6-overlay-scroll-container')
  expect(await overlay.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.goto('/dashboard/my-cases')
  await page
    .getByRole('row', { name: /Ashworth-Vale/ })
    .getByText('Died')
    .first()
    .waitFor()
  expect(errorsOf(page)).toEqual([])
})

itInFull('the leave that a person plans is named to who assigns work', async () => {
  const page = await e2e.signIn('volunteer')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Plan leave' }).click()
  await page.getByLabel('Leave from').fill('2030-07-01')
  await page.getByLabel(/^Leave to/).fill('2030-07-14')
  await look(page)
  await button(page, 'Save').click()
  await page.getByText('on leave from 1 July 2030 to 14 July 2030').waitFor()
  expect(errorsOf(page)).toEqual([])
})

itInFull('what a person who was retired leaves is handed over from the page that follows', async () => {
  const page = await e2e.signIn('admin')
  await page.goto(`/advocate/${advocate.id}/details`)
  await button(page, 'Retire').click()
  const question = page.getByRole('alertdialog', { name: 'Retire' })
  await question.getByText('Still assigned to them').waitFor()
  await question.getByRole('button', { name: 'Retire' }).click()
  await page.getByRole('heading', { name: /^Hand over the work of/ }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/advocate/${advocate.id}/hand-over`)
  await page.goto('/dashboard/left-work?sort=client_name')
  await page
    .getByRole('row', { name: /Ashworth-Vale/ })
    .first()
    .waitFor()
  await page
    .getByRole('link', { name: /^Work left behind \d+ open items?$/ })
    .first()
    .waitFor()
  await look(page)
  await admin('staff.edit', { params: { id: advocate.id }, body: { status: 1 } })
  expect(errorsOf(page)).toEqual([])
})

it('two records of one person are merged field by field, and the merge is undone a week later', async () => {
  const volunteer = await as('volunteer')
  const [mine, theirs] = [
    await ownCase(volunteer, 'Dubois-Merged'),
    await ownCase(volunteer, 'Dubios-Merged'),
  ]
  const set = (id: number, body: object) => admin('clients.update', { params: { id }, body })
  await set(mine.client, { dob: '1949-07-25', phone: '01632 960001', comm_needs: [1] })
  await set(theirs.client, { dob: '1949-07-26', known_as: 'Dee', comm_needs: [2] })
  const page = await e2e.signIn('admin')
  await page.goto(`/clients/${mine.client}/info`)
  await fromMenu(page, 'Merge with another record…')
  const dialog = page.getByRole('dialog', { name: 'Merge with another record' })
  await dialog.getByRole('combobox').fill('Dubios-Merged')
  await page.getByRole('option', { name: /Dubios-Merged/ }).click()
  await dialog.getByRole('button', { name: 'Merge with another record…' }).click()
  await page.getByRole('heading', { name: 'Merge two clients' }).waitFor()
  await page.getByText('1 still to choose').waitFor()
  expect(await page.getByRole('radio', { name: 'Known as Dee' }).isChecked()).toBe(true)
  expect(await page.getByRole('radio', { name: 'Communication needs Both' }).isChecked()).toBe(true)
  expect(await page.getByRole('radio', { name: 'Telephone 01632 960001' }).isChecked()).toBe(true)
  await page
    .getByRole('region', { name: `What moves to ${mine.client}` })
    .getByText('1 case')
    .waitFor()
  await look(page)
  const merge = button(page, `Merge ${theirs.client} into ${mine.client}`)
  await merge.click()
  // The first field without a choice has the focus, and a key chooses.
  await page.keyboard.press('1')
  await merge.click()
  await page.waitForURL(`**/clients/${mine.client}/info`)
  await waitForToast(page, `Client ${theirs.client} is merged into ${mine.client}`)
  await page.getByText('Merged from').waitFor()
  await look(page)
  await page.goto(`/clients/${theirs.client}/cases`)
  await page.waitForURL(`**/clients/${mine.client}/cases`)
  await page
    .getByRole('link', { name: String(theirs.id) })
    .first()
    .waitFor()
  await withClient(e2e.databaseUrl, 'test', (client) =>
    client.query("update merges set at = at - interval '7 days' where old = $1", [theirs.client]),
  )
  await set(mine.client, { phone: '01632 960009', known_as: 'Deirdre' })
  await page.goto(`/clients/${mine.client}/info`)
  await fromMenu(page, 'Undo the merge')
  const question = page.getByRole('alertdialog', { name: `Undo the merge of ${theirs.client}` })
  await question.getByText('Known as, changed since').waitFor()
  await look(page)
  await question.getByRole('button', { name: `Undo the merge of ${theirs.client}` }).click()
  await waitForToast(page, `Client ${theirs.client} is back`)
  await page.goto(`/clients/${theirs.client}/info`)
  await page.getByRole('heading', { name: /Dubios-Merged/ }).waitFor()
  expect(errorsOf(page)).toEqual([])
})
