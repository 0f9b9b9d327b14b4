import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectNoFindings } from './accessible.ts'
import { WIDE } from './context.ts'

/** 640 stands for a page of 1280 pixels at 200 %. */
const WIDTHS = [1280, 768, 640, 320]

const COLOURS = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const

export type Colours = keyof typeof COLOURS

/** Where pictures are put; none are made without it: PICTURES=.cache/pictures npm run test:full */
const { PICTURES } = process.env

/** Shows the page in these colours, at this width. */
export async function showAs(page: Page, width: number, colours: Colours): Promise<void> {
  await page.setViewportSize({ width, height: width < 768 ? 640 : WIDE.height })
  await page.emulateMedia({ reducedMotion: 'reduce', ...COLOURS[colours] })
  // What depends on a width is drawn anew by then.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Expects a page that fits its width and has neither an error card nor, where it is looked for, any finding of axe. */
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

/** What `npm test` has time for: the page narrow in the dark, and wide in forced colours. */
export async function expectSampleToLookRight(page: Page, name: string): Promise<void> {
  await expectToLookRight(page, name, { width: 320, colours: 'dark', axe: true })
  await expectToLookRight(page, name, { width: 1280, colours: 'forced', axe: false })
  await showAs(page, WIDE.width, 'light')
}

/** The page at every width in all colours; axe reads it at the widest and the narrowest. */
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
