import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { createCase } from '../server/newCase.ts'
import { expectAccessible } from './accessible.ts'
import { answerTo, change } from './casePage.ts'
import { answer, describeProduct, errorsOf, PASSWORD } from './context.ts'

const e2e = describeProduct()
let advocate: Caller
beforeAll(async () => {
  advocate = await signInByHttp(contract, e2e.product.address, 'advocate', PASSWORD)
})

const structure = (page: Page) => page.getByRole('region', { name: 'Structure' })
const settings = (page: Page) => page.locator('.constructor-settings')
const preview = (page: Page) => page.locator('.constructor-preview:not([hidden])')

async function openCaseType(page: Page, label: string): Promise<void> {
  await page.goto('/dashboard/module-constructor')
  await page.getByRole('link', { name: label, exact: true }).click()
  await page.getByRole('heading', { name: 'Structure' }).waitFor()
}

/** Publishes the draft; `look` checks the dialog before. */
async function publish(page: Page, look = async () => {}): Promise<void> {
  await page.getByRole('button', { name: 'Publish…' }).click()
  await look()
  await page.getByRole('button', { name: /^Publish version \d+$/ }).click()
  await page
    .getByText(/^Published as version \d+$/)
    .first()
    .waitFor()
}

const WHERE = 'Where the person is now'

async function discard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Discard the draft' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard the draft' }).click()
}

describe('an administrator says what follows from the answers', () => {
  itInFull(
    'writes an automation, tries it, keeps it as a test, publishes it; the alert is where it holds',
    async () => {
      // Of a case type that no test below asks for something new: its form tests would fail.
      const made = await createCase(advocate, 2)
      const admin = await e2e.signIn('admin')
      await openCaseType(admin, 'IMCA - Change of accommodation')
      await admin.getByRole('tab', { name: /^Automations/ }).click()
      await admin
        .getByText(/^holds for \d+$/)
        .first()
        .waitFor()
      await expectAccessible(admin)
      await admin.getByRole('button', { name: 'Add an automation' }).click()
      await admin.getByRole('dialog').getByLabel('Name').fill('Urgent work')
      await admin.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
      const sentence = settings(admin)
      await sentence.getByLabel('Looks at').selectOption({ label: 'a case' })
      await sentence.getByLabel('Field').selectOption({ label: 'Urgent' })
      await sentence.getByLabel('Value').selectOption({ label: 'Yes' })
      await sentence.getByRole('button', { name: 'Add: notify' }).click()
      await answer(preview(admin), /^Urgent/, 'Yes')
      const follows = preview(admin).getByRole('region', { name: 'What follows from these answers' })
      await follows.getByText('Alert: Urgent work').waitFor()
      await expectAccessible(admin)
      await preview(admin).getByRole('button', { name: 'Keep this as a test' }).click()
      await admin.getByLabel('What the test shows').fill('Urgent work shows an alert')
      await admin.getByRole('button', { name: 'Keep', exact: true }).click()
      await publish(admin, async () => {
        await admin
          .getByText(/No automation begins or ceases|'Urgent work' begins to hold/)
          .first()
          .waitFor()
        await expectAccessible(admin)
      })
      const { body } = await advocate('cases.read', { params: { id: made.id } })
      const answers = { is_urgent: 'yes', urgent_reason: 'The decision is on Friday' }
      const saved = await advocate('cases.update', {
        params: { id: made.id },
        body: { version: body.version, answers },
      })
      expect(saved.status).toBe(200)
      const alerts = await advocate('clients.alerts', { params: { id: made.client } })
      expect(alerts.body.data).toContainEqual(
        expect.objectContaining({ label: 'Urgent work', level: 'warning' }),
      )
      expect(errorsOf(admin)).toEqual([])
    },
  )
})

