import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Does things one after the other and answers how many: each is one interaction, a key press, a click or a text typed. */
export async function interactions(steps: (() => Promise<unknown>)[]): Promise<number> {
  for (const step of steps) await step()
  return steps.length
}

/** What the control that has the focus is called, by its label or its own words. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null
    return (at?.labels?.[0]?.textContent ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '').trim()
  })
}

/** A keyboard that counts: each key is an interaction, and each text that is typed at once. */
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
    /** Types the beginning of a choice of the list that has the focus, once its choices are there. */
    choose: async (text: string) => {
      await expect
        .poll(() => page.evaluate(() => (document.activeElement as HTMLSelectElement).options.length))
        .toBeGreaterThan(1)
      count++
      await page.keyboard.type(text)
    },
    /** Presses Tab until a control of this name has the focus. */
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
