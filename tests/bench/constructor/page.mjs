import { setTimeout as sleep } from 'node:timers/promises'
import { scriptClock } from './script.mjs'

const WORD = 'abcdefghij'
const PACE = 60
/** Longer than the pause after which the draft is kept, whose cost counts. */
const SETTLED = 2500
const CASE_TYPE = 'Care Act advocacy'
const LIST = '/dashboard/module-constructor'

/**
 * The constructor with a form as its draft, whose middle group has ten fields; answers how to measure it, in milliseconds
 * of script once a round.
 */
export async function openConstructor(page, meta) {
  await page.goto(LIST)
  await page.getByRole('link', { name: CASE_TYPE, exact: true }).click()
  const file = { case_meta: meta, issue_meta: [] }
  await page.getByLabel('File to import').setInputFiles({
    name: 'big.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  })
  await page.getByText(/^Draft, not published: saved/).waitFor()
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
  const middle = meta[2 * Math.floor(meta.length / 4)]
  // By address: to find a row by its role the browser reads the whole tree, in the script that is measured.
  const at = (address) => page.locator(`[data-address="${address}"] > .constructor-row`)
  /** A row, which is drawn once its group is near. */
  const rowAt = async (group, field) => {
    const share = meta.indexOf(group) / meta.length
    while ((await at(group.name).count()) === 0) {
      await page.locator('.constructor-structure').evaluate((pane, down) => {
        pane.scrollTop = pane.scrollHeight * down
      }, share)
      await sleep(100)
    }
    await at(group.name).scrollIntoViewIfNeeded()
    return at(`${group.name}.${group.fields[field].name}`)
  }
  const choose = async (group, field) => {
    await (await rowAt(group, field)).locator('[data-row]').click()
    await page.locator('.constructor-settings').getByLabel('Label', { exact: true }).waitFor()
  }
  /** Where a control or a row is on the page. Looked for before: a browser's script that looks for it would be measured. */
  const place = async (locator, /** @type {{x?: number, y?: number}} */ { x, y } = {}) => {
    await locator.scrollIntoViewIfNeeded()
    const box = await locator.boundingBox()
    return [box.x + (x ?? box.width / 2), box.y + (y ?? box.height / 2)]
  }
  const clickAt = (locator) => place(locator).then((where) => () => page.mouse.click(...where))
  const press = (key) => () => page.keyboard.press(key)
  /** Switches a field off and on, so often that there is enough to undo. */
  const makeSteps = async (count) => {
    for (let step = 0; step < count; step++)
      await (await rowAt(middle, step % 5)).locator('.bp6-switch').click()
  }
  await choose(middle, 1)
  return {
    keys: async (rounds) => {
      await page.locator('.constructor-settings').getByLabel('Label', { exact: true }).focus()
      const words = await inRounds(rounds, () => () => page.keyboard.type(WORD, { delay: PACE }))
      return words.map((time) => time / WORD.length)
    },
    chooses: (rounds) =>
      inRounds(rounds, async (round) => {
        const group = meta[(meta.indexOf(middle) + 3 * (round % 7)) % meta.length]
        return clickAt((await rowAt(group, round % 5)).locator('[data-row]'))
      }),
    drops: (rounds) =>
      inRounds(rounds, async (round) => {
        const to = await rowAt(middle, 7)
        await place(to)
        const from = await place(await rowAt(middle, (round % 3) + 1))
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
    undos: async (rounds) => {
      await makeSteps(rounds + 1)
      return inRounds(rounds, () => press('Control+z'))
    },
    redos: async (rounds) => {
      await makeSteps(rounds + 1)
      for (let step = 0; step <= rounds; step++) await page.keyboard.press('Control+z')
      return inRounds(rounds, () => press('Control+y'))
    },
    /** Fields that are added and removed again, in milliseconds of both. */
    addsAndRemovals: async (rounds) => {
      const adds = []
      const removals = []
      const settings = page.locator('.constructor-settings')
      for (let round = 0; round <= rounds; round++) {
        await rowAt(middle, 0)
        await page.getByRole('button', { name: `Add field to ${middle.label}`, exact: true }).click()
        await settings.getByLabel('Label').fill(`Added ${round}`)
        await settings.getByLabel(/^Text/).first().check({ force: true })
        adds.push(await measured(await clickAt(settings.getByRole('button', { name: 'Add field' }))))
        removals.push(await measured(await clickAt(settings.getByText('Remove this field'))))
      }
      return { adds: adds.slice(1), removals: removals.slice(1) }
    },
    opens: async (rounds) => {
      const times = []
      for (let round = 0; round < rounds; round++) {
        await page.goto(LIST)
        const link = page.getByRole('link', { name: CASE_TYPE, exact: true })
        await link.waitFor()
        const open = await clickAt(link)
        times.push(await measured(open))
        await page.locator('.constructor-preview .field').first().waitFor()
      }
      return times
    },
  }
}