/** The selects of the sentence in which the chosen words do not fit, at the present width. */
function cutPickers(page: Page): Promise<string[]> {
  return settings(page)
    .locator('select:visible')
    .evaluateAll((selects) =>
      (selects as HTMLSelectElement[])
        .filter((select) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(select)
          const text = document.createElement('canvas').getContext('2d')!
          text.font = font
          const { width } = text.measureText(select.selectedOptions[0]?.text ?? '')
          return (
            width > select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) + 1
          )
        })
        .map((select) => select.selectedOptions[0].text),
    )
}

describe('an administrator says what is due', () => {
  itInFull('writes a deadline, tries it, publishes it; it is due on the records', async () => {
    const admin = await e2e.signIn('admin')
    await openCaseType(admin, 'IMCA - Change of accommodation')
    await admin.getByRole('tab', { name: /^Automations/ }).click()
    await admin.getByRole('button', { name: 'Add a deadline' }).click()
    await admin.getByRole('dialog').getByLabel('Name').fill('Letter of welcome')
    await admin.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    const sentence = settings(admin)
    await sentence.getByLabel(/Add an action/).selectOption({ label: 'Letter' })
    await sentence
      .getByLabel('When it is due soon', { exact: true })
      .selectOption({ label: 'before it is due' })
    const due = preview(admin).getByRole('region', { name: 'What is due with these answers' })
    await due.getByLabel('Today').fill('2026-06-04')
    await due.getByLabel('Start date').fill('2026-06-01')
    await due.getByText('Late, due on 3 June 2026').first().waitFor()
    for (const width of [1280, 1024, 390]) {
      await admin.setViewportSize({ width, height: 900 })
      if (width === 390) await admin.getByRole('button', { name: 'Sentence', exact: true }).click()
      await expectAccessible(admin)
      expect(await cutPickers(admin)).toEqual([])
    }
    await admin.setViewportSize({ width: 1280, height: 900 })
    await publish(admin, async () => {
      await admin
        .getByText(/'Letter of welcome' on issues: \d+ (is|are) new/)
        .first()
        .waitFor()
      await expectAccessible(admin)
    })
    const made = await createCase(advocate, 2)
    const { body } = await advocate('deadlines.ofIssue', { params: { id: made.issue } })
    expect(body.data).toContainEqual(expect.objectContaining({ title: 'Letter of welcome due' }))
    expect(errorsOf(admin)).toEqual([])
  })
})

