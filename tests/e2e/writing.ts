import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { button } from './casePage.ts'

/** Label of the next step of an action; an 'optional' mark may follow it. */
export const NEXT_STEP = /^Next step(?! due)/

/** Clicks a button of a new record's form, expects status 201 and returns the record. */
export async function add(page: Page, name: string): Promise<{ id: number; case: number }> {
  const reply = page.waitForResponse(
    (r) => r.request().method() === 'POST' && /^\/(action|activity)\/$/.test(new URL(r.url()).pathname),
  )
  await button(page, name).click()
  const replied = await reply
  expect(replied.status()).toBe(201)
  return replied.json()
}

/** Adds a file to an issue's documents and waits until it is uploaded. */
export async function upload(page: Page, name: string, content: Buffer): Promise<void> {
  await choose(page, name, content)
  await page.locator('.upload-files').getByText('Uploaded').waitFor()
}

/** Adds a file to an issue's documents by the button, as a person does. */
export async function choose(page: Page, name: string, content: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'Add documents').click()
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: content })
}

/** Adds a row of outcomes and fills in its details. */
export async function addOutcome(page: Page, kind: string, details: string): Promise<void> {
  await button(page, `Add ${kind}`).click()
  await page
    .getByRole('group', { name: new RegExp(`^${kind} \\d+$`) })
    .last()
    .getByLabel('Details')
    .fill(details)
}

/** Texts of all entries of the chronology, once `count` are listed. */
export async function entries(page: Page, count: number): Promise<string[]> {
  await page.getByLabel('Rows on a page').selectOption('100')
  await page.getByText(`Showing 1 to ${count} of ${count}`).waitFor()
  const list = page.locator('.timeline-entries > li')
  await list.nth(count - 1).waitFor()
  return list.allTextContents()
}
