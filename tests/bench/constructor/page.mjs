import { setTimeout as sleep } from 'node:timers/promises'
import { scriptClock } from './script.mjs'

const WORD = 'abcdefghij'
const PACE = 60
/** Longer than the pause after which the draft is kept, whose cost counts. */
const SETTLED = 2500
const CASE_TYPE = 'Care Act advocacy'

/** The constructor with a form as its draft; answers how to measure it, in milliseconds of script once a round. */
export async function openConstructor(page, meta) {
  await page.goto('/dashboard/module-constructor')
  await page.getByRole('link', { name: CASE_TYPE, exact: true }).click()
  const file = { case_meta: meta, issue_meta: [] }
  await page.getByLabel('File to import').setInputFiles({
    name: 'big.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  })
  const script = await scriptClock(page)
  const measured = async (work) => {
    await sleep(SETTLED)
    const before = await script()
    await work()
    await sleep(SETTLED)
    return (await script()) - before
  }
  const inRounds = async (rounds, prepared) => {
    const times = []
    // The first one warms the page up.
    for (let round = 0; round <= rounds; round++) times.push(await measured(await prepared(round)))
    return times.slice(1)
  }
  // By address: to find a row by its role the browser reads the whole tree, in the script that is measured.
  const at = (address) => page.locator(`[data-address="${address}"] > .constructor-row`)
  /** A row, which is drawn once its group is near. */
  const rowAt = async (group, field) => {
    await at(`group_${group}`).scrollIntoViewIfNeeded()
    return at(`group_${group}.question_${group}_${field}`)
  }
  await (await rowAt(19, 1)).locator('[data-row]').click()
  /** Where a control or a row is on the page. Looked for before: a browser's script that looks for it would be measured. */
  const place = async (locator, /** @type {{x?: number, y?: number}} */ { x, y } = {}) => {
    await locator.scrollIntoViewIfNeeded()
    const box = await locator.boundingBox()
    return [box.x + (x ?? box.width / 2), box.y + (y ?? box.height / 2)]
  }
  return {
    chooses: (rounds) =>
      inRounds(rounds, async (round) => {
        const row = await rowAt(10 + (round % 7) * 3, round % 5)
        const where = await place(row.locator('[data-row]'))
        return () => page.mouse.click(...where)
      }),
    undos: async (rounds) => {
      for (let round = 0; round <= rounds; round++) {
        await (await rowAt(20, round % 5)).locator('.bp6-switch').click()
      }
      return inRounds(rounds, () => () => page.keyboard.press('Control+z'))
    },
    keys: async (rounds) => {
      await page.locator('.constructor-settings').getByLabel('Label').focus()
      const words = await inRounds(rounds, () => () => page.keyboard.type(WORD, { delay: PACE }))
      return words.map((time) => time / WORD.length)
    },
    drops: (rounds) =>
      inRounds(rounds, async (round) => {
        const to = await rowAt(20, 7)
        await place(to)
        const from = await place(await rowAt(20, (round % 3) + 1))
        const onto = await place(to, { x: 60, y: 4 })
        return async () => {
          await page.mouse.move(...from)
          await page.mouse.down()
          // Twice: a drag begins with the first.
          await page.mouse.move(...onto)
          await page.mouse.move(...onto)
          await page.mouse.up()
        }
      }),
  }
}
