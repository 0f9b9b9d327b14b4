import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { relativeDay } from '../../src/contract/relativeDay.ts'
import { dueWords } from '../../src/engine/cells/DueCell.tsx'
import { type Database, openDatabase } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { today } from '../../src/server/core/today.ts'
import { type JobContext, runDueJobs, runJobs } from '../../src/server/ops/jobs/runJobs.ts'
import { startTestServer, type TestContext } from './context.ts'
import { createCase } from './newCase.ts'

const settings = readSettings({})
/** The nights in which the clocks of Europe/London change, with the day before and the day after. */
const NIGHTS = [
  { words: 'forward', days: ['2027-03-27', '2027-03-28', '2027-03-29'] },
  { words: 'back', days: ['2026-10-24', '2026-10-25', '2026-10-26'] },
]
/** Moments about the midnights of those nights, with the day that it is in London. */
const MOMENTS = [
  ['2027-03-27T23:59:59Z', '2027-03-27'],
  ['2027-03-28T00:00:00Z', '2027-03-28'],
  ['2027-03-28T00:59:59Z', '2027-03-28'],
  ['2027-03-28T01:00:00Z', '2027-03-28'],
  ['2027-03-28T22:59:59Z', '2027-03-28'],
  ['2027-03-28T23:00:00Z', '2027-03-29'],
  ['2026-10-24T22:59:59Z', '2026-10-24'],
  ['2026-10-24T23:00:00Z', '2026-10-25'],
  ['2026-10-25T00:59:59Z', '2026-10-25'],
  ['2026-10-25T01:00:00Z', '2026-10-25'],
  ['2026-10-25T23:59:59Z', '2026-10-25'],
  ['2026-10-26T00:00:00Z', '2026-10-26'],
]

let context: TestContext
/** Two servers' pools whose database says that it is the time of `setClock`. */
let pools: Database[] = []
beforeAll(async () => {
  context = await startTestServer()
  const name = new URL(context.databaseUrl).pathname.slice(1)
  for (const text of [
    'create schema clock',
    'create table clock.moment (at timestamptz)',
    'insert into clock.moment values (now())',
    `create function clock.now() returns timestamptz stable language sql as 'select at from clock.moment'`,
    // Before the catalogue's own, which is otherwise found first.
    `alter database ${name} set search_path = clock, pg_catalog, public`,
  ])
    await sql.raw(text).execute(context.db)
  await sql`update migration set applied_at = '2000-01-01'`.execute(context.db)
  pools = [openDatabase(context.databaseUrl), openDatabase(context.databaseUrl)]
})
afterAll(async () => {
  for (const { close } of pools) await close()
  await context?.end()
})

const setClock = (moment: Date) => sql`update clock.moment set at = ${moment}`.execute(context.db)

it.each(MOMENTS)('at %s it is %s, for the server and the database', async (moment, day) => {
  const { rows } = await sql<{ day: string }>`select ${moment}::timestamptz::date as day`.execute(context.db)
  expect([today(settings.TIME_ZONE, new Date(moment)), rows[0].day]).toEqual([day, day])
})

describe.each(NIGHTS)('in the night in which the clocks go $words', ({ days }) => {
  it('each job is done once an hour by one of the servers, and as often as hours pass', async () => {
    const done: string[] = []
    const log = { warn: () => undefined } as unknown as JobContext['log']
    const ending = new AbortController().signal
    const evening = Date.parse(`${days[0]}T20:20:00Z`)
    await sql`delete from jobs`.execute(context.db)
    for (let hour = 0; hour < 8; hour++) {
      const moment = new Date(evening + hour * 3_600_000)
      await setClock(moment)
      const job = { 'summer time': async () => done.push(moment.toISOString()) }
      for (const { db } of pools)
        await (hour === 0 ? runJobs : runDueJobs)(
          { contract: context.contract, db, settings, log, ending },
          job,
        )
    }
    const hours = Array.from({ length: 8 }, (_, hour) => new Date(evening + hour * 3_600_000).toISOString())
    expect(done).toEqual(hours)
  })

  it('a report by day has each day once, with what was done on it', async () => {
    const advocate = await context.as('advocate')
    const { issue, id } = await createCase(advocate)
    for (const [i, day] of days.entries())
      await sql`insert into actions (issue, "case", type, done_on, time_taken, created_by)
        values (${issue}, ${id}, 1, ${day}, ${(i + 1) * 600}, ${advocate.id})`.execute(context.db)
    const { status, body } = await advocate('reports.ownTime', {
      query: { start: days[0], end: days[2], order_by: 'date' },
    })
    expect([status, body.data.map(({ date }: { date: string }) => date)]).toEqual([200, days])
    expect(body.data.map((row: Record<string, unknown>) => Object.values(row).includes(600))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('what is due is due on its day, and a day later is the next one', () => {
    const [before, night, after] = days
    expect([relativeDay('+1d', before), relativeDay('+1d', night), relativeDay('-1d', after)]).toEqual([
      night,
      after,
      night,
    ])
    expect([
      dueWords(night, before).words,
      dueWords(after, night).words,
      dueWords(night, after).words,
    ]).toEqual(['Tomorrow', 'Tomorrow', '1 day overdue'])
  })
})
