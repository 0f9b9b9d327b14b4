import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { contract as product } from '../loadedContract.ts'
import { signIn as signInByHttp } from '../server/context.ts'
import { PDF, upload } from '../server/upload.ts'
import { expectAccessible } from './accessible.ts'
import { button, tags, waitForToast } from './casePage.ts'
import { describeProduct, errorsOf, PASSWORD } from './context.ts'
import { expectToFit } from './expectToFit.ts'

const e2e = describeProduct()
let asking: Page
let asked: Page
beforeAll(async () => {
  asking = await e2e.signIn('hub')
  asked = await e2e.signIn('beatrix.vandenberg')
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Chooses from the menu of further actions. */
async function choose(page: Page, label: string): Promise<void> {
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: label }).click()
}

/** Opens what waits for a person in the bell. */
async function followBell(page: Page, line: RegExp, link: string): Promise<void> {
  await page.reload()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByText(line).waitFor()
  await page.getByRole('link', { name: link }).click()
}

describe('a referral between two hubs', () => {
  itInFull(
    'goes with the answers that were chosen, is asked about, answered, and becomes a case',
    async () => {
      const as = (name: string) => signInByHttp(product, e2e.product.address, name, PASSWORD)
      const hub = await as('hub')
      const [issue] = (await hub('cases.issues', { params: { id: 1 } })).body.data
      for (const name of ['Discharge letter.pdf', 'Rent book.pdf'])
        expect((await upload(hub, `/issue/${issue.id}/file/`, name, PDF)).status).toBe(201)
      await asking.goto('/cases/1/details')
      await button(asking, 'More actions').click()
      await asking.getByRole('menuitem', { name: 'Refer to another hub' }).click()
      await heading(asking, 'Refer to another hub')
      await button(asking, 'Send').click()
      await asking.getByText('Say what is asked of them').first().waitFor()
      await expectAccessible(asking)
      await asking.getByLabel('To', { exact: true }).selectOption({ label: 'Midlands and West Help Hub' })
      await asking.getByLabel('What is asked').fill('Moves to Wrexham on Monday.\nCould somebody visit?')
      for (const name of ['Telephone', 'Date referral received', 'Referred by', 'Setting'])
        await asking
          .locator('label.bp6-checkbox')
          .filter({ hasText: new RegExp(`^${name}: `) })
          .click()
      await asking
        .locator('label.bp6-checkbox')
        .filter({ hasText: /^Discharge letter\.pdf, added / })
        .click()
      await button(asking, 'What they will see').click()
      const preview = asking.getByRole('dialog', { name: 'What they will see' })
      await preview.getByText('Could somebody visit?').waitFor()
      await preview.getByText('Date referral received').waitFor()
      await preview.getByRole('button', { name: 'Download Discharge letter.pdf' }).waitFor()
      await expectAccessible(asking)
      await preview.getByRole('button', { name: 'Close' }).click()
      await button(asking, 'Send to Midlands and West Help Hub').click()
      await asking.waitForURL(/\/clients\/\d+\/referrals$/)
      await asking.locator('.list-table').getByText('Moves to Wrexham on Monday.').waitFor()
      // The name of the client is the heading, and is read apart from the list.
      await asking.locator('main h1').waitFor()
      await expectAccessible(asking)

      await followBell(asked, /^You got \d+ new referral requests$/, 'View requests')
      await heading(asked, 'Referral Requests')
      await asked.locator('.list-table:not([aria-hidden]) tbody th a').first().click()
      await heading(asked, /^Referral \d+: /)
      const [{ length: name }, title] = [await tags(asked), await asked.locator('h1').textContent()]
      expect([name, await tags(asked)]).toEqual([1, ['New']])
      await asked.getByText('Could somebody visit?').waitFor()
      expect(await asked.locator('.read-item dt').allTextContents()).toEqual([
        'What is asked',
        'Service',
        'Documents',
        'Document',
        'First name',
        'Last name',
        'Date of birth',
        'Telephone',
        'Date referral received',
        'Referred by',
        'Setting',
      ])
      await expectAccessible(asked)

      const [letter] = await Promise.all([
        asked.waitForEvent('download'),
        button(asked, 'Download Discharge letter.pdf').click(),
      ])
      expect(letter.suggestedFilename()).toBe('Discharge letter.pdf')

      await choose(asked, 'Ask for more information')
      const question = asked.getByRole('dialog', { name: 'Ask for more information' })
      await question.getByLabel('Question to the referrer').fill('Who has the key?')
      await expectAccessible(asked)
      await question.getByRole('button', { name: 'Ask for more information' }).click()
      await waitForToast(asked, 'The question is sent')
      await expect.poll(() => tags(asked)).toEqual(['More information needed'])

      await followBell(asking, /^You got \d+ new referral messages$/, 'View messages')
      await heading(asking, 'Referral Messages')
      await asking.locator('.list-table:not([aria-hidden]) tbody th a').first().click()
      await asking.getByText('Who has the key?').waitFor()
      await button(asking, 'Note for us').click()
      const note = asking.getByRole('dialog', { name: 'Note for us' })
      await note.getByLabel('Note for us').fill('Ring the sister first')
      await note.getByRole('button', { name: 'Note for us' }).click()
      await waitForToast(asking, 'The note is saved')
      await button(asking, 'Answer').click()
      const answer = asking.getByRole('dialog', { name: 'Answer' })
      await answer.getByLabel('Answer to the other side').fill('Her sister, next door')
      await answer.getByRole('button', { name: 'Answer' }).click()
      await waitForToast(asking, 'The answer is sent')
      await asking.getByText('Ring the sister first').waitFor()
      await expectAccessible(asking)

      await asked.reload()
      await expect.poll(() => tags(asked)).toEqual(['New'])
      await asked.getByRole('link', { name: 'Thread', exact: true }).click()
      await asked.getByText('Her sister, next door').waitFor()
      await asked.getByText('Could somebody visit?').waitFor()
      expect(await asked.getByText('Ring the sister first').count()).toBe(0)
      await expectAccessible(asked)

      // The client is theirs to read before they decide.
      await asked.getByRole('link', { name: /^\d+$/ }).first().click()
      await asked.locator('main h1').waitFor()
      expect(new URL(asked.url()).pathname).toMatch(/^\/clients\/\d+\/info$/)
      await asked.getByText('Date of birth').waitFor()
      for (const name of [/^Change/, 'Log action', 'New Case'])
        expect(
          await asked.locator('main :is(a, button)').filter({ hasText: name }).count(),
          String(name),
        ).toBe(0)
      await asked.goBack()

      await button(asked, 'Accept').click()
      await asked.waitForURL(/\/accept-referral\?draft=\d+/)
      await heading(asked, 'Accept referral')
      const referral = asked.getByRole('region', { name: /^Referral \d+$/ })
      await referral.getByText('Could somebody visit?').waitFor()
      await asked.getByRole('button', { name: 'Change the client' }).waitFor()
      expect(await asked.getByLabel('Date referral received').inputValue()).not.toBe('')
      expect(await asked.getByLabel('Summary of the issue').inputValue()).toMatch(/^Moves to Wrexham/)
      await expectAccessible(asked)
      await asked.getByLabel('Issue type').selectOption({ index: 1 })
      const contract = asked.getByRole('combobox', { name: 'Contract' })
      if ((await contract.inputValue()) === '') await contract.selectOption({ index: 1 })
      await button(asked, 'Save').click()
      await asked.waitForURL(/\/cases\/\d+\/details/)
      await heading(asked, new RegExp(`: ${title!.replace(/^.*: /, '')}$`))
      await asked.getByText('Came by referral').waitFor()
      const theirs = await as('beatrix.vandenberg')
      const made = Number(/\/cases\/(\d+)/.exec(asked.url())![1])
      const [arrived] = (await theirs('cases.issues', { params: { id: made } })).body.data
      await asked.goto(`/cases/${made}/issues/${arrived.id}/documents`)
      await asked.locator('.list-table').getByText('Discharge letter.pdf').first().waitFor()
      expect(await asked.getByText('Rent book.pdf').count()).toBe(0)
      expect([errorsOf(asking), errorsOf(asked)]).toEqual([[], []])
    },
  )

  it('is rejected with a reason, which its referrer reads, also on a phone', async () => {
    await asked.setViewportSize({ width: 320, height: 640 })
    await asked.goto('/dashboard/referral-requests?status=1')
    await asked.locator('.list-table:not([aria-hidden]) tbody th a').last().click()
    await heading(asked, /^Referral \d+: /)
    await choose(asked, 'Reject')
    const dialog = asked.getByRole('dialog', { name: 'Reject' })
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await dialog.getByText('Choose reason').first().waitFor()
    await dialog.getByLabel('Reason').selectOption({ label: 'Outside our area' })
    await dialog.getByLabel('What to tell the referrer').fill('Ask the hub of the north')
    await expectAccessible(asked)
    await expectToFit(asked)
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await expect.poll(() => tags(asked)).toEqual(['Rejected'])
    const id = new URL(asked.url()).pathname.split('/')[3]
    await asking.goto(`/dashboard/referral-requests/${id}`)
    await asking.getByText('Ask the hub of the north').waitFor()
    expect(await asking.getByRole('button', { name: 'Accept' }).count()).toBe(0)
  })
})
