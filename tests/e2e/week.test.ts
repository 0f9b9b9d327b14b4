import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { outboxOf } from '../server/mails.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { expectAccessible } from './accessible.ts'
import { button, change, fromMenu, save, tab, tags, waitForToast } from './casePage.ts'
import { answer, describeProduct, errorsOf, PASSWORD, waitForIdle } from './context.ts'
import { documentsOf, issueOf, issuePage, type OwnCase, ownCase } from './ownCase.ts'
import { add, addOutcome, entries, NEXT_STEP, upload } from './writing.ts'

const LETTER = "Zoë's „Brief“ – Größe.txt"
const RENAMED = 'Zoë’s "Übergabe" & Bericht.txt'
const CONTENT = Buffer.from('Sehr geehrte Frau Müller,\n')
const folder = temporaryFolder('week-')
const e2e = describeProduct({ DATA_DIR: folder })
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let advocate: Caller
let page: Page
beforeAll(async () => {
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
  page = await e2e.signIn('advocate')
})

interface Entry {
  id: number
  kind: string
}

const story = async (call: 'chronology.ofIssue' | 'chronology.ofClient', id: number): Promise<Entry[]> =>
  (await advocate(call, { params: { id }, query: { page_size: 100 } })).body.data
const alerts = (on: Page) => on.getByRole('region', { name: 'Alerts' })

function kinds(list: Entry[]): Record<string, number> {
  const count: Record<string, number> = {}
  for (const { kind } of list) count[kind] = (count[kind] ?? 0) + 1
  return count
}

