import { sql } from 'kysely'
import { isEqual } from '../../../contract/isEqual.ts'
import { ROLE } from '../../../contract/roles.ts'
import { whoMaySignIn } from '../../access/maySignIn.ts'
import { type Access, accessByGroups } from '../../access/openid/groupRoles.ts'
import type { Db } from '../../core/db.ts'
import { type Changes, writeSystemAuditEvent } from '../../records/audit/audit.ts'

/**
 * Gives a person the roles and hub of their groups at the provider, with an audit event if anything changes; nothing if
 * the provider says nothing about groups. The last administrator keeps that role.
 */
export function applyGroups(db: Db, staff: number, groups: string[] | undefined): Promise<void> {
  if (groups === undefined) return Promise.resolve()
  const work = (tx: Db) => applyInTransaction(tx, staff, groups)
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

async function applyInTransaction(db: Db, staff: number, names: string[]): Promise<void> {
  const { rows } = await sql<Access & { is_last: boolean }>`select s.groups, s.hub, not exists (
      select from staff o where o.id <> s.id and ${whoMaySignIn('o')} and ${ROLE.systemAdministrator} = any(o.groups)) as is_last
    from staff s where s.id = ${staff} for update`.execute(db)
  if (!rows[0]) return
  const { is_last, ...before } = rows[0]
  const after = await accessByGroups(db, names, before)
  const loses = (role: number) => before.groups.includes(role) && !after.groups.includes(role)
  if (is_last && loses(ROLE.systemAdministrator)) after.groups.unshift(ROLE.systemAdministrator)
  const changes: Changes = {}
  const sorted = before.groups.toSorted((a, b) => a - b)
  if (!isEqual(sorted, after.groups)) changes.groups = { from: before.groups, to: after.groups }
  if (before.hub !== after.hub) changes.hub = { from: before.hub, to: after.hub }
  if (Object.keys(changes).length === 0) return
  const updated = await sql<{ version: number }>`update staff
    set groups = ${after.groups}, hub = ${after.hub}, version = version + 1 where id = ${staff} returning version`.execute(
    db,
  )
  const { version } = updated.rows[0]
  await writeSystemAuditEvent(db, { action: 'update', entity: 'staff', record: staff, version, changes })
}
