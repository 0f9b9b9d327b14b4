import type { Page } from 'playwright-core'

/** Locates a button by its exact name. */
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Locates a tab of a record's page. */
export const tab = (page: Page, name: string) => page.locator('.detail-tabs').getByRole('link', { name })

/** Texts of the tags beside a record's name. */
export const tags = (page: Page) => page.locator('.detail-head .bp6-tag').allTextContents()

/** Texts of all toasts on the page. */
export const toasts = (page: Page) => page.locator('.bp6-toast').allTextContents()

/** Waits for a toast with this text; two may have it, if another save was just before. */
export const waitForToast = (page: Page, text: string) =>
  page.locator('.bp6-toast').getByText(text).first().waitFor()

/** Opens a section of a record in read mode for editing. */
export const change = (page: Page, section: string) =>
  page.getByRole('button', { name: `Change ${section}`, exact: true }).click()

/** Locates the answer to a question in read mode; its section must not be open for editing. */
export const answerTo = (page: Page, question: string) =>
  page.locator('.read-item', { has: page.locator('dt', { hasText: question }) }).locator('dd')

/** Selects an item of the menu beside a record's name, or of a row. */
export async function fromMenu(page: Page, name: string, menu = 'More actions'): Promise<void> {
  await button(page, menu).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Clicks the form's Save and returns the status of the PATCH request. */
export async function save(page: Page): Promise<number> {
  const reply = page.waitForResponse((r) => r.request().method() === 'PATCH')
  await button(page, 'Save').last().click()
  return (await reply).status()
}

/** Records the requests of a page to matching paths from now on, as 'GET /case/1/'; the returned array grows. */
export function callsTo(page: Page, address: RegExp): string[] {
  const calls: string[] = []
  page.on('request', (sent) => {
    const { pathname } = new URL(sent.url())
    if (sent.resourceType() !== 'document' && address.test(pathname))
      calls.push(`${sent.method()} ${pathname}`)
  })
  return calls
}
