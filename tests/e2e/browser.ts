import { existsSync } from 'node:fs'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { packagedChromium } from './chromium.ts'

const DEBIAN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium']

// The browser itself makes no requests, and fonts render the same on every machine.
const common: LaunchOptions = {
  chromiumSandbox: false,
  args: [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--font-render-hinting=none',
    // Saves a tenth of the CPU time: no separate GPU and zygote processes, and no process per site.
    '--in-process-gpu',
    '--no-zygote',
    '--disable-gpu',
    '--disable-site-isolation-trials',
    // Pages are too short-lived for work on background threads to pay off.
    '--js-flags=--single-threaded-gc --no-concurrent-recompilation --no-concurrent-sparkplug --min-semi-space-size=16',
    '--num-raster-threads=1',
  ],
}

type Candidate = [name: string, options: () => Promise<LaunchOptions | undefined>]

const candidates: Candidate[] = [
  ['@sparticuz/chromium', packagedChromium],
  ['Chrome', async () => ({ channel: 'chrome' })],
  ['Edge', async () => ({ channel: 'msedge' })],
  ...DEBIAN.filter(existsSync).map((path): Candidate => [path, async () => ({ executablePath: path })]),
  ["Playwright's Chromium", async () => ({})],
]

let started: Promise<Browser> | undefined

/**
 * The browser shared by all test files of this process, which ends with it. Browser contexts isolate the tests, and
 * starting a browser takes as long as a short test.
 */
export function sharedBrowser(): Promise<Browser> {
  started ??= launchBrowser()
  return started
}

/** Launches the first headless browser that starts: the packaged one, then installed ones. */
async function launchBrowser(): Promise<Browser> {
  const tried: string[] = []
  for (const [name, options] of candidates) {
    try {
      const found = await options()
      if (found) return await chromium.launch({ ...common, ...found })
      tried.push(`${name}: not for ${process.platform} ${process.arch}`)
    } catch (error) {
      tried.push(`${name}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  throw new Error(
    `No browser starts here:\n  ${tried.join('\n  ')}\n` +
      'Install Chrome, Edge or Chromium, or run: npx playwright-core install --with-deps chromium',
  )
}
