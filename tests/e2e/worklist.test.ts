import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import { expectAccessible } from './accessible.ts'
import { describeProduct, errorsOf } from './context.ts'

const e2e = describeProduct()
let page: Page
beforeAll(async () => {
  page = await e2e.signIn('advocate', { width: 1280, height: 800 })
  await page.locator('.list-table:not([aria-hidden]) tbody tr').first().waitFor()
})

const rows = () => page.locator('.list-table:not([aria-hidden]) tbody tr:not(.list-group)')
const chip = (name: RegExp) => page.getByRole('button', { name })
const countOf = async (name: RegExp) =>
  Number((await chip(name).textContent())!.replaceAll(/\D/g, '').slice(-3))
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
const written = (method: string) =>
  page.waitForResponse((reply) => reply.url().includes('/api/tasks/') && reply.request().method() === method)

describe('the worklist of an advocate', () => {
  it('shows twelve rows of one line each at 1280 by 800, in groups that sum to all', async () => {
    const places = await rows().evaluateAll((all) =>
      all.map((row) => {
        const { bottom, height } = row.getBoundingClientRect()
        return { bottom, height }
      }),
    )
    expect(places.filter(({ bottom }) => bottom <= 800).length).toBeGreaterThanOrEqual(12)
    expect(new Set(places.map(({ height }) => Math.round(height)))).toEqual(new Set([38]))
    const counts = await page.locator('.list-group .list-count').allTextContents()
    expect(counts.reduce((sum, text) => sum + Number.parseInt(text, 10), 0)).toBe(await countOf(/^All/))
    await expectAccessible(page)
  })

  itInFull('filters by one press, which the address keeps', async () => {
    const [all, overdue] = [await countOf(/^All/), await countOf(/^Overdue/)]
    await chip(/^Overdue/).click()
    await page.waitForURL(/\?due=overdue$/)
    await page.getByText(`Showing 1 to ${overdue} of ${overdue}`).waitFor()
    await page.reload()
    await expect.poll(() => chip(/^Overdue/).getAttribute('aria-pressed')).toBe('true')
    await chip(/^All/).click()
    await page.waitForURL(/my-cases$/)
    await page.getByText(`of ${all}`).waitFor()
    // Counts come first, and a key moves among the rows that are there.
    await rows().first().waitFor()
  })

  it('is done with a next step by one key, goes to the next row, and undoes it', async () => {
    const before = await countOf(/^Overdue/)
    // Deadlines have no circle: to the first of two steps in a row.
    const labels = await rows().evaluateAll((all) =>
      all.map((row) => row.querySelector('button.list-tick')?.getAttribute('aria-label')),
    )
    const at = labels.findIndex((label, i) => label && labels[i + 1])
    for (let i = 0; i <= at; i++) await page.keyboard.press('j')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('tbody tr') != null))
      .toBe(true)
    const next = labels[at + 1]
    await Promise.all([written('POST'), page.keyboard.press('t')])
    await expect.poll(focused).toBe(next)
    await expect.poll(() => countOf(/^Overdue/)).toBe(before - 1)
    await Promise.all([written('POST'), page.getByRole('button', { name: 'Undo' }).click()])
    await expect.poll(() => countOf(/^Overdue/)).toBe(before)
  })

  it('logs what was done from the notice that says it is done', async () => {
    const tick = page.locator('button.list-tick').first()
    const step = (await tick.getAttribute('aria-label'))!.replace(/^Done: (.*), .*$/, '$1')
    await Promise.all([written('POST'), tick.click()])
    // The one of the test before may still fade away behind it.
    const notice = page.locator('.bp6-toast', { hasText: `Done: ${step}` }).first()
    await notice.getByRole('button', { name: 'Undo' }).waitFor()
    // It stays while the pointer is over it.
    await notice.hover()
    await expectAccessible(page)
    await notice.getByRole('button', { name: 'Log action', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Log action', exact: true })
    const notes = dialog.getByLabel(/^Notes/)
    await expect.poll(() => notes.inputValue()).toBe(step)
    await expectAccessible(page)
    await notes.fill(`${step}: nobody in`)
    await dialog.getByRole('radiogroup', { name: 'Type' }).getByRole('radio').first().check()
    await dialog.getByRole('radio', { name: '0:15' }).check()
    const logged = page.waitForResponse((reply) => reply.url().endsWith('/action/'))
    await page.keyboard.press('Control+Enter')
    expect((await logged).request().postDataJSON()).toMatchObject({ notes: `${step}: nobody in` })
    await dialog.waitFor({ state: 'detached' })
  })

  itInFull('puts a next step off by the keyboard', async () => {
    const before = await countOf(/^Overdue/)
    await page.locator('button.list-tick').first().focus()
    await page.keyboard.press('p')
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await Promise.all([written('PATCH'), page.keyboard.press('Enter')])
    await expect.poll(() => countOf(/^Overdue/)).toBe(before - 1)
    await expect.poll(focused).toMatch(/^Postpone /)
    expect(await page.getByRole('menu').count()).toBe(0)
  })

  itInFull('logs an action on the issue of a row, beside the list, by one key', async () => {
    const row = rows().first()
    const client = (await row.locator('a').first().textContent())!
    await row.locator('a').first().focus()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog', { name: 'Log action', exact: true })
    await dialog.getByText(client).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/dashboard/my-cases')
  })

  itInFull('plans a next step where there is none', async () => {
    const without = page.locator('.list-unplanned button')
    const before = await without.count()
    await without.first().click()
    await page.getByLabel('Next step', { exact: true }).fill('Ring the daughter')
    await page.getByRole('dialog').getByRole('button', { name: 'Plan a next step' }).click()
    await page.getByRole('button', { name: /^Done: Ring the daughter, / }).waitFor()
    expect(await without.count()).toBe(before - 1)
    expect(errorsOf(page)).toEqual([])
  })
})

