import { sql } from 'kysely'
import { isEqual } from '../../../contract/isEqual.ts'
import { ROLE } from '../../../contract/roles.ts'
import { whoIsThere } from '../../access/maySignIn.ts'
import { type Access, accessByGroups } from '../../access/openid/groupRoles.ts'
import type { Db } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'
import { type Changes, writeSystemAuditEvent } from '../../records/audit/audit.ts'
import { lockStaff } from '../staff/staffRules.ts'

/** The account of a person at a provider, and its groups there. */
interface LinkGroups {
  id: number
  staff: number
  issuer: string
  groups: string[]
}
interface Deps {
  db: Db
  settings: Settings
}

/**
 * Gives a person the roles and hub of their groups at a provider, with an audit event if anything changes. The last
 * administrator keeps that role. In a transaction it comes before other changes of staff, whose table it may lock.
 */
export function applyGroups({ db, settings }: Deps, link: LinkGroups): Promise<void> {
  const work = (tx: Db) => applyInTransaction({ db: tx, settings }, link)
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

async function applyInTransaction(deps: Deps, link: LinkGroups): Promise<void> {
  const { db } = deps
  const first = await planOf(deps, link)
  // Of two calls that each take the role of an administrator, one waits for the other.
  if (first.loses) await lockStaff(deps)
  const plan = await planOf(deps, link, sql`for update of s`)
  const { before, after, given } = plan
  if (plan.loses && (plan.isLast || !first.loses)) after.groups.unshift(ROLE.systemAdministrator)
  await sql`update openid_link set roles = ${given} where id = ${link.id} and roles <> ${given}`.execute(db)
  const changes: Changes = {}
  const sorted = before.groups.toSorted((a, b) => a - b)
  if (!isEqual(sorted, after.groups)) changes.groups = { from: before.groups, to: after.groups }
  if (before.hub !== after.hub) changes.hub = { from: before.hub, to: after.hub }
  if (Object.keys(changes).length === 0) return
  const updated = await sql<{ version: number }>`update staff
    set groups = ${after.groups}, hub = ${after.hub}, version = version + 1 where id = ${link.staff} returning version`.execute(
    db,
  )
  const { version } = updated.rows[0]
  await writeSystemAuditEvent(db, { action: 'update', entity: 'staff', record: link.staff, version, changes })
}

interface Plan {
  before: Access
  after: Access
  given: number[]
  /** True if the person would no longer be an administrator. */
  loses: boolean
  /** True if nobody else is one who can sign in. */
  isLast: boolean
}

/** What the groups would change. */
async function planOf(deps: Deps, { id, staff, ...link }: LinkGroups, lock = sql``): Promise<Plan> {
  const { rows } = await sql<
    Access & { is_last: boolean; elsewhere: number[] }
  >`select s.groups, s.hub, not exists (
      select from staff o where o.id <> s.id and ${whoIsThere('o')} and ${ROLE.systemAdministrator} = any(o.groups)) as is_last,
      array(select unnest(l.roles) from openid_link l where l.staff = s.id and l.id <> ${id}) as elsewhere
    from staff s where s.id = ${staff} ${lock}`.execute(deps.db)
  const { is_last: isLast, elsewhere, ...before } = rows[0]
  const { given, ...after } = await accessByGroups(deps, link, before, elsewhere)
  const isOne = ({ groups }: Access) => groups.includes(ROLE.systemAdministrator)
  return { before, after, given, isLast, loses: isOne(before) && !isOne(after) }
}
