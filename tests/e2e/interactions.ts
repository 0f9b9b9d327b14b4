import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Runs steps in order and returns their number; each is one interaction: a key press, a click or a typed text. */
export async function interactions(steps: (() => Promise<unknown>)[]): Promise<number> {
  for (const step of steps) await step()
  return steps.length
}

/** Name of the focused control: its label, or else its text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null
    return (at?.labels?.[0]?.textContent ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '').trim()
  })
}

/** A keyboard that counts interactions: each key press is one, and so is each text typed at once. */
export function countedKeyboard(page: Page) {
  let count = 0
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      count++
      await page.keyboard.press(key)
    }
  }
  return {
    press,
    type: async (text: string) => {
      count++
      await page.keyboard.type(text)
    },
    /** Types the start of an option of the focused select, once its options are loaded. */
    choose: async (text: string) => {
      await expect
        .poll(() => page.evaluate(() => (document.activeElement as HTMLSelectElement).options.length))
        .toBeGreaterThan(1)
      count++
      await page.keyboard.type(text)
    },
    /** Presses Tab until a control with this name has the focus, at most 20 times. */
    tabTo: async (name: RegExp) => {
      const passed: string[] = []
      while (!name.test(passed.at(-1) ?? '')) {
        expect(passed.length, `Tab leads to ${passed}, not to ${name}`).toBeLessThan(20)
        await press('Tab')
        passed.push(await focused(page))
      }
    },
    count: () => count,
  }
}
