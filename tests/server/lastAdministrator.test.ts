import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { applyGroups } from '../../src/server/features/account/applyGroups.ts'
import { describeServer, signIn } from './context.ts'

const ISSUER = 'https://login.example.org'
const setting = { id: 'council', name: 'Council', issuer: ISSUER, client_id: 'c', client_secret: 's' }
const settings = readSettings({
  OPENID_PROVIDERS: JSON.stringify([setting]),
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
})

const context = describeServer()
let ids: number[] = []
beforeEach(async () => {
  await sql`delete from lookup where kind = 'sign_on_group'`.execute(context.db)
  await sql`insert into lookup (kind, value, label, attrs) values ('sign_on_group', 1, 'Admins',
    '{"provider": "council", "role": 1, "administrators": "members are administrators"}')`.execute(context.db)
  await sql`update staff set refused_at = null, status = 1,
    groups = case when username in ('admin', 'manager') then '{1}'::int[] else array_remove(groups, 1) end`.execute(
    context.db,
  )
  const { rows } = await sql<{ id: number }>`select id from staff
    where username in ('admin', 'manager') order by username`.execute(context.db)
  ids = rows.map(({ id }) => id)
})

/** Takes the person out of the group of administrators, as a sign-in does. */
const leaveGroup = (db: Db, staff: number) => haveGroups(db, staff, [])
const haveGroups = (db: Db, staff: number, groups: string[]) =>
  applyGroups({ db, settings }, { id: 0, staff, issuer: ISSUER, groups })
const administrators = async () => {
  const { rows } = await sql<{ id: number }>`select id from staff
    where 1 = any(groups) and status = 1 and refused_at is null`.execute(context.db)
  return rows.length
}
/** Waits until a statement of another connection waits for a lock, or `other` has ended without. */
async function untilWaiting(other: Promise<unknown>): Promise<void> {
  let isOver = false
  void other.then(() => {
    isOver = true
  })
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(context.db)
      return isOver || rows[0].n > 0
    })
    .toBe(true)
}

describe('of two administrators', () => {
  it('one stays if the groups of both end at the same moment', async () => {
    let second: Promise<void> | undefined
    await context.db.transaction().execute(async (tx) => {
      await leaveGroup(tx, ids[0])
      second = leaveGroup(context.db, ids[1])
      await untilWaiting(second)
    })
    await second
    expect(await administrators()).toBe(1)
  })

  it('one stays if the group of one ends while the other one is retired', async () => {
    const admin = await signIn(context.contract, context.address, 'admin')
    let edit: ReturnType<typeof admin> | undefined
    await context.db.transaction().execute(async (tx) => {
      await leaveGroup(tx, admin.id)
      const other = ids.find((id) => id !== admin.id)!
      edit = admin('staff.edit', { params: { id: other }, body: { status: 2 } })
      await untilWaiting(edit)
    })
    expect((await edit!).body.code).toBe('lastAdmin')
    expect(await administrators()).toBe(1)
  })

  it('one whom the provider refuses is none who could stay alone', async () => {
    await sql`update staff set refused_at = now() where id = ${ids[1]}`.execute(context.db)
    await leaveGroup(context.db, ids[0])
    expect(await administrators()).toBe(1)
  })
})

describe('the groups of a person', () => {
  let staff: number
  beforeEach(async () => {
    const { rows } = await sql<{ id: number }>`update staff set groups = '{4,3}' where username = 'advocate'
      returning id`.execute(context.db)
    staff = rows[0].id
  })
  const personOf = async (id: number) => {
    const { rows } = await sql<{ groups: number[]; version: number; events: number }>`select groups, version,
        (select count(*) from audit where entity = 'staff' and record = staff.id)::int as events
      from staff where id = ${id}`.execute(context.db)
    return rows[0]
  }
  const add = (db: Db, role: number) =>
    sql`update staff set groups = array_append(groups, ${role}::int) where id = ${staff}`.execute(db)

  it('change nothing where they give what the person has, in whatever order, also the last administrator', async () => {
    const before = await personOf(staff)
    await leaveGroup(context.db, staff)
    expect(await personOf(staff)).toEqual(before)
    await leaveGroup(context.db, ids[1])
    await sql`update staff set groups = '{1,4}' where id = ${ids[0]}`.execute(context.db)
    const last = await personOf(ids[0])
    await leaveGroup(context.db, ids[0])
    await haveGroups(context.db, ids[0], ['Admins'])
    expect(await personOf(ids[0])).toEqual(last)
  })

  it('make nobody an administrator because there is none', async () => {
    await sql`update staff set refused_at = now() where 1 = any(groups)`.execute(context.db)
    await leaveGroup(context.db, staff)
    expect((await personOf(staff)).groups).toEqual([4, 3])
  })

  it('take a role that the account of somebody else gives', async () => {
    await sql`insert into openid_link (issuer, subject, staff, roles) values (${ISSUER}, 'other', ${ids[0]}, '{1}')`.execute(
      context.db,
    )
    await add(context.db, 1)
    await leaveGroup(context.db, staff)
    expect((await personOf(staff)).groups).toEqual([3, 4])
  })

  it('count the version up with their event', async () => {
    await add(context.db, 1)
    const { version, events } = await personOf(staff)
    await leaveGroup(context.db, staff)
    expect(await personOf(staff)).toEqual({ groups: [3, 4], version: version + 1, events: events + 1 })
  })

  it.each([
    ['a role that the provider does not give', 6, [3, 4, 6]],
    ['that of administrator, until the next time', 1, [1, 3, 4]],
  ])('leave %s which a colleague gives meanwhile', async (_, role, expected) => {
    await sql`update lookup set attrs = attrs || '{"role": 5, "administrators": null}'
      where kind = 'sign_on_group' and ${role} <> 1`.execute(context.db)
    await add(context.db, 5)
    if (role === 1) await sql`update staff set groups = '{4,3}' where id = ${staff}`.execute(context.db)
    let leaving: Promise<void> | undefined
    await context.db.transaction().execute(async (tx) => {
      await add(tx, role)
      leaving = leaveGroup(context.db, staff)
      await untilWaiting(leaving)
    })
    await leaving
    expect((await personOf(staff)).groups.toSorted((a, b) => a - b)).toEqual(expected)
    await leaveGroup(context.db, staff)
    expect((await personOf(staff)).groups.includes(1)).toBe(false)
  })
})
