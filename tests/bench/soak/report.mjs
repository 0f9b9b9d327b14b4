import { short } from '../numbers.mjs'
import { printAims, printTable } from '../report.mjs'

const MAX_MS = 10_000
const SLOPE_MB = 20
/** Minutes from which a slope tells more than the noise of a few looks. */
const LONG_ENOUGH = 30

/** Prints the tables of a run and what is aimed at. */
export function report({
  minutes,
  calls,
  acknowledged,
  lost,
  longest,
  late,
  refused,
  quarters,
  looks,
  slope,
}) {
  printTable(
    `${calls} calls in ${minutes} minutes, ${acknowledged} writes acknowledged`,
    ['quarter', 'calls', 'p50 ms', 'p99 ms', 'longest ms'],
    quarters.map((one, i) => [i + 1, one.calls, short(one.p50), short(one.p99), short(one.longest)]),
  )
  printTable(
    'The server, minute by minute',
    ['minute', 'memory MB', 'connections'],
    looks.map(({ minute, memory, connections }) => [minute.toFixed(1), short(memory), connections]),
  )
  printTable(
    'Refused',
    ['', 'calls'],
    Object.entries(refused).map(([name, count]) => [name, count]),
  )
  console.log(`\nMemory over the last two thirds: ${short(slope)} MB an hour`)
  console.log(`The longest call was ${longest.name}; a call began ${short(late)} ms late at most.`)
  for (const one of lost) console.log(`Lost: ${one}`)
  printAims([
    { words: 'acknowledged writes lost', value: lost.length, limit: 0 },
    { words: 'calls refused', value: Object.values(refused).reduce((sum, n) => sum + n, 0), limit: 0 },
    { words: 'the longest call', value: longest.ms, limit: MAX_MS, unit: ' ms' },
    ...(minutes < LONG_ENOUGH
      ? []
      : [{ words: 'memory over the last two thirds', value: slope, limit: SLOPE_MB, unit: ' MB an hour' }]),
  ])
}

/** How long the calls took that began in a quarter of the run. */
export function quarterOf(made, milliseconds, quarter) {
  const times = made
    .filter(({ at }) => Math.floor((at / milliseconds) * 4) === quarter)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  const of = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return { calls: times.length, p50: of(0.5), p99: of(0.99), longest: times.at(-1) ?? Number.NaN }
}

/** MB an hour by which memory grows over the last two thirds of the looks, by least squares. */
export function slopeOf(looks) {
  const last = looks.slice(Math.floor(looks.length / 3))
  const mean = (of) => last.reduce((sum, one) => sum + of(one), 0) / last.length
  const [minute, memory] = [mean((one) => one.minute), mean((one) => one.memory)]
  const spread = last.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0)
  if (spread === 0) return 0
  return (60 * last.reduce((sum, one) => sum + (one.minute - minute) * (one.memory - memory), 0)) / spread
}
