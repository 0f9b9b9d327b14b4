import { setTimeout as sleep } from 'node:timers/promises'
import { controlsOf, makeForm, missingIn, numberToType, textsToType } from './form.js'

const KEYS = 20
/** Milliseconds between keys: 40 a second, faster than anybody types. */
const PACE = 25
/** How long work that was put off still counts, in milliseconds: longer than any engine holds a text before it stores it. */
const AFTER = 1000
const LETTERS = 'abcdefghij'
/** A whole number that every engine takes. */
const DIGITS = '123456789'
const HURRIED = 'thequickbrownfoxjumpsoverthelazydog'.repeat(2)
const LOAD = 0.3
const PAUSE = 60

/**
 * One engine with a form of one size in a fresh browser. Work is milliseconds of script, style and layout: `keys` from the
 * first key to the stored text, a key; `leaving` of leaving a field; `submitting` from the press to its messages. Times
 * in milliseconds: `interactive` from the script's start to the painted form, `toggle` and `submit` until the result is
 * painted; `lost` keys of `hurried`.
 */
export async function measure(launch, address, { bundle, group }, size, calculated) {
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    const form = makeForm(size, calculated)
    const controls = controlsOf(form)
    await page.goto(`${address}/form/${bundle}?size=${size}&group=${group}&calculated=${calculated}`)
    const interactive = await page.evaluate(
      ([src, count]) => window.bench.start(src, count),
      [`/${bundle}.js`, controls],
    )
    await sleep(AFTER)
    const drawn = await page.evaluate(() => window.bench.controls())
    const typed = textsToType(form)
    const keys = []
    for (const name of typed) keys.push(await typeInto(page, cdp, name))
    const number = numberToType(form)
    const summed = calculated > 0 ? await typeNumber(page, cdp, number) : undefined
    const hurried = await typeUnderLoad(page, cdp, typed[1])
    const toggle = await toggleAll(page, form)
    const expected = missingIn(form, summed ? [...typed, number] : typed).length
    const beforeSubmit = await workOf(cdp)
    const submit = await page.evaluate((count) => window.bench.submit(count), expected)
    await sleep(AFTER)
    const submitting = since(beforeSubmit, await workOf(cdp))
    const errors = await page.evaluate(() => window.adapter.errors())
    const problems = await page.evaluate(() => window.bench.problems)
    return {
      interactive,
      keys: keys.map(({ key }) => key),
      leaving: keys.map(({ leaving }) => leaving),
      summed,
      toggle,
      submit,
      submitting,
      notStored: keys.filter(({ isStored }) => !isStored).length,
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
    control?.scrollIntoView({ block: 'center' })
    control?.focus()
  }, name)

const textIn = (page, name) => page.evaluate((one) => window.adapter.control(one)?.value, name)

/**
 * Milliseconds that the page has worked so far. Chromium counts style and layout that a script forces as such, not as
 * script, and a style that a layout forces as style.
 */
async function workOf(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const of = (wanted) => metrics.find(({ name }) => name === wanted).value * 1000
  return { script: of('ScriptDuration'), style: of('RecalcStyleDuration'), layout: of('LayoutDuration') }
}

/** The work between two moments, a share of it for each of `count`. */
function since(before, after, count = 1) {
  const [script, style, layout] = ['script', 'style', 'layout'].map(
    (kind) => (after[kind] - before[kind]) / count,
  )
  return { script, style, layout, all: script + style + layout }
}

async function typeInto(page, cdp, name) {
  await focus(page, name)
  await sleep(150)
  const before = await workOf(cdp)
  for (let i = 0; i < KEYS; i++) {
    await page.keyboard.press(LETTERS[i % LETTERS.length])
    await sleep(PACE)
  }
  await sleep(AFTER)
  const typed = await workOf(cdp)
  const text = LETTERS.repeat(KEYS / LETTERS.length)
  const isStored = (await page.evaluate((one) => window.adapter.stored(one), name)) === text
  const beforeLeaving = await workOf(cdp)
  await page.keyboard.press('Tab')
  await sleep(AFTER)
  return {
    key: since(before, typed, KEYS),
    leaving: since(beforeLeaving, await workOf(cdp)),
    isStored,
    lost: differences(await textIn(page, name), text),
  }
}

/** Types a number that is summed; `key` is the work of a key, `total` what the form shows as their sum then. */
async function typeNumber(page, cdp, name) {
  await focus(page, name)
  await sleep(150)
  const before = await workOf(cdp)
  for (const digit of DIGITS) {
    await page.keyboard.press(digit)
    await sleep(PACE)
  }
  await sleep(AFTER)
  const key = since(before, await workOf(cdp), DIGITS.length)
  const total = await page.evaluate(() => window.adapter.total?.() ?? '')
  return { key, isRight: total.replace(/\D/g, '').includes(DIGITS) }
}

/** Keys that come at their pace, whatever the page is busy with. */
async function typeUnderLoad(page, cdp, name) {
  await focus(page, name)
  await page.evaluate((id) => window.adapter.control(id)?.setSelectionRange(0, 0), name)
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
      const time = await page.evaluate(
        ([by, words, field]) => window.bench.toggle(by, words, field),
        [driver, answer, name],
      )
      if (answer === 'yes') times.push(time)
      await sleep(PAUSE)
    }
  return times
}
