import { median, short } from '../numbers.mjs'
import { printAims, printTable } from '../report.mjs'

const MIN_RATIO = 0.7
const MAX_GROWTH = 1.5

/** Prints the tables of a run and what is aimed at. */
export function report(compared) {
  const measured = Object.entries(compared)
  for (const [i, { actions }] of measured[0][1].entries()) {
    printTable(
      `Casework with ${actions} actions, median ms of a go (bare Fastify, and SQL alone in one process, = 1.0)`,
      ['', 'ours ms', 'bare ms', 'SQL ms', 'to bare', 'least', 'to SQL'],
      measured.map(([name, found]) => {
        const { ms, toBare, toSql } = found[i]
        const numbers = [ms.ours, ms.bare, ms.sql, median(toBare), Math.min(...toBare), median(toSql)]
        return [name, ...numbers.map(short)]
      }),
    )
  }
  const [few, many] = measured[0][1].map(({ actions }) => actions)
  printTable(
    `Growth from ${few} to ${many} actions (time with many / time with few)`,
    ['', 'ours', 'bare', 'SQL'],
    measured.map(([name, found]) => {
      const { ours, bare, sql } = found.at(-1).growth
      return [name, ...[ours, bare, sql].map(short)]
    }),
  )
  printAims([
    ...measured.flatMap(([name, found]) =>
      found.map(({ actions, toBare }) => ({
        words: `${name}, ${actions} actions, to bare`,
        value: median(toBare),
        limit: MIN_RATIO,
        side: 'above',
      })),
    ),
    ...measured.map(([name, found]) => ({
      words: `${name}, growth`,
      value: found.at(-1).growth.ours,
      limit: MAX_GROWTH,
    })),
  ])
}
