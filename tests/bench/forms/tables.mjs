import { median, short } from '../numbers.mjs'
import { printTable } from '../report.mjs'
import { ENGINES, YARDSTICK } from './engines.mjs'
import { lostIn, measuresOf, ratio, runsOf } from './measures.mjs'

/** Medians with their ratios to the form by hand, and below them the least of ours and of the form by hand. */
export function printForms(runs, size) {
  const engines = Object.keys(ENGINES).filter((engine) => runsOf(runs, engine, size).length > 0)
  const measures = measuresOf(runs)
  printTable(
    `${size} fields: milliseconds (ratio to the form by hand)`,
    ['', ...Object.keys(measures), 'lost keys'],
    [
      ...engines.map((engine) => medians(runs, engine, size, measures)),
      ...['ours', YARDSTICK].map((engine) => leasts(runs, engine, size, measures)),
    ],
  )
}

function medians(runs, engine, size, measures) {
  const own = runsOf(runs, engine, size)
  const cells = Object.values(measures).map((of) => cell(median(own.map(of)), ratio(runs, engine, size, of)))
  return [engine, ...cells, lostIn(own)]
}

function leasts(runs, engine, size, measures) {
  const least = (name, of) => Math.min(...runsOf(runs, name, size).map(of))
  const cells = Object.values(measures).map((of) =>
    cell(least(engine, of), least(engine, of) / least(YARDSTICK, of)),
  )
  return [`${engine}, least`, ...cells, '']
}

const cell = (milliseconds, toHand) => `${short(milliseconds)} (${short(toHand)})`
