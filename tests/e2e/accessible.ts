import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { FULL } from '../full.ts'

const ALL_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Expects no axe violation on the page, best practices included; the `region` rule is off, because an open menu may be
 * outside the landmarks. Contrast takes most of the time: `npm test` checks it on a record and at sign-in, with FULL=1
 * in every journey.
 */
export async function expectAccessible(page: Page, { contrast = FULL } = {}): Promise<void> {
  const off = ['region', ...(contrast ? [] : ['color-contrast'])]
  const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]))
  expect(await findingsOf(page, { runOnly: ALL_TAGS, rules }), page.url()).toEqual([])
}

/**
 * Expects no axe violation at all, best practices included; with `onlyContrast` only contrast, where only colours
 * differ.
 */
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
 * Returns the violations that axe finds as 'rule: selectors'. Our pages have no frames, so axe runs in the page itself:
 * its Playwright package loads the script each time and also returns passed rules, which takes twice as long.
 */
async function findingsOf(page: Page, options: axe.RunOptions): Promise<string[]> {
  // Rows that are about to be replaced are dimmed, for a moment also the new ones, and so is what fades in. Between two pages there is no heading.
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      !document.querySelector('[aria-busy="true"]:not(button), .list-stale') &&
      document
        .getAnimations()
        .every(
          (one) =>
            one.playState !== 'running' ||
            one.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
        ),
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SCRIPT)
  return page.evaluate(
    async (asked) => {
      // A bar that sticks to an edge covers what is scrolled below it, which axe takes for a target that is too small.
      const bars = [...document.querySelectorAll<HTMLElement>('body *')].filter(
        (element) => getComputedStyle(element).position === 'sticky',
      )
      for (const { style } of bars) Object.assign(style, { position: 'relative', inset: 'auto' })
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, asked)
      for (const { style } of bars) Object.assign(style, { position: '', inset: '' })
      return violations.map(({ id, nodes }) => {
        const places = nodes.map(({ target }) => target.join(' '))
        return `${id}: ${places.slice(0, 3).join(', ')}`
      })
    },
    // Skips passed rules and stylesheets of other origins.
    { ...options, resultTypes: ['violations'], preload: false, iframes: false } satisfies axe.RunOptions,
  )
}
