import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { productVersion } from '../../src/server/core/productVersion.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { today } from '../../src/server/core/today.ts'
import { switchLeave } from '../../src/server/features/staff/switchLeave.ts'
import { JOBS } from '../../src/server/ops/jobs/jobs.ts'
import { type JobContext, runDueJobs, runJobs, startJobs } from '../../src/server/ops/jobs/runJobs.ts'
import { type Caller, describeServer, signIn } from './context.ts'
import { createCase } from './newCase.ts'
import { upload } from './upload.ts'

const settings = readSettings({ ACCESS_LOG_DAYS: '100', SLOW_QUERY_MS: '60000' })
const DAY = 86_400_000

const context = describeServer()
let jobs: JobContext
let admin: Caller
const logged: unknown[] = []
beforeAll(async () => {
  const log = { warn: (...said: unknown[]) => logged.push(said) } as unknown as JobContext['log']
  jobs = { contract: context.contract, db: context.db, settings, log, ending: new AbortController().signal }
  admin = await context.as('admin')
})

describe('the jobs', () => {
  beforeEach(() => {
    logged.length = 0
  })

  it('are done each by itself: of one that fails the name and the code are logged, and no more', async () => {
    const done: string[] = []
    await runJobs(jobs, {
      first: async () => done.push('first'),
      second: ({ db }) => sql`select 'a secret' from nowhere`.execute(db),
      third: async () => done.push('third'),
    })
    expect(done).toEqual(['first', 'third'])
    expect(logged).toEqual([[{ job: 'second', code: '42P01' }, 'a job failed']])
  })

  it('are all done at a start, and none after a stop', async () => {
    const pendingWork = new Set<Promise<void>>()
    const old = () =>
      sql`insert into idempotency (staff, key, body_hash, at) values (1, 'old', '', now() - interval '2 days')`.execute(
        context.db,
      )
    const isThere = async () =>
      (await sql`select 1 from idempotency where key = 'old'`.execute(context.db)).rows
    await old()
    const ending = new AbortController()
    startJobs({ ...jobs, ending: ending.signal, pendingWork } as unknown as FastifyInstance, {
      contract: context.contract,
      settings,
      jobs: JOBS,
      delayMs: 0,
    })
    await Promise.all(pendingWork)
    ending.abort()
    expect([await isThere(), logged]).toEqual([[], []])
    await expect.poll(() => pendingWork.size).toBe(0)
    await old()
    await runJobs({ ...jobs, ending: ending.signal }, JOBS)
    expect(await isThere()).toHaveLength(1)
  })

  it('are done each hour by one of several servers', async () => {
    let count = 0
    const counted = { counted: async () => count++ }
    await runJobs(jobs, counted)
    count = 0
    await Promise.all(Array.from({ length: 5 }, () => runDueJobs(jobs, counted)))
    expect(count).toBe(0)
    await sql`update jobs set run_at = run_at - interval '1 hour' where name = 'counted'`.execute(context.db)
    await Promise.all(Array.from({ length: 5 }, () => runDueJobs(jobs, counted)))
    expect(count).toBe(1)
  })

  describe('at the start of a server', () => {
    const name = 'turn'
    let count = 0
    const counted = { [name]: async () => count++ }
    beforeEach(async () => {
      count = 0
      await sql`delete from jobs where name = ${name}`.execute(context.db)
      await sql`update migration set applied_at = now() - interval '1 day'`.execute(context.db)
    })
    /** A job as another server has left it: it began minutes ago and, without an outcome, has a lease for some seconds. */
    const left = (run: object) =>
      sql`insert into jobs (name, started_at, run_at, last_ok, release, attempts, leased_until, worker)
        select ${name}, started_at, case ok when true then started_at + interval '1 hour'
            when false then now() + interval '30 seconds' else started_at end,
          case when ok then started_at end, release, case when not ok then 1 else 0 end,
          case when ok is null then now() + make_interval(secs => leased) end, gen_random_uuid()
        from (select now() - make_interval(mins => minutes) as started_at, ok, leased, release
          from jsonb_to_record(${JSON.stringify({ minutes: 0, leased: 30, release: productVersion(), ...run })}::jsonb)
          r(minutes int, ok boolean, leased int, release text)) r`.execute(context.db)

    it('are done by one of several servers that start at once', async () => {
      await Promise.all(Array.from({ length: 5 }, () => runJobs(jobs, counted)))
      expect(count).toBe(1)
    })

    it.each([
      ['was done a moment ago', { ok: true }, 0],
      ['was done in the hour before', { ok: true, minutes: 59 }, 0],
      ['was done longer ago', { ok: true, minutes: 61 }, 1],
      ['was done by another release', { ok: true, release: '0.1.9' }, 1],
      ['was done by a release that noted none', { ok: true, release: null }, 1],
      ['failed', { ok: false }, 1],
      ['was cut off with its server', { leased: -1 }, 1],
      ['was cut off an hour ago', { leased: -3600, minutes: 60 }, 1],
    ])('a job that %s is done so many times: %j', async (_, run, times) => {
      await left(run)
      await runJobs(jobs, counted)
      expect(count).toBe(times)
    })

    it('a job is done anew after a migration', async () => {
      await left({ ok: true })
      const { rows } = await sql<{ name: string; at: Date }>`select name, applied_at as at from migration
        order by name desc limit 1`.execute(context.db)
      await sql`update migration set applied_at = now() + interval '1 second' where name = ${rows[0].name}`.execute(
        context.db,
      )
      await runJobs(jobs, counted)
      await sql`update migration set applied_at = ${rows[0].at} where name = ${rows[0].name}`.execute(
        context.db,
      )
      expect(count).toBe(1)
    })

    it('a job that another server is running is left to it, and done once that is killed', async () => {
      await left({ minutes: 20 })
      const order: string[] = []
      const both = { [name]: async () => order.push('turn'), other: async () => order.push('other') }
      await runJobs(jobs, both)
      await runDueJobs(jobs, both)
      expect(order).toEqual(['other'])
      await sql`update jobs set leased_until = now() - interval '1 second' where name = ${name}`.execute(
        context.db,
      )
      await runDueJobs(jobs, both)
      expect(order).toEqual(['other', 'turn'])
    })

    it('what a killed server left is continued, even if the job was done a moment ago', async () => {
      const heal = { 'index answers': async () => count++ }
      await runJobs(jobs, heal)
      await runJobs(jobs, heal)
      expect(count).toBe(2)
    })
  })

  it('are noted with their outcome, for a month', async () => {
    await runJobs(jobs, {
      good: async () => undefined,
      bad: ({ db }) => sql`select 'a secret' from nowhere`.execute(db),
    })
    const runs = async () =>
      (
        await sql`select name, ok, error_code, ended_at >= started_at as ended from job_runs
          where name in ('good', 'bad') order by id`.execute(context.db)
      ).rows
    expect(await runs()).toEqual([
      { name: 'good', ok: true, error_code: null, ended: true },
      { name: 'bad', ok: false, error_code: '42P01', ended: true },
    ])
    await sql`update job_runs set started_at = now() - interval '31 days' where name = 'good'`.execute(
      context.db,
    )
    await JOBS['forget job runs'](jobs)
    expect(await runs()).toEqual([expect.objectContaining({ name: 'bad' })])
  })

  describe('that fail', () => {
    const name = 'failing'
    const fail = { [name]: () => Promise.reject(Object.assign(new Error('a secret'), { code: '42P01' })) }
    const stateOf = async () => {
      const { rows } = await sql`select attempts, last_error,
          round(extract(epoch from run_at - now()) / 30)::int * 30 as seconds
        from jobs where name = ${name}`.execute(context.db)
      return rows[0]
    }
    const due = () => sql`update jobs set run_at = now() where name = ${name}`.execute(context.db)
    beforeEach(() => sql`delete from jobs where name = ${name}`.execute(context.db))

    it('are tried again after longer and longer, at most an hour', async () => {
      const waits: number[] = []
      for (let attempt = 1; attempt <= 9; attempt++) {
        if (attempt > 1) await due()
        await (attempt === 1 ? runJobs(jobs, fail) : runDueJobs(jobs, fail))
        await runDueJobs(jobs, fail)
        const state = (await stateOf()) as { attempts: number; last_error: string; seconds: number }
        expect(state).toMatchObject({ attempts: attempt, last_error: '42P01' })
        waits.push(state.seconds)
      }
      expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
    })

    it('show their last error on Health until they succeed', async () => {
      const seen = async () => {
        const { data } = (await admin('health.jobs')).body
        const row = data.find((job: { name: string }) => job.name === name)
        return [row.outcome, row.error_code, row.next_at !== null]
      }
      await runJobs(jobs, fail)
      expect(await seen()).toEqual(['Failed', '42P01', true])
      await due()
      let during: unknown
      await runDueJobs(jobs, {
        [name]: async () => {
          during = await seen()
        },
      })
      expect(during).toEqual(['Under way', '42P01', false])
      expect(await seen()).toEqual(['Done', null, true])
      expect(await stateOf()).toEqual({ attempts: 0, last_error: null, seconds: 3600 })
    })

    it('are tried at once by a server that starts', async () => {
      let count = 0
      await runJobs(jobs, fail)
      await runJobs(jobs, { [name]: async () => count++ })
      expect(count).toBe(1)
    })
  })

  it('look through no records by the clock when nothing was published since', async () => {
    const { id } = await createCase(admin)
    const name = 'revalidate records'
    const outdated = () => sql`update cases set validated_version = 0 where id = ${id}`.execute(context.db)
    const isOutdated = async () =>
      (await sql`select 1 from cases where id = ${id} and validated_version = 0`.execute(context.db)).rows
        .length
    /** As if the last hour were over, and all before it some hours ago. */
    const later = async () => {
      await sql`update jobs set run_at = now()`.execute(context.db)
      await sql`update case_type_versions set at = at - interval '3 hours'`.execute(context.db)
    }
    const hourly = () => runDueJobs(jobs, { [name]: JOBS[name] })
    await sql`update jobs set last_ok = null, run_at = now() where name = ${name}`.execute(context.db)
    await outdated()
    await hourly()
    expect(await isOutdated()).toBe(0)
    await later()
    await outdated()
    await hourly()
    expect(await isOutdated()).toBe(1)
    await later()
    await sql`update case_type_versions set at = now()`.execute(context.db)
    await hourly()
    expect(await isOutdated()).toBe(0)
    await later()
    await outdated()
    await runJobs(jobs, { [name]: JOBS[name] })
    expect(await isOutdated()).toBe(1)
    // After an upgrade all work is checked again.
    await sql`update jobs set release = '0.1.9'`.execute(context.db)
    await runJobs(jobs, { [name]: JOBS[name] })
    expect(await isOutdated()).toBe(0)
  })

  it('are safe on several servers at once', async () => {
    await sql`delete from jobs`.execute(context.db)
    await Promise.all(Array.from({ length: 5 }, () => runJobs(jobs, JOBS)))
    expect(logged).toEqual([])
  })
})

