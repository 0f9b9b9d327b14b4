import { short } from '../numbers.mjs'
import { printAims, printTable } from '../report.mjs'

const MOST_VISIBLE = 2000

/** Prints what an administrator's work takes, and what is aimed at. */
export function report({ plain, key, drop, visible, staff }, { fields, staff: count }) {
  printTable(
    `Constructor with ${fields} fields: milliseconds of script`,
    ['', 'ms', 'to the plain form'],
    [
      ['the plain form, one label changed', short(plain), '1.00'],
      ['a key in a label', short(key), short(key / plain)],
      ['a drop', short(drop), short(drop / plain)],
    ],
  )
  printTable(
    `Staff list of ${count} people: milliseconds`,
    ['', 'median'],
    Object.entries(staff).map(([name, ms]) => [name, short(ms)]),
  )
  printAims([
    {
      words: 'publication until an open form tells of it',
      value: visible,
      limit: MOST_VISIBLE,
      side: 'below',
      unit: ' ms',
    },
  ])
}
