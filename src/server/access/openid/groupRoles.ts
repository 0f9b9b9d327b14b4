import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import type { Db } from '../../core/db.ts'
import { openidProviders, providerOfIssuer } from '../../core/openidProviders.ts'
import type { Settings } from '../../core/settings.ts'

/** Text of the property `administrators` without which a group does not give the role of administrator. */
const ADMINISTRATOR_WORDS = 'members are administrators'

/** A row of the list "Groups of sign-on" in the Admin Site. */
interface GroupRow {
  label: string
  provider: string | null
  role: number | null
  hub: number | null
  administrators: string | null
}

export interface Access {
  groups: number[]
  hub: number | null
}
export interface ProviderGroups {
  issuer: string
  groups: string[]
}

/**
 * The roles and hub of a person by the groups of their account at a provider, and the roles that these groups give. The
 * provider only gives and takes roles that its rows name: a role that an administrator gave here is kept, and so is one
 * that another account of the person gave (`elsewhere`). The hub is that of the first row with one; without such a row
 * it is kept.
 */
export async function accessByGroups(
  { db, settings }: { db: Db; settings: Settings },
  { issuer, groups }: ProviderGroups,
  before: Access,
  elsewhere: number[] = [],
): Promise<Access & { given: number[] }> {
  const rows = await rowsFor(db, settings, issuer)
  const giving = rows.filter(givesRole)
  const given = giving.filter(({ label }) => groups.includes(label)).map(({ role }) => role!)
  const managed = new Set(giving.map(({ role }) => role))
  const kept = before.groups.filter((role) => !managed.has(role) || elsewhere.includes(role))
  const hub = rows.find((row) => row.hub !== null && groups.includes(row.label))?.hub ?? before.hub
  return { groups: [...new Set([...kept, ...given])].sort((a, b) => a - b), hub, given }
}

/** The rows for a provider: those that name it, and those that name none where it is the only one. */
async function rowsFor(db: Db, settings: Settings, issuer: string): Promise<GroupRow[]> {
  const provider = providerOfIssuer(settings.OPENID_PROVIDERS, issuer)
  const isOnly = openidProviders(settings.OPENID_PROVIDERS).length === 1
  const { rows } = await sql<GroupRow>`select label, attrs ->> 'provider' as provider,
      (attrs ->> 'role')::int as role, (attrs ->> 'hub')::int as hub, attrs ->> 'administrators' as administrators
    from lookup where kind = 'sign_on_group' and active order by position, value`.execute(db)
  return rows.filter((row) => (row.provider ? row.provider.trim() === provider?.id : isOnly))
}

/** True if a row gives its role. It gives that of administrator only if `administrators` confirms it in words. */
function givesRole({ role, administrators }: GroupRow): boolean {
  if (role !== ROLE.systemAdministrator) return role !== null
  return administrators?.trim().toLowerCase() === ADMINISTRATOR_WORDS
}
