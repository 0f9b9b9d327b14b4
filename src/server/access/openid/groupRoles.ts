import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import type { Db } from '../../core/db.ts'

/** The words without which a row of the table does not give the role of administrator. */
const ADMINISTRATOR_WORDS = 'members are administrators'

/** A row of the list "Groups of sign-on" in the Admin Site. */
interface GroupRow {
  label: string
  role: number | null
  hub: number | null
  administrators: string | null
}

export interface Access {
  groups: number[]
  hub: number | null
}

/**
 * The roles and hub of a person by the groups of their provider. Roles that no row of the table gives are kept, so that
 * one given here stays; those that a row gives are the provider's to give and to take. The hub is that of the first row
 * with one; without such a row it is kept.
 */
export async function accessByGroups(db: Db, groups: string[], before: Access): Promise<Access> {
  const { rows } =
    await sql<GroupRow>`select label, (attrs ->> 'role')::int as role, (attrs ->> 'hub')::int as hub,
      attrs ->> 'administrators' as administrators
    from lookup where kind = 'sign_on_group' and active order by position, value`.execute(db)
  const giving = rows.filter(givesRole)
  const theirs = giving.filter(({ label }) => groups.includes(label))
  const managed = new Set(giving.map(({ role }) => role))
  const kept = before.groups.filter((role) => !managed.has(role))
  const hub = rows.find((row) => row.hub !== null && groups.includes(row.label))?.hub ?? before.hub
  return { groups: [...new Set([...kept, ...theirs.map(({ role }) => role!)])].sort((a, b) => a - b), hub }
}

/** True if a row gives its role: that of administrator only if it says so in words too. */
function givesRole({ role, administrators }: GroupRow): boolean {
  if (role !== ROLE.systemAdministrator) return role !== null
  return administrators?.trim().toLowerCase() === ADMINISTRATOR_WORDS
}