describe('leave', () => {
  const now = new Date()
  /** The day so many days from now. */
  const dayOf = (days: number) => today(settings.TIME_ZONE, new Date(now.getTime() + days * DAY))
  const run = (days = 0, zone: object = {}) =>
    switchLeave({ ...jobs, settings: { ...settings, ...zone } }, new Date(now.getTime() + days * DAY))
  const edit = async (body: object) => {
    const { status } = await admin('staff.edit', { params: { id: person.id }, body })
    expect(status).toBe(200)
  }
  const turn = (status: number) => person('auth.switchStatus', { body: { status } })
  const statusNow = async () =>
    (await admin('staff.read', { params: { id: person.id } })).body.status as number
  let person: Caller
  beforeEach(async () => {
    person = await context.as('volunteer')
    await sql`update staff set status = 1, leave_from = null, leave_to = null where id = ${person.id}`.execute(
      context.db,
    )
    await sql`update staff set switched_at = null`.execute(context.db)
  })

  it('begins on its first day and is over after its last, as the open session sees at its next read', async () => {
    await edit({ leave_from: dayOf(1), leave_to: dayOf(3) })
    const seen: number[] = []
    for (const day of [0, 1, 3, 4]) {
      await run(day)
      seen.push((await person('auth.me')).body.status)
    }
    expect(seen).toEqual([1, 4, 4, 1])
  })

  it('that has begun already counts as soon as it is saved, and so does an end that is over', async () => {
    await edit({ leave_from: dayOf(-1), leave_to: dayOf(2) })
    expect(await statusNow()).toBe(4)
    await edit({ leave_to: dayOf(-1) })
    expect(await statusNow()).toBe(1)
  })

  it('is audited as done by the system, once, however many servers there are', async () => {
    await edit({ leave_from: dayOf(1), leave_to: dayOf(1) })
    const read = async () => (await admin('staff.read', { params: { id: person.id } })).body
    const before = await read()
    await Promise.all(Array.from({ length: 5 }, () => run(1)))
    expect(await read()).toMatchObject({ status: 4, version: before.version + 1 })
    const [entry, earlier] = (await admin('staff.history', { params: { id: person.id } })).body.data
    expect(entry).toMatchObject({
      person: 'The system',
      title: 'Changed',
      changes: [{ label: 'Status', from: 'Active', to: 'On Leave' }],
    })
    expect(earlier.person).toBe('admin Example')
  })

  it('conflicts with a concurrent change, under the name of the system', async () => {
    await edit({ leave_from: dayOf(1) })
    const { version } = (await admin('staff.read', { params: { id: person.id } })).body
    await run(1)
    const conflict = await admin('staff.edit', { params: { id: person.id }, body: { version, status: 3 } })
    expect([conflict.status, conflict.body.fields.status.by]).toEqual([409, 'The system'])
  })

  it('whose end is not known begins, and is ended by hand', async () => {
    await edit({ leave_from: dayOf(0) })
    await run()
    await run(500)
    expect(await statusNow()).toBe(4)
  })

  it('is not begun again for a person who came back early', async () => {
    await edit({ leave_from: dayOf(-1), leave_to: dayOf(3) })
    await run()
    expect(await statusNow()).toBe(4)
    await turn(1)
    await run()
    await run(1)
    expect(await statusNow()).toBe(1)
  })

  it('is not begun again either where the person went and came back by hand before it was looked', async () => {
    await edit({ status: 4, leave_from: dayOf(0), leave_to: dayOf(3) })
    await turn(1)
    await run()
    expect(await statusNow()).toBe(1)
  })

  it('is not ended again for a person who was set on leave by hand after it', async () => {
    await edit({ leave_from: dayOf(-3), leave_to: dayOf(-1) })
    await turn(4)
    await run()
    await run(1)
    expect(await statusNow()).toBe(4)
  })

  it('that was begun early by hand is over after its last day all the same', async () => {
    await edit({ leave_from: dayOf(1), leave_to: dayOf(2) })
    await turn(4)
    await run(2)
    expect(await statusNow()).toBe(4)
    await run(3)
    expect(await statusNow()).toBe(1)
  })

  it('ends also for a person who was switched by hand on its last day', async () => {
    await edit({ leave_from: dayOf(0), leave_to: dayOf(0) })
    await turn(1)
    await turn(4)
    await run(1)
    expect(await statusNow()).toBe(1)
  })

  it('that is planned begins also for a person who was switched by hand before it', async () => {
    await edit({ leave_from: dayOf(1), leave_to: dayOf(2) })
    await turn(4)
    await turn(1)
    await run(1)
    expect(await statusNow()).toBe(4)
  })

  it('whose days an administrator says anew counts anew', async () => {
    await edit({ leave_from: dayOf(-3), leave_to: dayOf(0) })
    await run()
    await turn(1)
    await edit({ leave_to: dayOf(1) })
    await run()
    expect(await statusNow()).toBe(4)
  })

  it('that passed before anybody saved it changes nothing', async () => {
    await edit({ leave_from: dayOf(-3), leave_to: dayOf(-1) })
    await run()
    expect(await statusNow()).toBe(1)
  })

  it.each([2, 3])('leaves status %i alone', async (status) => {
    await edit({ leave_from: dayOf(0), leave_to: dayOf(1) })
    await sql`update staff set status = ${status} where id = ${person.id}`.execute(context.db)
    await run(1)
    await run(2)
    expect(await statusNow()).toBe(status)
  })

  it('begins where the service works', async () => {
    await edit({ leave_from: '2030-06-02', leave_to: '2030-06-09' })
    const at = (TIME_ZONE: string) =>
      switchLeave({ ...jobs, settings: { ...settings, TIME_ZONE } }, new Date('2030-06-01T11:30:00Z'))
    await at('Pacific/Pago_Pago')
    expect(await statusNow()).toBe(1)
    await at('Pacific/Kiritimati')
    expect(await statusNow()).toBe(4)
  })
})

