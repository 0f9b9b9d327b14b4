import { setTimeout as sleep } from 'node:timers/promises'
import { scriptClock } from './script.mjs'

const TIMES = 10
const SETTLED = 500

/** The yardstick: milliseconds of script that the plain form takes to show one changed label, once a round. */
export async function redrawn(browser, address, meta, rounds) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.addInitScript((groups) => {
    window.meta = groups
  }, meta)
  await page.goto(`${address}/form/relabel`)
  await page.addScriptTag({ url: '/relabel.js', type: 'module' })
  await page.getByLabel('Question 20.2').waitFor()
  const script = await scriptClock(page)
  const times = []
  for (let round = 0; round < rounds; round++) {
    await sleep(SETTLED)
    const before = await script()
    for (let i = 0; i < TIMES; i++) {
      await page.evaluate((words) => window.relabel(20, 1, words), `Question 20.2 ${round} ${i}`)
      await sleep(50)
    }
    await sleep(SETTLED)
    times.push(((await script()) - before) / TIMES)
  }
  await page.close()
  return times
}
