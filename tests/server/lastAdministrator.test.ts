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
const leaveGroup = (db: Db, staff: number) =>
  applyGroups({ db, settings }, { id: 0, staff, issuer: ISSUER, groups: [] })
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
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_locks l
        join pg_database d on d.oid = l.database where d.datname = current_database() and not l.granted`.execute(
        context.db,
      )
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
