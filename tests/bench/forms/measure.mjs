import { setTimeout as sleep } from 'node:timers/promises'
import { controlsOf, makeForm, missingIn, textsToType } from './form.js'

const KEYS = 20
/** Milliseconds between keys: 40 a second, faster than anybody types. */
const PACE = 25
/** How long work that was put off after the last key still counts, in milliseconds. */
const AFTER = 300
const LETTERS = 'abcdefghij'
const HURRIED = 'thequickbrownfoxjumpsoverthelazydog'.repeat(2)
const LOAD = 0.3
const PAUSE = 60

/**
 * One engine with a form of one size in a fresh browser. Times in milliseconds: `interactive` from the script's start to
 * the painted form, `script` of each key and `leaving` of leaving a field (spent in scripts, put-off work included),
 * `toggle` and `submit` until the result is painted; `lost` keys of `hurried`.
 */
export async function measure(launch, address, { bundle, group }, size) {
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    const form = makeForm(size)
    const controls = controlsOf(form)
    await page.goto(`${address}/form/${bundle}?size=${size}&group=${group}`)
    const interactive = await page.evaluate(
      ([src, count]) => window.bench.start(src, count),
      [`/${bundle}.js`, controls],
    )
    await sleep(AFTER)
    const drawn = await page.evaluate(() => window.bench.controls())
    const typed = textsToType(form)
    const keys = []
    for (const name of typed) keys.push(await typeInto(page, cdp, name))
    const hurried = await typeUnderLoad(page, cdp, typed[1])
    const toggle = await toggleAll(page, form)
    const expected = missingIn(form, typed).length
    const submit = await page.evaluate((count) => window.bench.submit(count), expected)
    await sleep(PAUSE)
    const errors = await page.evaluate(() => window.adapter.errors())
    const problems = await page.evaluate(() => window.bench.problems)
    return {
      interactive,
      script: keys.map(({ script }) => script),
      leaving: keys.map(({ leaving }) => leaving),
      toggle,
      submit,
      lost: keys.reduce((sum, { lost }) => sum + lost, hurried.lost),
      hurried: hurried.keys,
      controls: { drawn, expected: controls },
      errors: { shown: errors, expected },
      problems,
    }
  } finally {
    await browser.close()
  }
}

const focus = (page, name) =>
  page.evaluate((one) => {
    const control = window.adapter.control(one)
    control.scrollIntoView({ block: 'center' })
    control.focus()
  }, name)

const textIn = (page, name) => page.evaluate((one) => window.adapter.control(one).value, name)

/** Seconds that the page has spent in scripts so far. */
async function scriptTime(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ScriptDuration').value
}

async function typeInto(page, cdp, name) {
  await focus(page, name)
  await sleep(150)
  const before = await scriptTime(cdp)
  for (let i = 0; i < KEYS; i++) {
    await page.keyboard.press(LETTERS[i % LETTERS.length])
    await sleep(PACE)
  }
  await sleep(AFTER)
  const typed = await scriptTime(cdp)
  await page.keyboard.press('Tab')
  await sleep(AFTER)
  const left = await scriptTime(cdp)
  const value = await textIn(page, name)
  return {
    script: ((typed - before) * 1000) / KEYS,
    leaving: (left - typed) * 1000,
    lost: differences(value, LETTERS.repeat(KEYS / LETTERS.length)),
  }
}

/** Keys that come at their pace, whatever the page is busy with. */
async function typeUnderLoad(page, cdp, name) {
  await focus(page, name)
  await page.evaluate((id) => window.adapter.control(id).setSelectionRange(0, 0), name)
  await page.evaluate((share) => window.bench.load(share), LOAD)
  const before = await textIn(page, name)
  const sent = []
  const began = performance.now()
  for (const [i, text] of [...HURRIED].entries()) {
    const due = began + i * PACE - performance.now()
    if (due > 0) await sleep(due)
    const key = { key: text, code: `Key${text.toUpperCase()}` }
    sent.push(cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', text, ...key }))
    sent.push(cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }))
  }
  await Promise.all(sent)
  await page.evaluate(() => window.bench.load(0))
  await sleep(AFTER)
  return { keys: HURRIED.length, lost: differences(await textIn(page, name), HURRIED + before) }
}

/** How many letters are missing, and one for letters out of order. */
function differences(value, expected) {
  if (value === expected) return 0
  return Math.max(1, expected.length - value.length)
}

async function toggleAll(page, { fields, drivers }) {
  const times = []
  for (const answer of ['yes', 'no'])
    for (const driver of drivers) {
      const { name } = fields.find(({ when }) => when === driver)
      const time = await page.evaluate((all) => window.bench.toggle(...all), [driver, answer, name])
      if (answer === 'yes') times.push(time)
      await sleep(PAUSE)
    }
  return times
}