describe('an administrator shapes a form, an advocate fills it, it is in the database', () => {
  it('adds a field with a condition, sees it in the preview, saves; the case screen draws and keeps it', async () => {
    const made = await createCase(advocate, 1)
    const admin = await e2e.signIn('admin')
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

    const page = await e2e.signIn('advocate')
    await page.goto(`/cases/${made.id}/details`)
    await change(page, 'Referral')
    await answer(page, /^Urgent/, 'Yes')
    await page.getByLabel('Why urgent').fill('The decision is on Friday')
    await change(page, WHERE)
    await page.getByLabel('Door code of the building').fill('4711')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page
      .getByText(/^Saved/)
      .first()
      .waitFor()
    const { body } = await advocate('cases.read', { params: { id: made.id } })
    expect(body.answers).toMatchObject({
      is_urgent: 'yes',
      urgent_reason: 'The decision is on Friday',
      door_code_of_the_building: '4711',
    })
    await page.reload()
    await expect.poll(() => answerTo(page, 'Door code of the building').textContent()).toBe('4711')
    expect([...errorsOf(admin), ...errorsOf(page)]).toEqual([])
  })

  itInFull('says why a field with answers keeps its type and cannot be removed', async () => {
    const admin = await e2e.signIn('admin')
    await openCaseType(admin, 'IMCA - Change of accommodation')
    await structure(admin)
      .getByRole('button', { name: /^Instruction/ })
      .click()
    await expect.poll(() => settings(admin).textContent()).toMatch(/answered in \d+ cases/)
  })

  itInFull(
    'switches a field off while an advocate has the form open: the field goes, its answer stays, nothing typed is lost',
    async () => {
      const made = await createCase(advocate, 1)
      await advocate('cases.update', { params: { id: made.id }, body: { answers: { ward: 'Ward 9' } } })
      const page = await e2e.signIn('advocate')
      await page.goto(`/cases/${made.id}/details`)
      await change(page, WHERE)
      expect(await page.getByLabel('Ward or unit').inputValue()).toBe('Ward 9')
      await page.getByLabel('Name of hospital, home or address').fill('The Infirmary')
      await page.getByLabel('Ward or unit').fill('Ward 9, bed 4')

      const admin = await e2e.signIn('admin')
      await openCaseType(admin, 'IMCA - Serious medical treatment')
      await structure(admin).getByLabel('Ward or unit is in use').setChecked(false, { force: true })
      await expect.poll(() => preview(admin).getByLabel('Ward or unit').count()).toBe(0)
      await publish(admin)
      const published = Date.now()
      // Nobody touches this page: it hears of the publication by itself.
      await page.getByText(/was changed while you had it open/).waitFor()
      expect(Date.now() - published).toBeLessThan(2000)
      await expect.poll(() => page.getByLabel('Ward or unit').count()).toBe(0)
      expect(await page.getByLabel('Name of hospital, home or address').inputValue()).toBe('The Infirmary')
      expect(await page.locator('.form-changed').textContent()).toContain('No longer asked: Ward or unit.')
      // The focus went on to another field.
      expect(
        await page.evaluate(() => document.activeElement?.matches('input, select, textarea, button')),
      ).toBe(true)
      await page.getByText('Answers kept, no longer asked (1)').click()
      await page.getByText('Ward 9, bed 4').waitFor()
      await expectAccessible(page)

      await page.getByRole('button', { name: 'Save' }).click()
      await page
        .getByText(/^Saved/)
        .first()
        .waitFor()
      const { body } = await advocate('cases.read', { params: { id: made.id } })
      expect(body.answers).toMatchObject({ place_name: 'The Infirmary' })
      expect(body.hidden_answers).toMatchObject({ ward: { value: 'Ward 9, bed 4' } })
    },
  )

  itInFull(
    'asks for something new: records without it wait in the bell of a manager until it is answered',
    async () => {
      const made = await createCase(advocate, 1)
      const { body: client } = await advocate('clients.read', { params: { id: made.client } })
      const manager = await e2e.signIn('manager')
      await manager.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
      const panel = manager.getByRole('dialog', { name: 'Notifications' })
      await panel.getByRole('button', { name: 'Close' }).click()
      // What was seen stays until it is opened or dismissed.
      await manager.getByRole('button', { name: /^Notifications, \d+ unread$/ }).waitFor()

      const admin = await e2e.signIn('admin')
      await openCaseType(admin, 'IMCA - Serious medical treatment')
      await admin.getByRole('button', { name: 'Add field to Where the person is now' }).click()
      await settings(admin).getByLabel('Label').fill('Best time to visit')
      await settings(admin).getByRole('radio', { name: 'Text One line' }).check({ force: true })
      await settings(admin).getByRole('button', { name: 'Add field' }).click()
      await settings(admin)
        .getByRole('radiogroup', { name: 'Must be answered' })
        .getByLabel('Always')
        .check({ force: true })
      await publish(admin)

      // The bell of the signed-in person shows it by itself.
      await manager.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
      await panel.getByText(/^You have \d+ invalid cases$/).waitFor()
      await expectAccessible(manager)
      await panel.getByRole('link', { name: 'View invalid cases' }).click()
      await panel.waitFor({ state: 'detached' })
      await manager.getByRole('heading', { level: 1, name: 'Invalid cases' }).waitFor()
      const row = manager.getByRole('row', { name: client.last_name })
      const find = async () => {
        await manager.getByRole('button', { name: 'Filters', exact: true }).click()
        await manager.getByLabel('Client', { exact: true }).fill(client.last_name)
        await manager.getByRole('button', { name: 'Apply filters' }).click()
      }
      await find()
      await row.getByRole('link', { name: 'Best time to visit' }).click()
      // The link leads to the answer that is missing.
      await expect
        .poll(() => manager.evaluate(() => document.activeElement?.id))
        .toMatch(/\.answers\.best_time_to_visit$/)
      await manager.getByLabel('Best time to visit').fill('After lunch')
      await manager.getByRole('button', { name: 'Save' }).click()
      await manager
        .getByText(/^Saved/)
        .first()
        .waitFor()
      await manager.goto('/dashboard/invalid-cases')
      await find()
      await manager.getByText('Nothing matches these filters').waitFor()
      expect([...errorsOf(admin), ...errorsOf(manager)]).toEqual([])
    },
  )
})