itInFull('is My Tasks for a manager, with what they planned for themselves', async () => {
  const manager = await e2e.signIn('manager')
  await manager.getByRole('link', { name: 'My Tasks' }).click()
  await manager.getByRole('heading', { level: 1, name: 'My Tasks' }).waitFor()
  await manager
    .getByRole('button', { name: /^Done: / })
    .first()
    .waitFor()
  await expectAccessible(manager)
  expect(errorsOf(manager)).toEqual([])
})

itInFull('notifies an advocate of a task that a manager assigned to them', async () => {
  const manager = await e2e.signIn('manager')
  await manager.goto('/dashboard/my-tasks')
  await manager.getByRole('button', { name: 'Add' }).click()
  const dialog = manager.getByRole('dialog', { name: 'Add task' })
  await dialog.getByLabel('Next step').fill('Cover the duty phone')
  await dialog.getByLabel(/^Assigned to/).selectOption({ label: 'Avery Lindqvist' })
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.waitFor({ state: 'detached' })
  const advocate = await e2e.signIn('advocate')
  await advocate.getByRole('button', { name: /^Notifications/ }).click()
  const news = advocate.getByRole('list', { name: 'What happened' })
  await news.getByRole('button', { name: /^Dismiss: .*Cover the duty phone/ }).waitFor()
  await expectAccessible(advocate)
  await news.getByRole('link', { name: /gave you “Cover the duty phone”/ }).click()
  await advocate.waitForURL(/my-cases$/)
  await advocate.getByRole('button', { name: 'Done: Cover the duty phone' }).waitFor()
  expect([errorsOf(manager), errorsOf(advocate)]).toEqual([[], []])
})

itInFull('plans and is done with tasks of an issue on its own page', async () => {
  await page.goto('/dashboard/my-cases')
  const link = page.locator('.list-table tbody a[href*="/issues/"]').first()
  await page.goto(await link.evaluate((one) => (one as HTMLAnchorElement).pathname))
  await page.getByRole('link', { name: 'Tasks' }).click()
  await page.getByRole('button', { name: 'Add' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add task' })
  await dialog.getByLabel('Next step').fill('Send the minutes')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: 'Done: Send the minutes' }).click()
  await page.getByRole('button', { name: 'Done: Send the minutes' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Done: Send the minutes' }).waitFor()
  await expectAccessible(page)
  // The list of the tests after it stays as it was.
  await page.getByRole('button', { name: 'Done: Send the minutes' }).click()
  await page.getByRole('button', { name: 'Done: Send the minutes' }).waitFor({ state: 'detached' })
  expect(errorsOf(page)).toEqual([])
})

describe('the room of lists', () => {
  itInFull('is not left empty beside a name or step that is cut', async () => {
    await page.goto('/dashboard/my-cases')
    await rows().first().waitFor()
    // Of each column, the most that its values would need, and its width.
    const columns = await page.locator('.list-table:not([aria-hidden])').evaluate((table) => {
      const cells = [
        ...table.querySelectorAll<HTMLElement>('tbody tr:not(.list-group) > :is(td, th):not([colspan])'),
      ]
      const widest = new Map<string, { needed: number; width: number }>()
      for (const cell of cells) {
        const range = document.createRange()
        range.selectNodeContents(cell)
        const name = cell.dataset.label ?? 'actions'
        const needed = Math.max(range.getBoundingClientRect().width, widest.get(name)?.needed ?? 0)
        widest.set(name, { needed, width: cell.clientWidth })
      }
      return [...widest]
    })
    const short = columns.filter(([name]) => !['Next step', 'Client', 'Issue'].includes(name))
    expect(short.length).toBe(4)
    for (const [name, { needed, width }] of short) expect(width - needed, name).toBeLessThan(60)
    const cutOf = (selector: string) =>
      rows()
        .locator(selector)
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent ?? ''),
        )
    expect(await cutOf('th[colspan] .list-ticked > :last-child')).toEqual([])
    // Double-barrelled names may be longer than a column can be.
    const names = await cutOf('[data-label=Client] a')
    expect(names.filter((name) => name.length < 18)).toEqual([])
  })

  it('shows three tasks and more on the screen of a phone, and no keys that it does not have', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    const heights = await rows().evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(heights.reduce((sum, height) => sum + height, 0) / heights.length).toBeLessThan(640 / 3.5)
    await page
      .getByRole('button', { name: /^Log action/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Log action', exact: true })
    await dialog.getByLabel(/^Notes/).waitFor()
    expect(
      await dialog
        .getByText(/^(Esc|Ctrl)/)
        .filter({ visible: true })
        .count(),
    ).toBe(0)
    const sizes = await page
      .locator('input:not([type=checkbox], [type=radio]), select, textarea')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)))
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})
