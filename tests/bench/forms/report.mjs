import { median } from '../numbers.mjs'
import { printAims } from '../report.mjs'
import { lostIn, MEASURES, measuresOf, ratio, runsOf } from './measures.mjs'
import { printForms } from './tables.mjs'

const LIMIT = 1.5
const LIMITS = {
  key: 1.3,
  'key in a summed number': 3,
  'leaving a field': 3,
  'toggle to shown': LIMIT,
  submit: LIMIT,
  'submit to messages': LIMIT,
  interactive: LIMIT,
}
const OURS = 'ours'

/** Prints a table for each size, and what is aimed at. */
export function report(runs, sizes) {
  for (const size of sizes) printForms(runs, size)
  printAims([...ratios(runs, sizes), ...flatness(runs, sizes), lost(runs)])
}

const ratios = (runs, sizes) =>
  Object.entries(measuresOf(runs)).flatMap(([name, of]) =>
    sizes.map((size) => ({
      words: `${name}, ${size} fields`,
      value: ratio(runs, OURS, size, of),
      limit: LIMITS[name],
    })),
  )

/** A key costs the same in the largest form as in the smallest. */
function flatness(runs, sizes) {
  if (sizes.length < 2) return []
  const key = (size) => median(runsOf(runs, OURS, size).map(MEASURES.key))
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)]
  return [
    {
      words: `key, ${largest} fields to ${smallest}`,
      value: key(largest) / key(smallest),
      limit: LIMIT,
    },
  ]
}

function lost(runs) {
  const own = runs.filter(({ engine }) => engine === OURS)
  return { words: 'lost keys', value: lostIn(own), limit: 0 }
}