describe('the draft of a case type', () => {
  itInFull('waits for another administrator, who sees what publishing changes and publishes it', async () => {
    const first = await e2e.signIn('admin')
    await openCaseType(first, 'Care Act advocacy')
    await structure(first).getByRole('checkbox').nth(1).setChecked(false, { force: true })
    await first.getByText(/^Draft, not published: saved/).waitFor()
    await first.context().close()

    const second = await e2e.signIn('admin')
    await second.goto('/dashboard/module-constructor')
    await second.getByRole('row', { name: /Care Act advocacy.*Changes not published/ }).waitFor()
    await openCaseType(second, 'Care Act advocacy')
    await second.getByText(/^Draft, not published: saved .* by /).waitFor()
    await second.getByRole('button', { name: 'Publish…' }).click()
    const dialog = second.getByRole('dialog')
    await dialog.getByText(/is switched off: \d+ of \d+ cases have an answer/).waitFor()
    await dialog.getByText('Everything that differs').click()
    await dialog.getByRole('columnheader', { name: 'Published' }).waitFor()
    await expectAccessible(second)
    await dialog.getByText("'Date referral received' is switched off").first().waitFor()
    await dialog.getByLabel('Why publish although tests fail').fill('The test is changed next')
    await dialog.getByLabel('Why (optional)').fill('Asked twice')
    await dialog.getByRole('button', { name: 'Publish anyway' }).click()
    await second.getByText('Everything is published.').waitFor()

    await second.getByRole('button', { name: 'History' }).click()
    await second.getByText('Asked twice').waitFor()
    await second.getByRole('button', { name: 'Compare version 1 with what is published now' }).click()
    await expectAccessible(second)
    await second.getByRole('button', { name: 'Restore version 1' }).click()
    await publish(second)
    expect(errorsOf(second)).toEqual([])
  })

  itInFull(
    'of two at work at once is put together, and both are shown where they changed the same',
    async () => {
      const [first, second] = [await e2e.signIn('admin'), await e2e.signIn('admin')]
      for (const page of [first, second]) await openCaseType(page, 'NHS complaints advocacy')
      await structure(first).getByRole('checkbox').nth(3).setChecked(false, { force: true })
      // Nobody touches the other page.
      await second.getByText(/^Changed by .* at \d\d:\d\d\. Draft, not published/).waitFor()
      expect(await structure(second).getByRole('checkbox').nth(3).isChecked()).toBe(false)
      await structure(first).getByRole('checkbox').nth(3).setChecked(true, { force: true })
      await second.getByText(/^The draft was discarded by .* Everything is published\.$/).waitFor()

      const saves = await holdSaves(second)
      await structure(second).getByRole('checkbox').nth(2).setChecked(false, { force: true })
      await saves.begun()
      await structure(first).getByRole('checkbox').nth(1).setChecked(false, { force: true })
      await first.getByText(/^Draft, not published: saved/).waitFor()
      saves.release()
      await second.getByText(/Your changes are merged with theirs/).waitFor()
      expect(await structure(second).getByRole('checkbox').nth(1).isChecked()).toBe(false)
      expect(await structure(second).getByRole('checkbox').nth(2).isChecked()).toBe(false)
      await expect.poll(() => structure(first).getByRole('checkbox').nth(2).isChecked()).toBe(false)

      for (const page of [first, second]) await structure(page).locator('[data-row]').nth(1).click()
      saves.hold()
      await settings(second).getByLabel('Label').fill('Mine')
      await saves.begun()
      await settings(first).getByLabel('Label').fill('Theirs')
      await first.getByText(/^Draft, not published: saved/).waitFor()
      saves.release()
      await second.getByText(/^Changed by .* since you opened it$/).waitFor()
      await expectAccessible(second)
      await second.getByRole('radio', { name: 'Theirs Label: Theirs' }).check({ force: true })
      await second.getByRole('button', { name: 'Merge' }).click()
      await expect.poll(() => settings(second).getByLabel('Label').inputValue()).toBe('Theirs')
      await discard(second)
      await second.getByText('Everything is published.').waitFor()
    },
  )
})