describe('the log of sign-ins', () => {
  it('is kept for ACCESS_LOG_DAYS, and ends no session with it', async () => {
    const hub = await signIn(context.contract, context.address, 'hub')
    const age = (days: number, username: string) =>
      sql`update access_log set attempt_time = now() - make_interval(days => ${days}) where username = ${username}`.execute(
        context.db,
      )
    await context.as('partner')
    await age(101, 'hub')
    await age(99, 'partner')
    await JOBS['forget sign-ins'](jobs)
    const left = async (username: string) =>
      (await admin('axes.list', { params: { type: 'accesslog' }, query: { username } })).body.pagination.count
    expect([await left('hub'), await left('partner')]).toEqual([0, 1])
    expect((await hub('auth.me')).status).toBe(200)
  })

  it('is stored for a year by default', () => {
    expect(readSettings({}).ACCESS_LOG_DAYS).toBe(365)
  })
})

describe('what was searched for', () => {
  it('is forgotten after ACCESS_LOG_DAYS, but not that somebody searched', async () => {
    const note = (action: string, days: number) =>
      sql`insert into audit (action, entity, at, changes)
        values (${action}, 'client', now() - make_interval(days => ${days}), '{"term": {"to": "Ann"}}')`.execute(
        context.db,
      )
    await sql`delete from audit where action = 'search'`.execute(context.db)
    await note('search', 101)
    await note('search', 99)
    await note('update', 101)
    await JOBS['forget searches'](jobs)
    const { rows } = await sql<{ action: string; left: boolean }>`select action, changes is not null as left
      from audit where entity = 'client' and staff is null order by id desc limit 3`.execute(context.db)
    expect(rows.reverse().map(({ action, left }) => [action, left])).toEqual([
      ['search', false],
      ['search', true],
      ['update', true],
    ])
  })
})

