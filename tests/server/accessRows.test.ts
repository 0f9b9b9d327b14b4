import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Verified, verifyAccess } from '../../src/server/access/accessRows.ts'
import { KINDS, type Kind, principal } from '../../src/server/access/principals.ts'
import { scoped } from '../../src/server/access/scope.ts'
import { callerById } from '../../src/server/access/session.ts'
import type { Caller } from '../../src/server/core/call.ts'
import { type Db, openDatabase, type Tx } from '../../src/server/core/db.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { JOBS } from '../../src/server/ops/jobs/jobs.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { FULL } from '../full.ts'
import { change } from './accessHistory.ts'
import { addMixedPeople } from './accessPeople.ts'
import { readRecords, type Visible, visibleByRules } from './accessRules.ts'
import { describeServer } from './context.ts'

const CHANGES_BETWEEN = 10
const CHANGES = FULL ? 1500 : 200
/** Codes of a transaction that another one made impossible: deadlock, a deleted parent, a lock that took too long. */
const CONFLICTS = ['40P01', '23503', '55P03']

const context = describeServer()
let people: number[]
beforeAll(async () => {
  people = (await addMixedPeople(context.db)).map(({ id }) => id)
})

/** What a person sees by the conditions of the server. */
async function visibleByConditions(db: Db, me: Caller): Promise<Visible> {
  const idsOf = (name: string) => {
    const entity = context.contract.entities[name]
    return sql`array(select r.id from ${sql.table(entity.table!)} r where ${scoped(entity, me)} order by 1)`
  }
  const { rows } = await sql<Visible>`select ${idsOf('issue')} as issue, ${idsOf('case')} as "case",
    ${idsOf('client')} as client`.execute(db)
  return rows[0]
}

/** Compares the conditions of the server with the rules for everybody, and the rows with their sources. */
async function compare(db: Db): Promise<void> {
  const records = await readRecords(db)
  expect(people.length).toBe(13)
  for (const person of people) {
    const me = (await callerById(db, person))!
    for (const reads of [false, true]) {
      const reading = { readsContracts: reads, readsReferred: reads }
      const expected = visibleByRules(records, person, reading)
      expect([person, await visibleByConditions(db, { ...me, ...reading })]).toEqual([person, expected])
    }
  }
  expect(await verifyAccess(db, { rebuild: false })).toEqual({
    clients: records.clients.length,
    differing: 0,
  })
}

class Undo extends Error {}

describe('the rows of who may see what', () => {
  it('have the kinds of principals that the database has', async () => {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const { rows } = await sql<{ number: number }>`select principal(${kind}::text, 7) as number`.execute(
        context.db,
      )
      expect([kind, rows[0].number]).toEqual([kind, principal(kind, 7)])
    }
  })

  it('equal the rules after each change of a random history, some of which is rolled back', async () => {
    const random = seeded(33)
    for (let done = 0; done < CHANGES; done += CHANGES_BETWEEN) {
      const isUndone = random.chance(0.2)
      const several = async (db: Db) => {
        for (let i = 0; i < CHANGES_BETWEEN; i++) await change(db, random)
        if (isUndone) throw new Undo()
      }
      const changed = isUndone ? context.db.transaction().execute(several) : several(context.db)
      await changed.catch((error) => {
        if (!(error instanceof Undo)) throw error
      })
      await compare(context.db)
    }
    const { rows } = await sql<{ clients: number; cases: number }>`select
      (select count(*) from client_access) as clients, (select count(*) from case_access) as cases`.execute(
      context.db,
    )
    expect(Math.min(rows[0].clients, rows[0].cases)).toBeGreaterThan(20)
  })

  it('equal the rules after transactions of two connections that interleave, are rolled back or are cut off', async () => {
    const { db, close } = openDatabase(context.databaseUrl)
    try {
      const random = seeded(34)
      for (let done = 0; done < CHANGES; done += 2 * CHANGES_BETWEEN) {
        const seeds = [random.between(1, 1e9), random.between(1, 1e9)]
        await Promise.all(seeds.map((seed) => transactions(db, seed)))
        await compare(db)
      }
    } finally {
      await close()
    }
  })

  it('are rebuilt where they differ, by the job of the hour, whose run fails', async () => {
    const { db } = context
    const total = await verifyAccess(db, { rebuild: false })
    await sql`delete from client_access where client % 3 = 0`.execute(db)
    await sql`insert into case_access (principal, "case") select ${principal('hub', 99)}, id from cases`.execute(
      db,
    )
    const { differing } = await verifyAccess(db, { rebuild: false })
    expect(differing).toBeGreaterThan(10)
    const logged: unknown[] = []
    const log = { warn: (line: Verified) => logged.push(line) }
    const job = { db, log, ending: new AbortController().signal } as unknown as JobContext
    const failures: unknown[] = []
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      for (let hour = 0; hour < 24; hour++) {
        vi.setSystemTime(Date.UTC(2026, 5, 1, hour))
        await JOBS['verify access'](job).catch(({ code }) => failures.push(code))
      }
    } finally {
      vi.useRealTimers()
    }
    const found = logged as Verified[]
    expect(found.reduce((sum, one) => sum + one.differing, 0)).toBe(differing)
    expect(failures).toEqual(found.map(() => 'accessDiffered'))
    expect(await verifyAccess(db, { rebuild: false })).toEqual(total)
  })
})

/** Makes transactions of one to three changes one after the other. */
async function transactions(db: Db, seed: number): Promise<void> {
  const random = seeded(seed)
  for (let done = 0; done < CHANGES_BETWEEN; ) {
    const n = random.between(1, 3)
    done += n
    const end = random.weighted(['commit', 'commit', 'commit', 'undo', 'cut off'], () => 1)
    await db
      .transaction()
      .execute(async (tx) => {
        await sql`set local deadlock_timeout = '20ms'`.execute(tx)
        for (let i = 0; i < n; i++) {
          await change(tx, random)
          await turn()
        }
        if (end === 'undo') throw new Undo()
        if (end === 'cut off') await cutOff(tx)
      })
      .catch((error: { code?: string }) => {
        const isExpected = error instanceof Undo || end === 'cut off' || CONFLICTS.includes(error.code ?? '')
        if (!isExpected) throw error
      })
  }
}

/** Ends the connection of a transaction as a crash of the server would. */
async function cutOff(tx: Tx): Promise<void> {
  await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
}
