import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStale } from '../../../src/build/stale.mjs'
import { query } from '../calls/database.mjs'
import { prepare } from '../calls/prepare.mjs'
import { memoryOf } from '../calls/product.mjs'
import { fromSource } from '../fromSource.mjs'
import { save } from '../report.mjs'
import { callerOf, openStream, signInPeople } from './people.mjs'
import { quarterOf, report, slopeOf } from './report.mjs'

/** 100 people who make 300 calls on a day each, 24 times as fast: 30000 calls an hour. */
const PEOPLE = 100
const CALLS_A_DAY = 300
const HASTE = 24
const BETWEEN_CALLS = (24 * 3_600_000) / (PEOPLE * CALLS_A_DAY * HASTE)
/** Milliseconds from one look at memory and connections to the next. */
const LOOK = 60_000
/** People who find what they may do at once. */
const AT_ONCE = 8

/** Makes a day's calls, drawn by chance, for some minutes, and looks for what was written in the end. */
export async function run({ clients, minutes, database }) {
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const [{ loadContract }, { startDay }, { seeded }] = await Promise.all([
    fromSource('src/check/load.ts'),
    fromSource('tests/dayOfCalls.ts'),
    fromSource('src/server/ops/demo/random.ts'),
  ])
  const { contract } = loadContract(process.cwd())
  const { url, product } = await prepare(Number(clients), database)
  const { address, pid } = product
  const people = await signInPeople(url, address, PEOPLE)
  const days = []
  for (let i = 0; i < PEOPLE; i += AT_ONCE)
    days.push(
      ...(await Promise.all(
        people
          .slice(i, i + AT_ONCE)
          .map((headers, j) =>
            startDay(contract, callerOf(contract, address, headers), `soak ${i + j}`, seeded(i + j)),
          ),
      )),
    )
  const streams = await Promise.all(people.map((headers) => openStream(address, headers)))

  const milliseconds = Number(minutes) * 60_000
  console.log(
    `${PEOPLE} people make ${Math.round(milliseconds / BETWEEN_CALLS)} calls in ${minutes} minutes …`,
  )
  const began = performance.now()
  const at = () => performance.now() - began
  const looks = []
  const look = async () => {
    const [{ n }] = await query(
      url,
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    looks.push({ minute: at() / 60_000, memory: memoryOf(pid), connections: n })
  }
  const { made, waiting } = await press(days, seeded(0), { milliseconds, at, look })
  const longestWait = Math.max(...waiting)
  await look()
  for (const close of streams) await close()

  const rows = (sql) => query(url, sql)
  const lost = []
  for (const day of days) lost.push(...(await day.lost(rows)))
  const results = {
    clients: Number(clients),
    minutes: Number(minutes),
    calls: made.length,
    acknowledged: days.reduce((sum, day) => sum + day.acknowledged(), 0),
    lost,
    longest: made.reduce((one, other) => (other.ms > one.ms ? other : one)),
    /** Milliseconds that this program was late with a call at most. */
    late: longestWait,
    refused: countBy(
      made.filter(({ status }) => status !== 200 && status !== 201),
      ({ name, status, code }) => `${name} ${status} ${code ?? ''}`.trim(),
    ),
    quarters: [0, 1, 2, 3].map((quarter) => quarterOf(made, milliseconds, quarter)),
    looks,
    slope: slopeOf(looks),
  }
  report(results)
  save('soak', results)
}

/** Begins a call at every due moment, whether or not those before it are answered; answers them all, and how late each began. */
async function press(days, random, { milliseconds, at, look }) {
  const made = []
  const waiting = [0]
  const open = new Set()
  let nextLook = 0
  for (let due = 0; due < milliseconds; due += BETWEEN_CALLS) {
    if (due >= nextLook) {
      nextLook += LOOK
      await look()
    }
    if (at() < due) await sleep(due - at())
    waiting.push(at() - due)
    const call = random
      .pick(days)
      .next()
      .then((one) => {
        made.push({ ...one, at: due })
        open.delete(call)
      })
    open.add(call)
  }
  await Promise.all(open)
  return { made, waiting }
}

function countBy(list, nameOf) {
  const counts = {}
  for (const one of list) counts[nameOf(one)] = (counts[nameOf(one)] ?? 0) + 1
  return counts
}
