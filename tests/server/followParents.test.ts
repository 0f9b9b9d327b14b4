import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/server/core/db.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { someoneWaits } from './someoneWaits.ts'

const WAIT = { interval: 20, timeout: 10_000 }

const context = describeServer()
let advocate: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
})

interface Records {
  /** The case. */
  id: number
  issue: number
  /** Another case, of another client. */
  other: { id: number; issue: number }
}
type Change = (records: Records) => Sql

/** What moves the records above a row, as a merge, the undo of one or a change of the contract does. */
const MOVES: Record<string, Change> = {
  'a case moves to another client': (of) =>
    sql`update cases set client = (select client from cases where id = ${of.other.id}) where id = ${of.id}`,
  'a case gets another contract': (of) => sql`update cases set contract = contract + 1 where id = ${of.id}`,
  'a case gets another service': (of) => sql`update cases set service = service + 1 where id = ${of.id}`,
  'an issue moves to another case': (of) =>
    sql`update issues set "case" = ${of.other.id} where id = ${of.issue}`,
}

/** What adds a row that has columns of the records above it. */
const ADDITIONS: Record<string, Change> = {
  'an issue': (
    of,
  ) => sql`insert into issues ("case", client, service, contract, case_type_version, issue_type, start_date)
    select id, client, service, contract, 1, 1, '2026-02-10' from cases where id = ${of.id}`,
  'an action of an issue': (of) =>
    sql`insert into actions (issue, type, done_on) values (${of.issue}, 1, '2026-02-10')`,
  'an action of a case': (of) =>
    sql`insert into actions ("case", type, done_on) values (${of.id}, 1, '2026-02-10')`,
  'an action with a next step': (of) =>
    sql`insert into actions (issue, type, done_on, next_step, next_due) values (${of.issue}, 1, '2026-02-10', 'Ring', '2026-03-10')`,
  'a task of an issue': (of) =>
    sql`insert into tasks (issue, title, due) values (${of.issue}, 'Ring', '2026-03-10')`,
  'a task of a case': (of) =>
    sql`insert into tasks ("case", title, due) values (${of.id}, 'Ring', '2026-03-10')`,
  'a referral from a case': (
    of,
  ) => sql`insert into referral_requests (hub, service, from_hub, from_case, from_client)
    select 2, 1, 1, id, client from cases where id = ${of.id}`,
}

/** The rows that differ from the records above them. */
const DIFFERENCES = sql<{ row: string }>`
  select 'issue' as row from issues i join cases k on k.id = i."case"
    where (i.client, i.service, i.contract) is distinct from (k.client, k.service, k.contract)
  union all select 'action' from actions a join cases k on k.id = a."case" left join issues i on i.id = a.issue
    where a.client <> k.client or i."case" <> a."case"
  union all select 'task' from tasks t join cases k on k.id = t."case" left join issues i on i.id = t.issue
    where t.client <> k.client or i."case" <> t."case"
  union all select 'referral' from referral_requests q join cases k on k.id = q.from_case where q.from_client <> k.client`

describe.each(Object.entries(MOVES))('while %s', (_, move) => {
  it.each(Object.entries(ADDITIONS))('%s is added where it is then', async (_, add) => {
    const [mine, other] = [await createCase(advocate), await createCase(advocate)]
    const records = { ...mine, other }
    let adding: Promise<unknown> | undefined
    let isAdded = false
    await context.db.transaction().execute(async (tx) => {
      await move(records).execute(tx)
      adding = add(records)
        .execute(context.db)
        .finally(() => {
          isAdded = true
        })
      await vi.waitFor(async () => expect(isAdded || (await someoneWaits(context.db))).toBe(true), WAIT)
    })
    await adding
    expect((await DIFFERENCES.execute(context.db)).rows).toEqual([])
  })
})
