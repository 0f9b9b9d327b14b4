import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Argument } from '../../src/contract/formula.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { revalidateRecords } from '../../src/server/records/validate/revalidateRecords.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
})

const WISH: Field = { name: 'wish', label: 'Wish', type: 'text' }

async function publish(change: (meta: Meta) => object, id = 1): Promise<void> {
  const { body } = await admin('caseTypes.read', { params: { id } })
  const published = await admin('caseTypes.update', {
    params: { id },
    body: { version: body.version, ...change(body) },
  })
  if (published.status !== 200) throw new Error(JSON.stringify(published.body))
}
interface Meta {
  case_meta: Group[]
  issue_meta: Group[]
}
/** The form with another question, which must be answered or is switched off. */
const asking =
  (is_on: boolean) =>
  ({ issue_meta: [first, ...rest] }: Meta) => {
    const others = first.fields.filter(({ name }) => name !== 'wish')
    return {
      issue_meta: [{ ...first, fields: [...others, { ...WISH, attrs: { required: true, is_on } }] }, ...rest],
    }
  }
const withWish = asking(true)
const withoutWish = asking(false)
const row = async (table: string, id: number) => {
  const { rows } = await sql<
    Record<string, unknown>
  >`select r.*, (select version from case_types where id = 1) as form
    from ${sql.table(table)} r where id = ${id}`.execute(context.db)
  return rows[0]
}
/** Waits for the work that goes on after a publication's reply. */
const validated = (id: number) =>
  vi.waitFor(
    async () => {
      const { validated_version, form } = await row('issues', id)
      expect(validated_version).toBe(form)
    },
    { timeout: 15_000 },
  )
const run = (ending = new AbortController().signal) =>
  revalidateRecords({ db: context.db, timeZone: 'Europe/London', bankHolidays: 'england-and-wales', ending })
