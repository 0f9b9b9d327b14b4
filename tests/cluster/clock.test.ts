import { afterEach, beforeEach, expect, it } from 'vitest'
import { SETTINGS } from '../../src/server/core/settingsSchema.ts'
import { type Caller, signIn } from '../server/context.ts'
import { newCase } from '../server/newCase.ts'
import { type Clock, FAKETIME, startClock } from './clock.ts'
import { type ClusterContext, startCluster } from './context.ts'
import { until } from './postgres.ts'
import { contract, PASSWORD, printFigures } from './servers.ts'
import { expectNothingLost, startReaders, startWriters, writeTask } from './writers.ts'

const HOUR = 3600
/** How many are acknowledged between two jumps. */
const WRITES = 50
const IDLE = SETTINGS.IDLE_SECONDS.default
const NEEDED = "needs Debian's package libfaketime"

let clock: Clock
let context: ClusterContext | undefined
beforeEach(() => {
  clock = startClock()
})
afterEach(async () => {
  await context?.end()
  context = undefined
  clock.remove()
})
const itWithClock = it.skipIf(!FAKETIME)

const signInAt = ({ products }: ClusterContext, server = 0) =>
  signIn(contract, products[server].address, 'advocate', PASSWORD)

itWithClock(`nobody is signed out or refused when the clock of the servers jumps (${NEEDED})`, async () => {
  context = await startCluster({ env: clock.env })
  const { advocates, memory, primary } = context
  const before = memory()
  const writers = startWriters(advocates)
  const readers = startReaders(advocates, 'auth.me')
  for (const seconds of [HOUR, 0, -HOUR, 0, 24 * HOUR, 0]) {
    await writers.write(WRITES)
    clock.shift(seconds)
  }
  await writers.write(WRITES)
  await signInAt(context)
  const [written, read] = await Promise.all([writers.stop(), readers.stop()])
  const words = 'clock of the servers an hour and a day ahead, an hour back'
  await expectNothingLost(primary.url('advocacy'), words, {
    written,
    read,
    figures: {
      'memory before (MB)': before,
      'memory after (MB)': memory(),
    },
  })
  expect([written.refusals, read.refusals]).toEqual([{}, {}])
})

itWithClock(
  `a jump of the database's clock ends no session but by the time it skips, and loses no task (${NEEDED})`,
  async () => {
    context = await startCluster({ databaseEnv: clock.env })
    const { query } = context
    const isIn = async (of: Caller) => (await of('auth.me')).status
    const person = await signInAt(context)
    const asleep = await signInAt(context, 1)
    const statuses: Record<string, number> = {}
    const jump = async (words: string, seconds: number, who = person) => {
      clock.shift(seconds)
      statuses[words] = await isIn(who)
    }
    expect((await writeTask(person, 'written by night, number 1')).status).toBe(201)
    await jump('back an hour', -HOUR)
    await jump('and ahead again', 0)
    // What was used a moment ago may be idle for as long as the service says, by whatever clock.
    await jump('ahead by less than a session may idle', IDLE - 60)
    await jump('back again', 0)
    await jump('ahead an hour', HOUR)
    const again = await signInAt(context)
    expect((await writeTask(again, 'written by night, number 2')).status).toBe(201)
    await jump('back again after signing in', 0, again)
    // It was signed in before all of this, and by the right clock a moment ago.
    statuses['who did nothing meanwhile'] = await isIn(asleep)
    printFigures("clock of the database: statuses of a person's calls", statuses)
    expect(statuses).toEqual({
      'back an hour': 200,
      'and ahead again': 200,
      'ahead by less than a session may idle': 200,
      'back again': 200,
      'ahead an hour': 401,
      'back again after signing in': 200,
      'who did nothing meanwhile': 200,
    })
    const tasks = await query(`select title from tasks where title like 'written by night%'`)
    expect(tasks).toHaveLength(2)
  },
)

/** The nights in which the clocks of Europe/London change: the moment of the change, and the end of that day there. */
const NIGHTS = [
  ['forward', '2027-03-28', '2027-03-28T01:00:00Z', '2027-03-28T23:00:00Z', '2027-03-29'],
  ['back', '2026-10-25', '2026-10-25T01:00:00Z', '2026-10-26T00:00:00Z', '2026-10-26'],
] as const

itWithClock.each(NIGHTS)(
  `work goes on while the clocks go %s, and days end at midnight in London (${NEEDED})`,
  async (words, day, change, midnight, next) => {
    const before = (moment: string, seconds: number) =>
      new Date(Date.parse(moment) - seconds * 1000).toISOString()
    clock.set(before(change, 60))
    context = await startCluster({ env: clock.env, databaseEnv: clock.env })
    const { primary, memory, query } = context
    clock.set(before(change, 5))
    const people = [await signInAt(context), await signInAt(context, 1)]
    const early = memory()
    const writers = startWriters(people)
    const readers = startReaders(people, 'worklist.list')
    await until(async () => {
      const [{ hasChanged }] = await query(`select now() > '${change}' as "hasChanged"`)
      return hasChanged === true
    })
    await writers.write(WRITES)
    const [written, read] = await Promise.all([writers.stop(), readers.stop()])

    clock.set(before(midnight, 20))
    const person = await signInAt(context)
    const { body: task } = await person('tasks.create', { body: { title: 'Ring', due: day } })
    /** The start that a new issue gets by itself, and the group in which the task is. */
    const seen = async () => {
      const body = await newCase(person)
      const { start_date: _, ...issue } = body.issue as Record<string, unknown>
      const made = await person('cases.create', { body: { ...body, issue } })
      const { data } = (await person('worklist.list', { query: { page_size: 500 } })).body
      return [
        (await person('issues.read', { params: { id: made.body.issue } })).body.start_date,
        data.find(({ id }: { id: number }) => id === -task.id).due_group,
      ]
    }
    const evening = await seen()
    await until(async () => (await seen())[0] === next, 60)
    const morning = await seen()
    await expectNothingLost(primary.url('advocacy'), `clocks go ${words}`, {
      written,
      read,
      figures: {
        'before midnight': evening,
        'after midnight': morning,
        'memory before (MB)': early,
        'memory after (MB)': memory(),
      },
    })
    // libfaketime lets a process of PostgreSQL see the machine's own time now and then, and a jump ends its connection.
    const refusals = [...Object.keys(written.refusals), ...Object.keys(read.refusals)]
    expect(refusals.filter((refusal) => refusal !== '503 unavailable')).toEqual([])
    expect([evening, morning]).toEqual([
      [day, 'today'],
      [next, 'overdue'],
    ])
  },
)
