import { median } from '../numbers.mjs'
import { printAims } from '../report.mjs'
import { lostIn, MEASURES, ratio, runsOf } from './measures.mjs'
import { printForms } from './tables.mjs'

const KEY = 'script a key'
const AIMED = [KEY, 'toggle to shown', 'submit to messages', 'interactive']
const LIMIT = 1.5
const OURS = 'ours'

/** Prints a table for each size, and what is aimed at. */
export function report(runs, sizes) {
  for (const size of sizes) printForms(runs, size)
  printAims([...ratios(runs, sizes), ...flatness(runs, sizes), lost(runs)])
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
  const key = (size) => median(runsOf(runs, OURS, size).map(MEASURES[KEY]))
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)]
  return [
    {
      words: `${KEY}, ${largest} fields to ${smallest}`,
      value: key(largest) / key(smallest),
      limit: LIMIT,
    },
  ]
}

function lost(runs) {
  const own = runs.filter(({ engine }) => engine === OURS)
  return { words: 'lost keys', value: lostIn(own), limit: 0 }
}
