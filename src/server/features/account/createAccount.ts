import { sql } from 'kysely'
import type { Identity } from '../../access/openid/authorization.ts'
import { accessByGroups } from '../../access/openid/groupRoles.ts'
import { addLink, type Link } from '../../access/openid/links.ts'
import type { Db } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import type { Settings } from '../../core/settings.ts'
import { writeSystemAuditEvent } from '../../records/audit/audit.ts'

/** Maximum number of user names that are tried. */
const MAX_TRIES = 20

/**
 * Makes an account for a person who signs in by a provider for the first time, with the roles of their groups;
 * undefined if these give none. It is always a new account: one with the same user name or mail address may be somebody
 * else's.
 */
export async function createAccount(
  { db, settings }: { db: Db; settings: Settings },
  identity: Identity,
): Promise<Link | undefined> {
  const { issuer, groups = [] } = identity
  const access = await accessByGroups({ db, settings }, { issuer, groups }, { groups: [], hub: null })
  if (access.groups.length === 0) return undefined
  const { first_name, last_name, name } = identity
  const [first, ...others] = name.split(/\s+/)
  const names = [first_name || first, last_name || others.join(' ')].map((text) => text.slice(0, 100))
  for (const username of usernamesFor(identity)) {
    const { rows } = await sql<{
      id: number
    }>`insert into staff (username, first_name, last_name, email, groups, hub)
      values (${username}, ${names[0]}, ${names[1]}, ${identity.email || null}, ${access.groups}, ${access.hub})
      on conflict do nothing returning id`.execute(db)
    if (!rows[0]) continue
    const [{ id: staff }] = rows
    const id = await addLink(db, identity, staff)
    // Two first sign-ins at once: the other one has made the account, and this one is rolled back.
    if (id === undefined) throw problem('inProgress')
    await writeSystemAuditEvent(db, { action: 'create', entity: 'staff', record: staff, version: 1 })
    return { id, staff, username }
  }
  return undefined
}

/** User names to try: what the provider calls the person, then the same with numbers. */
function usernamesFor({ username, name, subject }: Identity): string[] {
  const wanted = username || name.toLowerCase().replaceAll(/\s+/g, '.') || subject
  const plain = wanted.replaceAll(/[^\p{L}\p{N}.@_+-]/gu, '').slice(0, 140) || 'person'
  return Array.from({ length: MAX_TRIES }, (_, i) => (i === 0 ? plain : `${plain}${i + 1}`))
}
