import { chromium } from 'playwright-core'
import { fromSource } from '../fromSource.mjs'

// A frame follows at once when something changed, so that times are not rounded up to a sixtieth of a second.
const ARGS = [
  '--disable-frame-rate-limit',
  '--disable-gpu-vsync',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
]

/** How to start a fresh browser: the Chromium that the product's tests use, or an installed Chrome. */
export async function browserLauncher() {
  const { packagedChromium } = await fromSource('tests/e2e/chromium.ts')
  const found = (await packagedChromium()) ?? { channel: 'chrome' }
  return () => chromium.launch({ chromiumSandbox: false, ...found, args: ARGS })
}
