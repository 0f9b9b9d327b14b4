import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { FULL } from '../full.ts'

const ALL_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Expects no accessibility finding on the page, good practice included, and names what is found; but a menu that is open
 * may stand beside the page's landmarks. Contrast takes most of the time: in `npm test` one screen of each kind is
 * checked for it, with FULL=1 every journey.
 */
export async function expectAccessible(page: Page, { contrast = FULL } = {}): Promise<void> {
  const off = ['region', ...(contrast ? [] : ['color-contrast'])]
  const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]))
  expect(await findingsOf(page, { runOnly: ALL_TAGS, rules }), page.url()).toEqual([])
}

/** Expects that axe finds nothing at all, good practice included; or nothing against contrast, where only colours differ. */
export async function expectNoFindings(
  page: Page,
  message: string,
  { onlyContrast = false } = {},
): Promise<void> {
  const found = await findingsOf(page, {
    runOnly: onlyContrast ? { type: 'rule', values: ['color-contrast'] } : ALL_TAGS,
  })
  expect.soft(found, message).toEqual([])
}

/**
 * What axe finds: the rule, and where. No page of ours has frames, so it is called in the page itself: the package for
 * Playwright loads it anew each time and brings back what holds too, which takes twice as long.
 */
async function findingsOf(page: Page, options: axe.RunOptions): Promise<string[]> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        (one) =>
          one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SCRIPT)
  return page.evaluate(
    async (asked) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, asked)
      return violations.map(({ id, nodes }) => {
        const places = nodes.map(({ target }) => target.join(' '))
        return `${id}: ${places.slice(0, 3).join(', ')}`
      })
    },
    // Neither the rules that hold nor styles from other origins are needed.
    { ...options, resultTypes: ['violations'], preload: false, iframes: false } satisfies axe.RunOptions,
  )
}
