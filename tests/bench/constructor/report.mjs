import { short } from '../numbers.mjs'
import { printAims, printTable } from '../report.mjs'

/** Milliseconds of script of one thing that somebody does. */
const MOST_SCRIPT = 100
const MOST_VISIBLE = 2000
/** Four times the fields: sixteen would be their square. */
const MOST_GROWTH = 10

/** Prints what an administrator's work takes, and what is aimed at. */
export function report({ plain, key, drop, choose, undo, visible, texts, staff }, { fields, staff: count }) {
  printTable(
    `Constructor with ${fields} fields: milliseconds of script`,
    ['', 'ms', 'to the plain form'],
    [
      ['the plain form, one label changed', short(plain), '1.00'],
      ['a key in a label', short(key), short(key / plain)],
      ['a drop', short(drop), short(drop / plain)],
      ['choosing a field', short(choose), short(choose / plain)],
      ['undo', short(undo), short(undo / plain)],
    ],
  )
  printTable(
    'What is said of a form: growth from 125 to 500 fields',
    ['', 'times'],
    Object.entries(texts).map(([name, times]) => [name, short(times)]),
  )
  printTable(
    `Staff list of ${count} people: milliseconds`,
    ['', 'median'],
    Object.entries(staff).map(([name, ms]) => [name, short(ms)]),
  )
  printAims([
    {
      words: 'script of a key, a drop, choosing a field and undo, each',
      value: Math.max(key, drop, choose, undo),
      limit: MOST_SCRIPT,
      side: 'below',
      unit: ' ms',
    },
    {
      words: 'publication until an open form tells of it',
      value: visible,
      limit: MOST_VISIBLE,
      side: 'below',
      unit: ' ms',
    },
    {
      words: 'growth of what is said of a form, at four times the fields',
      value: Math.max(...Object.values(texts)),
      limit: MOST_GROWTH,
      side: 'below',
      unit: ' times',
    },
  ])
}
