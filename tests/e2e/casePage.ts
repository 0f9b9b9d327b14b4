import type { Page } from 'playwright-core'

/** A button by its whole name. */
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A tab of a record's page. */
export const tab = (page: Page, name: string) => page.locator('.detail-tabs').getByRole('link', { name })

/** What the tags beside a record's name say. */
export const tags = (page: Page) => page.locator('.detail-head .bp6-tag').allTextContents()

/** What all messages on the page say. */
export const toasts = (page: Page) => page.locator('.bp6-toast').allTextContents()

/** Waits for a message. */
export const waitForToast = (page: Page, text: string) => page.locator('.bp6-toast').getByText(text).waitFor()

/** Opens a section of a record that is shown to be read. */
export const change = (page: Page, section: string) =>
  page.getByRole('button', { name: `Change ${section}`, exact: true }).click()

/** What a record that is shown to be read says to a question; its section must not be open. */
export const answerTo = (page: Page, question: string) =>
  page.locator('.read-item', { has: page.locator('dt', { hasText: question }) }).locator('dd')

/** Chooses from the menu beside a record's name, or of a row. */
export async function fromMenu(page: Page, name: string, menu = 'More actions'): Promise<void> {
  await button(page, menu).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Presses the form's Save and answers the status of the call that follows. */
export async function save(page: Page): Promise<number> {
  const reply = page.waitForResponse((r) => r.request().method() === 'PATCH')
  await button(page, 'Save').last().click()
  return (await reply).status()
}

/** Every call of a page from now on whose address matches, as 'GET /case/1/'; the list grows. */
export function callsTo(page: Page, address: RegExp): string[] {
  const calls: string[] = []
  page.on('request', (sent) => {
    const { pathname } = new URL(sent.url())
    if (sent.resourceType() !== 'document' && address.test(pathname))
      calls.push(`${sent.method()} ${pathname}`)
  })
  return calls
}
