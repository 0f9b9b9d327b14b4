import { median } from '../numbers.mjs'

const GOES = 25
const WARM_UP = 5

/**
 * Times a measure on every database and every side in turn, in short rounds, so that a busy moment of the machine meets
 * all. Answers the medians in ms by database and side, and by database the rounds' ratios.
 */
export async function compare(measure, databases, rounds) {
  const found = databases.map(() => ({ ours: [], bare: [], sql: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const [i, database] of inTurn(databases, round)) {
      for (const [side, send] of inTurn(database.sides, round))
        found[i][side].push(await timed(measure, database, send))
    }
  }
  return databases.map(({ actions }, i) => ({
    actions,
    ms: Object.fromEntries(Object.entries(found[i]).map(([side, times]) => [side, median(times)])),
    toBare: ratios(found[i].bare, found[i].ours),
    toSql: ratios(found[i].sql, found[i].ours),
    growth: Object.fromEntries(
      Object.entries(found[i]).map(([side, times]) => [side, median(ratios(times, found[0][side]))]),
    ),
    rounds: found[i],
  }))
}

/** The middle of the milliseconds that one go takes. */
async function timed(measure, database, send) {
  const times = []
  for (let go = 0; go < WARM_UP + GOES; go++) {
    const requests = measure(database)
    const began = performance.now()
    for (const request of requests) await send(request)
    times.push(performance.now() - began)
  }
  return median(times.slice(WARM_UP))
}

function inTurn(things, round) {
  const entries = Object.entries(things)
  return round % 2 ? entries.reverse() : entries
}

const ratios = (times, others) => times.map((time, i) => time / others[i])