describeInFull('a week of an advocate', () => {
  let made: OwnCase
  let before: Entry[]
  const notes = Array.from({ length: 10 }, (_, i) => `Action ${i + 1}: rang “Ward 9”, spoke to Zoë.`)
  beforeAll(async () => {
    made = await ownCase(advocate, 'Weekley-Ørsted')
    before = await story('chronology.ofIssue', made.issue)
  })

  it('begins at an issue of My Cases and writes down ten actions one after the other', async () => {
    await page.goto('/dashboard/my-cases')
    await button(page, 'Filters').click()
    await page.getByLabel('Client', { exact: true }).fill('Weekley')
    await button(page, 'Apply filters').click()
    await page.getByText(/^Showing 1 to (\d+) of \1\b/).waitFor()
    await page.locator('.list-table:not([aria-hidden]) tbody a').first().click()
    await tab(page, 'Issues').click()
    await page.locator('.list-table:not([aria-hidden]) tbody th a').click()
    await page.waitForURL(new RegExp(`${issuePage(made)}/details$`))
    await tab(page, 'Actions').click()
    await page.getByText('Nothing has been done on this issue yet.').waitFor()
    await button(page, 'Log action').click()
    await page
      .getByRole('dialog', { name: 'Log action', exact: true })
      .getByRole('button', { name: 'All fields…' })
      .click()
    await page.locator('main .form').getByText(`Issue ${made.issue}: `).waitFor()
    const box = page.getByLabel('Notes')
    const type = page.getByLabel('Type', { exact: true })
    for (const [i, text] of notes.entries()) {
      await expect.poll(() => box.inputValue()).toBe('')
      expect(await type.inputValue()).toBe('')
      await type.selectOption({ index: 2 + (i % 2) })
      const chosen = await type.inputValue()
      await box.fill(text)
      await page.getByRole('button', { name: 'Add 15 minutes to Time taken' }).click()
      if (i === 3) {
        await page.getByRole('textbox', { name: NEXT_STEP }).fill('Ask for the care plan')
        await page.getByLabel('Next step due').fill('2026-12-24')
      }
      if (i === 6) {
        for (const kind of ['Navigation outcomes', 'Community outcomes']) {
          await button(page, `Add ${kind}`).click()
          await page
            .getByRole('group', { name: `${kind} 1` })
            .getByRole('combobox', { name: /^Outcome/ })
            .selectOption({ index: 1 })
        }
        await expectAccessible(page)
      }
      const isLast = i === notes.length - 1
      const { id } = await add(page, isLast ? 'Save' : 'Save and add another')
      const { body } = await advocate('actions.read', { params: { id } })
      expect(body).toMatchObject({ notes: text, time_taken: 900, issue: made.issue, type: Number(chosen) })
      expect([body.hnc_outcomes.length, body.comm_outcomes.length]).toEqual(i === 6 ? [1, 1] : [0, 0])
    }
    await page.waitForURL(`/cases/${made.id}/chronology`)
    expect(await issueOf(advocate, made)).toMatchObject({
      next_step: 'Ask for the care plan',
      next_due: '2026-12-24',
    })
  })

  it('writes down two activities, the second beginning with the contract of the first', async () => {
    await page.getByRole('link', { name: 'New Activity' }).click()
    await page
      .getByRole('dialog', { name: 'Log activity' })
      .getByRole('button', { name: 'All fields…' })
      .click()
    const type = page.getByLabel('Type', { exact: true })
    const under = page.getByLabel('Contract', { exact: true })
    await page.getByRole('heading', { level: 1, name: 'New Activity' }).waitFor()
    await page.getByRole('dialog', { name: 'Log activity' }).waitFor({ state: 'detached' })
    await type.selectOption({ index: 4 })
    await under.selectOption({ index: 2 })
    const contractOfFirst = await under.inputValue()
    await page.getByLabel('Notes').fill('Team meeting at Harbour House')
    await add(page, 'Save')
    await page.waitForURL('/dashboard/my-activities')
    await page.getByRole('cell', { name: 'Team meeting at Harbour House' }).waitFor()
    await button(page, 'Log activity').click()
    const panel = page.getByRole('dialog', { name: 'Log activity' })
    await panel.getByLabel('Notes').fill('Training')
    const types = panel.getByRole('radiogroup', { name: 'Type' })
    expect(await types.getByRole('radio', { checked: true }).count()).toBe(0)
    expect(await panel.getByLabel('Contract', { exact: true }).inputValue()).toBe(contractOfFirst)
    await types.getByRole('radio').first().check()
    await add(page, 'Save')
    await page.getByRole('cell', { name: 'Training' }).first().waitFor()
    expect((await advocate('drafts.list')).body.data).toEqual([])
  })

  it('adds a document, renames it, and gets it back under its right name', async () => {
    await page.goto(`${issuePage(made)}/documents`)
    await upload(page, LETTER, CONTENT)
    expect((await documentsOf(advocate, made))[0].name).toBe(LETTER)
    await button(page, `Rename ${LETTER}`).click()

    const dialog = page.getByRole('dialog', { name: `Rename document ${LETTER}` })
    await dialog.getByLabel('Name').fill(RENAMED)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await waitForToast(page, 'The document is renamed')
    const link = button(page, `Download ${RENAMED}`)
    const download = page.waitForEvent('download')
    await link.click()
    // The browser itself puts _ for what file systems refuse.
    expect((await download).suggestedFilename()).toBe(RENAMED.replaceAll('"', '_'))
    expect(await readFile(await (await download).path())).toEqual(CONTENT)
    expect(await documentsOf(advocate, made)).toMatchObject([{ name: RENAMED, size: CONTENT.length }])
  })

  it('writes down outcomes and a safeguarding concern, which is seen on the issue, the case and the client', async () => {
    const manager = await e2e.signIn('manager')
    const bell = manager.getByRole('button', { name: /^Notifications/ })
    const news = manager.getByRole('list', { name: 'What happened' })
    const concern = /^A safeguarding concern was recorded: .*Weekley-Ørsted, by Avery Lindqvist, urgent/
    await bell.click()
    await tab(page, 'Details').click()
    await change(page, 'Outcomes')
    await addOutcome(page, 'Desired outcomes', 'To go home')
    await addOutcome(page, 'Actual outcomes', 'Went home on Tuesday')
    expect(await save(page)).toBe(200)
    // The section closes once the record was read again.
    await button(page, 'Save').waitFor({ state: 'detached' })
    await change(page, 'Safeguarding')
    await answer(page, /^Safeguarding concern/, 'Yes')
    await button(page, 'Save').click()
    await page.getByRole('link', { name: 'Choose type of abuse' }).waitFor()
    await page
      .getByRole('group', { name: /^Type of abuse/ })
      .locator('label.bp6-control')
      .first()
      .click()
    await page.getByLabel('DSL level').selectOption({ index: 1 })
    expect(await save(page)).toBe(200)
    // The open panel of the line manager has it at once, and their mail soon.
    await news.getByRole('link', { name: concern }).waitFor()
    await expectAccessible(manager)
    const toManager = (mail: string) => /^To:.*\bmanager@example/m.test(mail)
    await expect.poll(() => outboxOf(folder, 'Advocacy casework: urgent').filter(toManager).length).toBe(1)
    await news.getByRole('link', { name: concern }).click()
    await manager.waitForURL(`${issuePage(made)}/details`)
    await bell.click()
    await manager.getByRole('dialog', { name: 'Notifications' }).waitFor()
    await expect.poll(() => news.getByRole('link', { name: concern }).count()).toBe(0)
    await alerts(page).getByText('Danger: Open safeguarding concern').waitFor()
    await alerts(page).getByRole('button', { name: 'Why is this here?' }).click()
    await alerts(page)
      .getByText('The step “Agree with your manager what happens next” was planned.')
      .waitFor()
    await expectAccessible(page)
    await alerts(page).getByRole('link', { name: 'Answer the question' }).click()
    await page.getByLabel(/^Outcome of concern/).waitFor()
    for (const address of [`/cases/${made.id}`, `/clients/${made.client}`]) {
      await page.goto(address)
      await alerts(page).getByRole('link', { name: 'Open safeguarding concern' }).waitFor()
    }
    await alerts(page).getByRole('link', { name: 'Open safeguarding concern' }).click()
    await page.waitForURL(`${issuePage(made)}/details`)
    expect(await issueOf(advocate, made)).toMatchObject({
      answers: { sfg_concern: 'yes' },
      desired_outcomes: [{ details: 'To go home' }],
      actual_outcomes: [{ details: 'Went home on Tuesday' }],
    })
  })

  it('marks the client in My Cases, and leaves those with an alert alone', async () => {
    await page.goto('/dashboard/my-cases')
    await page.getByRole('button', { name: /^Alerts/ }).click()
    // The row was there before as well.
    await page.waitForURL(/alert=any/)
    await waitForIdle(page)
    const row = page.getByRole('row').filter({ hasText: 'Weekley' }).first()
    await row.locator('.mark').getByText('Safeguarding').waitFor()
    await expectAccessible(page)
  })

  /** Fills in the closing dialog of the issue and sends it. */
  const closeIssue = async (on: Page) => {
    await on.goto(`${issuePage(made)}/details`)
    await fromMenu(on, 'Close issue')
    const dialog = on.getByRole('dialog', { name: 'Close issue' })
    await dialog.getByText('Still missing').waitFor()
    await expect
      .poll(() => dialog.getByRole('status').getByRole('listitem').allTextContents())
      .toEqual([
        'No outcome for the person (NDTi) is recorded',
        'Next steps not done: 2',
        'The safeguarding concern has no outcome',
      ])
    await dialog.getByText('Desired outcome achieved').click()
    await dialog.getByText('Capacity regained').click()
    for (const step of await dialog.getByLabel('What becomes of it').all())
      await step.selectOption({ label: 'Done' })
    await expectAccessible(on)
    await dialog.getByRole('button', { name: 'Close issue' }).click()
    return dialog
  }

  it('cannot close the issue while its concern is open, and reads whom to ask', async () => {
    const dialog = await closeIssue(page)
    await expect
      .poll(() => page.locator('.bp6-toast').allTextContents())
      .toContainEqual(expect.stringMatching(/The safeguarding concern has no outcome\. Ask Morgan Ellery\./))
    expect(await dialog.getByLabel('Desired outcome achieved').isChecked()).toBe(true)
  })

  it('is closed by the manager with a reason, after its missing answers are listed', async () => {
    const manager = await e2e.signIn('manager')
    await closeIssue(manager)
    const held = manager.getByRole('dialog', { name: 'Open safeguarding concern' })
    await held.getByLabel('Reason').fill('Agreed with the ward')
    await expectAccessible(manager)
    await held.getByRole('button', { name: 'Close issue all the same' }).click()
    await manager
      .locator('.bp6-toast')
      .getByText(new RegExp(`^Issue ${made.issue} of .+ is closed$`))
      .waitFor()
    await expect.poll(() => tags(manager)).toContain('Closed')
    await alerts(manager).getByRole('link', { name: 'Open safeguarding concern' }).waitFor()
    expect((await issueOf(advocate, made)).close_reasons).toEqual([1, 11])
    expect(errorsOf(manager)).toEqual([])
  })

  it('stands in the chronology of the issue and of the client, every write once', async () => {
    const [ofIssue, ofClient] = [
      await story('chronology.ofIssue', made.issue),
      await story('chronology.ofClient', made.client),
    ]
    const known = new Set(before.map(({ id }) => id))
    const written = ofIssue.filter(({ id }) => !known.has(id))
    expect(kinds(written)).toEqual({ action: 10, file: 2, outcome: 1, change: 4, issue: 1 })
    for (const [tabOf, list] of [
      [`${issuePage(made)}/chronology`, ofIssue],
      [`/clients/${made.client}/chronology`, ofClient],
    ] as const) {
      await page.goto(tabOf)
      const shown = await entries(page, list.length)
      expect(shown).toHaveLength(list.length)
      for (const text of notes) expect(shown.filter((one) => one.includes(text))).toHaveLength(1)
      for (const said of [
        'Went home on Tuesday',
        'Issue closed',
        'Issue let past a hold',
        'Document added',
        RENAMED,
      ])
        expect(
          shown.filter((one) => one.includes(said)),
          said,
        ).toHaveLength(1)
      expect(ofClient.map(({ id }) => id)).toEqual(expect.arrayContaining(list.map(({ id }) => id)))
    }
    await expectAccessible(page)
    expect(errorsOf(page)).toEqual([])
  })
})