/** Until some query of the run waits for a lock. */
const isWaiting = () =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`.execute(context.db)
      expect(rows).not.toEqual([])
    },
    { timeout: 15_000 },
  )
const notificationsOf = async (who: string) => (await (await context.as(who))('validation.notification')).body
const listed = async (who: string) =>
  (await (await context.as(who))('validation.issues', { query: { page_size: 100 } })).body

describe('a publication revalidates stored records', () => {
  let made: { id: number; issue: number; client: number }
  beforeEach(async () => {
    await publish(withoutWish)
    made = await createCase(await context.as('advocate'))
    await validated(made.issue)
  })

  it('by its new form, and changes neither the version of a record nor its history', async () => {
    const before = await row('issues', made.issue)
    expect(before.invalid_fields).toEqual([])
    await publish(withWish)
    await validated(made.issue)
    const after = await row('issues', made.issue)
    expect(after.invalid_fields).toEqual(['wish'])
    expect([after.version, after.updated_at, after.case_type_version]).toEqual([
      before.version,
      before.updated_at,
      before.case_type_version,
    ])
    const { rows } = await sql`select 1 from audit where entity = 'issue' and record = ${made.issue}
      and action = 'update'`.execute(context.db)
    expect(rows).toEqual([])
  })

  it('and the list of invalid cases says in words what is missing, until it is answered', async () => {
    await publish(withWish)
    await validated(made.issue)
    const find = async () => (await listed('admin')).data.find(({ id }: { id: number }) => id === made.issue)
    expect(await find()).toMatchObject({ case: made.id, issue_fields: 'Wish', case_fields: null })
    const saved = await (await context.as('advocate'))('issues.update', {
      params: { id: made.issue },
      body: { answers: { wish: 'To go home' } },
    })
    expect(saved.status).toBe(200)
    expect(await find()).toBeUndefined()
  })

  it('and calculates anew what another formula gives, as a change of the system, once', async () => {
    const weighing =
      (of: Argument[]) =>
      ({ issue_meta: [first, ...rest] }: Meta) => {
        const others = first.fields.filter(({ name }) => name !== 'days_given')
        const days: Field = {
          name: 'days_given',
          label: 'Days given',
          type: 'integer',
          attrs: { calc: 'days_between', of },
        }
        return { issue_meta: [{ ...first, fields: [...others, days] }, ...rest] }
      }
    await publish(weighing(['next_step_date', 'decision_deadline']))
    const advocate = await context.as('advocate')
    const saved = await advocate('issues.update', {
      params: { id: made.issue },
      body: {
        answers: { next_step_date: '2026-06-01', decision_deadline: '2026-06-11', days_given: 99 },
        case_type_version: (await row('issues', made.issue)).form,
      },
    })
    expect([saved.status, saved.body.answers.days_given]).toEqual([200, 10])
    const before = await row('issues', made.issue)
    await publish(weighing(['decision_deadline', 'next_step_date']))
    await validated(made.issue)
    await run()
    const after = await row('issues', made.issue)
    expect(after.answers).toEqual({ ...(before.answers as object), days_given: -10 })
    expect([after.version, after.updated_at]).toEqual([Number(before.version) + 1, before.updated_at])
    const { rows } =
      await sql`select staff, version, changes from audit where entity = 'issue' and record = ${made.issue}
      and action = 'update' order by id desc limit 2`.execute(context.db)
    expect(rows[0]).toEqual({
      staff: null,
      version: after.version,
      changes: { 'answers.days_given': { from: 10, to: -10 } },
    })
    expect(rows[1]).toMatchObject({ version: before.version })
  })

  it('and takes back what is no longer asked for', async () => {
    await publish(withWish)
    await validated(made.issue)
    await publish(withoutWish)
    await validated(made.issue)
    expect((await row('issues', made.issue)).invalid_fields).toEqual([])
  })

  it('also where the server ended in the middle, at the next run; a run with nothing to do changes nothing', async () => {
    await publish(withWish)
    await validated(made.issue)
    await sql`update case_types set version = version + 1 where id = 1`.execute(context.db)
    expect(await run(AbortSignal.abort())).toBe(0)
    expect(await run()).toBeGreaterThan(1)
    expect(await run()).toBe(0)
  })

  it('but skips a record that is saved meanwhile', async () => {
    await sql`update case_types set version = version + 1 where id = 1`.execute(context.db)
    const before = await row('issues', made.issue)
    let running: Promise<number> | undefined
    await context.db.transaction().execute(async (tx) => {
      await sql`update issues set version = version + 1, invalid_fields = '{theirs}' where id = ${made.issue}`.execute(
        tx,
      )
      running = run()
      await isWaiting()
    })
    await running
    const after = await row('issues', made.issue)
    expect([after.invalid_fields, after.validated_version]).toEqual([['theirs'], before.validated_version])
    expect(await run()).toBe(1)
    expect((await row('issues', made.issue)).invalid_fields).toEqual([])
  })
})

describe('the bell', () => {
  const seers = ['admin', 'manager', 'hubmanager', 'partnermanager']

  it('counts what the list of invalid cases shows, for everybody who may see it', async () => {
    await publish(withoutWish)
    for (const who of ['advocate', 'partner', 'hub']) {
      const caller = await context.as(who)
      const { issue } = await createCase(caller)
      await sql`update issues set advocate = ${caller.id} where id = ${issue}`.execute(context.db)
    }
    await publish(withWish)
    await run()
    const counts = await Promise.all(
      seers.map(async (who) => {
        const { data, pagination } = await listed(who)
        const { invalid_cases, issues } = await notificationsOf(who)
        expect(invalid_cases, who).toBe(pagination.count)
        expect(issues, who).toEqual(
          data.map(({ id, case: file }: { id: number; case: number }) => ({ issue_id: id, case_id: file })),
        )
        return invalid_cases
      }),
    )
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(counts[0]).toBeGreaterThan(Math.max(...counts.slice(1)))
  })

  it('does not count what is retired', async () => {
    const { id } = await createCase(await context.as('advocate'))
    await sql`update cases set invalid_fields = '{ward}' where id = ${id}`.execute(context.db)
    const with_ = (await notificationsOf('admin')).invalid_cases
    await admin('cases.retire', { params: { id } })
    expect((await notificationsOf('admin')).invalid_cases).toBe(with_ - 1)
  })

  it("counts a hub's new requests and unread messages for that hub and for administrators", async () => {
    await sql`insert into referral_requests (hub, service, status) values (1, 1, 1), (1, 1, 1), (1, 1, 2), (2, 1, 1)`.execute(
      context.db,
    )
    await sql`insert into referral_messages (hub, text, unread_by) values (1, 'Hello', 1), (1, 'Seen', null), (2, 'Else', 2)`.execute(
      context.db,
    )
    const counted = async (who: string) => (await (await context.as(who))('referrals.notification')).body
    expect(await counted('hub')).toEqual({ new_requests: 2, new_messages: 1 })
    expect(await counted('hubmanager')).toEqual({ new_requests: 2, new_messages: 1 })
    expect(await counted('admin')).toEqual({ new_requests: 3, new_messages: 2 })
  })
})
