import { short } from '../numbers.mjs'
import { printAims, printTable } from '../report.mjs'

/** Milliseconds of script of one thing that somebody does, also in a form of 2,000 fields. */
const MAX_SCRIPT = 150
const MAX_VISIBLE = 2000
const ACTIONS = {
  open: 'opening',
  key: 'a key in a label',
  choose: 'choosing a field',
  add: 'adding a field',
  drop: 'a drop',
  undo: 'undo',
  redo: 'redo',
  removal: 'removing a field',
}
/** Four times the fields: sixteen would be their square. */
const MAX_GROWTH = 10

/** Prints what an administrator's work takes, and what is aimed at. */
export function report(results, { fields, staff: count }) {
  const { plain, visible, texts, staff, ...others } = results
  const actions = Object.entries(ACTIONS).map(([name, words]) => [words, others[name]])
  printTable(
    `Constructor with ${fields} fields: milliseconds of script`,
    ['', 'ms', 'to the plain form'],
    [
      ['the plain form, one label changed', short(plain), '1.00'],
      ...actions.map(([words, ms]) => [words, short(ms), short(ms / plain)]),
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
      words: 'script of opening and of each action',
      value: Math.max(...actions.map(([, ms]) => ms)),
      limit: MAX_SCRIPT,
      side: 'below',
      unit: ' ms',
    },
    {
      words: 'publication until an open form tells of it',
      value: visible,
      limit: MAX_VISIBLE,
      side: 'below',
      unit: ' ms',
    },
    {
      words: 'growth of what is said of a form, at four times the fields',
      value: Math.max(...Object.values(texts)),
      limit: MAX_GROWTH,
      side: 'below',
      unit: ' times',
    },
  ])
}
