import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until a page is as wide as its viewport: after a change of size it is drawn once as it was before. */
export async function expectToFit(page: Page, message?: string): Promise<void> {
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  await expect.poll(width, { message }).toBe(page.viewportSize()!.width)
}