/** Keeps the saves of a page's draft from the server until they are released, and those after them. */
async function holdSaves(page: Page) {
  let isHeld = true
  let waiting = 0
  await page.route('**/api/case_types/*/draft', async (route) => {
    if (route.request().method() === 'PUT') {
      waiting += 1
      while (isHeld) await setTimeout(20)
    }
    await route.continue()
  })
  return {
    /** Until a save waits. */
    begun: () => expect.poll(() => waiting).toBeGreaterThan(0),
    release: () => {
      isHeld = false
    },
    hold: () => {
      isHeld = true
      waiting = 0
    },
  }
}

describe('while a draft is unfinished', () => {
  itInFull('it is kept, the focus stays, and the page is no longer than its panes', async () => {
    for (const size of [undefined, { width: 320, height: 800 }]) {
      const page = await e2e.signIn('admin', size)
      await openCaseType(page, 'IMHA - Detained, CTO or guardianship')
      const blank = () =>
        page.evaluate(() => {
          const bottom = document.querySelector('.constructor')!.getBoundingClientRect().bottom
          return document.documentElement.scrollHeight - bottom - window.scrollY
        })
      expect(await blank()).toBeLessThan(120)
      if (size) continue
      await structure(page).locator('[data-row]').nth(1).click()
      const label = settings(page).getByLabel('Label', { exact: true })
      await label.fill('')
      await page.getByText(/^Draft, not published: saved/).waitFor()
      const shown = settings(page).getByRole('radiogroup', { name: 'Shown' }).getByLabel('Only when…')
      await shown.check({ force: true })
      await page.getByText('Saving the draft…').waitFor()
      await page.getByText(/^Draft, not published: saved/).waitFor()
      expect(await shown.evaluate((one) => one === document.activeElement)).toBe(true)
      expect(await page.getByRole('alert').count()).toBe(0)
      await preview(page)
        .getByText(/its condition is not finished\. Choose the field/)
        .waitFor()
      expect(await blank()).toBeLessThan(120)
      await discard(page)
      await page.getByText('Everything is published.').waitFor()
      expect(errorsOf(page)).toEqual([])
    }
  })
})

