import { short } from '../numbers.mjs'
import { printAims, printTable } from '../report.mjs'

const CHECK_S = 30
const ADD_S = 180
const SLOWER = 2
const PEAK_MB = 250
const LATER_MB = 50

/** Prints the tables of a run and what is aimed at. */
export function report({ clients, rows, columns, counted, seconds, others, memory }) {
  printTable(
    `An upload of ${rows} rows of ${columns} columns on ${clients} clients: ${counted.added} added, ${counted.wrong} wrong`,
    ['', 'seconds'],
    Object.entries(seconds).map(([name, value]) => [name, short(value)]),
  )
  printTable(
    'Calls of other people',
    ['', 'rounds', 'p50 ms', 'a second'],
    Object.entries(others).map(([name, side]) => [name, side.rounds, short(side.p50), short(side.perSecond)]),
  )
  const slower = ({ p50 }) => p50 / others.alone.p50
  printAims([
    { words: 'check', value: seconds.check, limit: CHECK_S, unit: ' s' },
    { words: 'add', value: seconds.add, limit: ADD_S, unit: ' s' },
    { words: 'others while it is checked, p50 to that alone', value: slower(others.check), limit: SLOWER },
    { words: 'others while it is added, p50 to that alone', value: slower(others.add), limit: SLOWER },
    {
      words: 'memory at its peak, above the start',
      value: memory.peak - memory.before,
      limit: PEAK_MB,
      unit: ' MB',
    },
    {
      words: 'memory a minute later, above the start',
      value: memory.later - memory.before,
      limit: LATER_MB,
      unit: ' MB',
    },
  ])
}
