import { median, short } from '../numbers.mjs'
import { printAims, printTable } from '../report.mjs'
import { ENGINES, YARDSTICK } from './engines.mjs'

/** What tables show of a run, in milliseconds. */
const MEASURES = {
  'script a key': ({ script }) => median(script),
  'leaving a field': ({ leaving }) => median(leaving),
  'toggle to shown': ({ toggle }) => median(toggle),
  'submit to messages': ({ submit }) => submit,
  interactive: ({ interactive }) => interactive,
}
const AIMED = ['script a key', 'toggle to shown', 'submit to messages', 'interactive']
const LIMIT = 1.5
const OURS = 'ours'

/** Tables of medians with their ratios to the form by hand of the same repetition, and what is aimed at. */
export function report(runs, sizes) {
  for (const size of sizes) {
    const rows = Object.keys(ENGINES).map((engine) => {
      const own = runs.filter((one) => one.engine === engine && one.size === size)
      const cells = Object.values(MEASURES).map(
        (of) => `${short(median(own.map(of)))} (${short(ratio(runs, engine, size, of))})`,
      )
      return [engine, ...cells, own.reduce((sum, { lost }) => sum + lost, 0)]
    })
    printTable(
      `${size} fields: milliseconds (ratio to the form by hand)`,
      ['', ...Object.keys(MEASURES), 'lost keys'],
      rows,
    )
  }
  printAims([...ratios(runs, sizes), ...flatness(runs, sizes), lost(runs)])
}

function ratio(runs, engine, size, of) {
  const at = (name) => runs.filter((one) => one.engine === name && one.size === size)
  const hand = new Map(at(YARDSTICK).map((one) => [one.rep, of(one)]))
  return median(at(engine).map((one) => of(one) / hand.get(one.rep)))
}

const ratios = (runs, sizes) =>
  AIMED.flatMap((name) =>
    sizes.map((size) => ({
      words: `${name}, ${size} fields`,
      value: ratio(runs, OURS, size, MEASURES[name]),
      limit: LIMIT,
    })),
  )

/** A key costs the same in the largest form as in the smallest. */
function flatness(runs, sizes) {
  if (sizes.length < 2) return []
  const key = (size) =>
    median(runs.filter((one) => one.engine === OURS && one.size === size).map(MEASURES['script a key']))
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)]
  return [
    {
      words: `script a key, ${largest} fields to ${smallest}`,
      value: key(largest) / key(smallest),
      limit: LIMIT,
    },
  ]
}

function lost(runs) {
  const own = runs.filter(({ engine }) => engine === OURS)
  return { words: 'lost keys', value: own.reduce((sum, one) => sum + one.lost, 0), limit: 0 }
}