describe('a guess', () => {
  it('is forgotten a day after its lock could have been over, and not while it locks', async () => {
    const guess = (key: string, minutes: number, locked: number | null) =>
      sql`insert into access_attempt (key, failures_since_start, attempt_time, locked_until)
        values (${key}, 1, now() - make_interval(mins => ${minutes}),
          now() + make_interval(mins => ${locked}::int))`.execute(context.db)
    const [justOver, notYet] = [1440 + settings.LOCK_MINUTES + 1, 1440 + settings.LOCK_MINUTES - 1]
    await guess('old', justOver, null)
    await guess('old lock', justOver, -1)
    await guess('locked', justOver, 10)
    await guess('newer', notYet, null)
    await JOBS['forget guesses'](jobs)
    const { rows } = await sql<{ key: string }>`select key from access_attempt
      where key in ('old', 'old lock', 'locked', 'newer') order by key`.execute(context.db)
    expect(rows.map(({ key }) => key)).toEqual(['locked', 'newer'])
  })

  it('is left alone while somebody counts another one', async () => {
    await sql`insert into access_attempt (key, failures_since_start, attempt_time)
      values ('counted', 1, now() - interval '9 days'), ('not counted', 1, now() - interval '9 days')`.execute(
      context.db,
    )
    await context.db.transaction().execute(async (tx) => {
      await sql`update access_attempt set attempt_time = now() where key = 'counted'`.execute(tx)
      await JOBS['forget guesses'](jobs)
    })
    const { rows } = await sql`select key from access_attempt where key like '%counted'`.execute(context.db)
    expect(rows).toEqual([{ key: 'counted' }])
  })
})