describe('the list of case types', () => {
  itInFull('retires one, of which no case can be begun, and takes it back', async () => {
    const page = await e2e.signIn('admin')
    await page.goto('/dashboard/module-constructor')
    const row = page.getByRole('row', { name: /IMHA - Detained/ })
    await row.getByRole('button', { name: /^Retire/ }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(/Its cases \(\d+, \d+ of them open\) stay as they are/).waitFor()
    await dialog.getByRole('button', { name: 'Retire' }).click()
    await row.getByText('Retired', { exact: true }).waitFor()
    await expectAccessible(page)
    const { body } = await advocate.raw('/case_type_lookup/?term=IMHA')
    expect(body[0].active).toBe(false)
    await row.getByRole('button', { name: /^Offer again/ }).click()
    await row.getByText('Offered', { exact: true }).waitFor()
    expect(errorsOf(page)).toEqual([])
  })
})

describe('by keyboard and by mouse', () => {
  itInFull('a new case type is made, shaped and published without the mouse', async () => {
    const page = await e2e.signIn('admin')
    await page.goto('/dashboard/module-constructor')
    await page.getByRole('button', { name: 'New case type' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.type('Prison visits')
    const services = page.getByRole('dialog').getByLabel('Service').locator('option')
    await expect.poll(() => services.count()).toBeGreaterThan(1)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Prison visits' }).waitFor()
    await page.getByText('Not published yet', { exact: false }).waitFor()

    const press = async (name: string | RegExp) => {
      await page.getByRole('button', { name }).first().focus()
      await page.keyboard.press('Enter')
    }
    await press('Add group')
    await page.keyboard.type('The visit')
    await page.keyboard.press('Enter')
    await structure(page)
      .getByRole('button', { name: /^The visit/ })
      .waitFor()
    for (const label of ['Wing', 'Officer']) {
      await press('Add field to The visit')
      await page.keyboard.type(label)
      await settings(page).getByRole('radio', { name: 'Text One line' }).focus()
      await page.keyboard.press('Space')
      await settings(page).getByRole('button', { name: 'Add field', exact: true }).focus()
      await page.keyboard.press('Enter')
      await structure(page)
        .getByRole('button', { name: new RegExp(`^${label}`) })
        .waitFor()
    }
    await structure(page)
      .getByRole('button', { name: /^Officer/ })
      .focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByText('Officer moved to place 1 of 2 in The visit').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+z')
    await page.getByText('Undone: Moved, Officer').waitFor({ state: 'attached' })
    await press('Publish…')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Published as version 1').first().waitFor()
    const { body } = await advocate.raw('/case_type_lookup/?term=Prison')
    expect(body[0].case_meta[0].fields.map((f: { label: string }) => f.label)).toEqual(['Wing', 'Officer'])
    expect(errorsOf(page)).toEqual([])
  })

  itInFull('rows are dragged to another place and another group', async () => {
    const page = await e2e.signIn('admin')
    await openCaseType(page, "RPR - Paid relevant person's representative")
    const names = () => structure(page).locator('[data-row] .constructor-title').allTextContents()
    const before = await names()
    const row = (i: number) => structure(page).locator('.constructor-row').nth(i)
    await row(1).dragTo(row(3), { targetPosition: { x: 40, y: 30 } })
    const [group, moved, second, third, ...rest] = before
    expect(await names()).toEqual([group, second, third, moved, ...rest])
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await names()).toEqual(before)
  })
})

describe('hostile forms', () => {
  const odd = '<img src=x onerror="window.bad=1">'

  itInFull('are refused by line, or shown as the text they are', async () => {
    const page = await e2e.signIn('admin')
    await openCaseType(page, 'IMCA - Change of accommodation')
    const give = (text: string) =>
      page
        .getByLabel('File to import')
        .setInputFiles({ name: 'forms.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await give('{"case_meta": [{"name": "__proto__", "label": "x", "fields": []}], "issue_meta": []}')
    await page.getByText('The file was not imported; the draft is unchanged').waitFor()
    await page.getByText('forms.json, line 1, column 17').waitFor()
    const form = (label: string) =>
      JSON.stringify({
        case_meta: [
          { name: 'g', label: odd, fields: [{ name: 'f', label, type: 'text', attrs: { help: odd } }] },
        ],
      })
    await give(form('Very long '.repeat(1000)))
    await page
      .getByText(/must have at most \d+ characters/)
      .first()
      .waitFor()
    await give(form(odd))
    await expect.poll(() => structure(page).getByText(odd).count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('alert', { name: 'There is a problem' }).waitFor()
    expect(await page.evaluate(() => (window as unknown as { bad?: number }).bad)).toBeUndefined()
    await discard(page)
    await page.getByText('Everything is published.').waitFor()
    expect(errorsOf(page).filter((line) => !line.includes('400'))).toEqual([])
  })
})
