import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectNoFindings } from './accessible.ts'
import { WIDE } from './context.ts'

/** Viewport widths in px; 640 stands for a 1280 px viewport at 200% zoom. */
const WIDTHS = [1280, 768, 640, 320]

const COLOURS = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const

export type Colours = keyof typeof COLOURS

/** Folder for screenshots; none are taken without it: PICTURES=.cache/pictures npm run test:full */
const { PICTURES } = process.env

/** Switches the page to these colours and this viewport width. */
export async function showAs(page: Page, width: number, colours: Colours): Promise<void> {
  await page.setViewportSize({ width, height: width < 768 ? 640 : WIDE.height })
  await page.emulateMedia({ reducedMotion: 'reduce', ...COLOURS[colours] })
  // Waits two frames, after which the page has rendered for the new width.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Expects a page without horizontal overflow and error cards and, with `axe`, without axe violations. */
export async function expectToLookRight(
  page: Page,
  name: string,
  { width, colours, axe }: { width: number; colours: Colours; axe: boolean },
): Promise<void> {
  const what = `${name}, ${width} wide, ${colours}`
  await showAs(page, width, colours)
  await picture(page, name, `${width}-${colours}`)
  expect.soft(await page.locator('.error-card').allTextContents(), what).toEqual([])
  expect
    .soft(await page.evaluate(() => document.documentElement.scrollWidth), what)
    .toBeLessThanOrEqual(width)
  if (axe) await expectNoFindings(page, what, { onlyContrast: colours === 'dark' })
}

/** The checks that `npm test` has time for: narrow in dark mode, and wide in forced colours. */
export async function expectSampleToLookRight(page: Page, name: string): Promise<void> {
  await expectToLookRight(page, name, { width: 320, colours: 'dark', axe: true })
  await expectToLookRight(page, name, { width: 1280, colours: 'forced', axe: false })
  await showAs(page, WIDE.width, 'light')
}

/** Checks the page at every width in all colours; axe runs at the widest and the narrowest. */
export async function expectToLookRightEverywhere(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS)
    for (const colours of Object.keys(COLOURS) as Colours[]) {
      const axe = colours !== 'forced' && (width === WIDTHS[0] || width === WIDTHS.at(-1))
      await expectToLookRight(page, name, { width, colours, axe })
    }
  await showAs(page, WIDE.width, 'light')
}

async function picture(page: Page, name: string, folder: string): Promise<void> {
  if (!PICTURES) return
  await mkdir(path.join(PICTURES, folder), { recursive: true })
  await page.screenshot({ path: path.join(PICTURES, folder, `${name}.png`) })
}