describe('an uploaded file', () => {
  const send = async (who: Caller) => (await upload(who, '/api/files', 'letter.txt', 'words')).body.id
  const age = (id: number, days: number) =>
    sql`update files set created_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(
      context.db,
    )
  const isThere = async (id: number) =>
    (await sql`select 1 from files where id = ${id}`.execute(context.db)).rows.length === 1
  const run = () => JOBS['forget files'](jobs)

  it('that was attached to nothing goes after 31 days', async () => {
    const [old, newer] = [await send(admin), await send(admin)]
    await age(old, 32)
    await age(newer, 30)
    await run()
    expect([await isThere(old), await isThere(newer)]).toEqual([false, true])
  })

  it('stays with the record it is attached to', async () => {
    const { issue } = await createCase(admin)
    const { body } = await upload(admin, `/issue/${issue}/file/`, 'letter.txt', 'words')
    await age(body.file, 400)
    await run()
    expect(await isThere(body.file)).toBe(true)
  })

  it('stays while a draft of its uploader names it, wherever in it, and no longer', async () => {
    const [advocate, other] = [await context.as('advocate'), await context.as('partner')]
    const [named, unnamed] = [await send(advocate), await send(advocate)]
    for (const id of [named, unnamed]) await age(id, 400)
    const payload = { document: { case: { answers: { letters: [{ row: 'a', letter: named }] } } } }
    const { body } = await advocate('drafts.create', { body: { kind: 'case', payload } })
    await other('drafts.create', { body: { kind: 'case', payload: { document: { letter: unnamed } } } })
    await run()
    expect([await isThere(named), await isThere(unnamed)]).toEqual([true, false])
    await advocate('drafts.remove', { params: { id: body.id } })
    await run()
    expect(await isThere(named)).toBe(false)
  })
})
