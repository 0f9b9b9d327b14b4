import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'
import { encryptSecret } from '../encryptSecret.ts'
import type { Identity } from './authorization.ts'

/** Days after which an unknown subject, who is linked to nobody, is deleted. */
export const UNKNOWN_DAYS = 30
/** Maximum number of unknown subjects. */
const MAX_UNKNOWN = 1000

export interface Link {
  id: number
  staff: number
  username: string
}
type Subject = Pick<Identity, 'issuer' | 'subject'>

/** The link of a subject; it is found by issuer and subject only, never by a name or mail address. */
export async function linkOf(db: Db, { issuer, subject }: Subject): Promise<Link | undefined> {
  const { rows } =
    await sql<Link>`select l.id, l.staff, s.username from openid_link l join staff s on s.id = l.staff
    where l.issuer = ${issuer} and l.subject = ${subject}`.execute(db)
  return rows[0]
}

/** Links a subject to a person; undefined if it is linked already. */
export async function addLink(
  db: Db,
  { issuer, subject, name }: Subject & Pick<Identity, 'name'>,
  staff: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`with known as (
      delete from openid_unknown where issuer = ${issuer} and subject = ${subject})
    insert into openid_link (issuer, subject, staff, name) values (${issuer}, ${subject}, ${staff}, ${name})
    on conflict do nothing returning id`.execute(db)
  return rows[0]?.id
}

/**
 * Stores a subject who is linked to nobody, so that an administrator or the person of the session can link it; returns
 * its id.
 */
export async function rememberUnknown(db: Db, identity: Identity, sessionHash?: Buffer): Promise<number> {
  const { issuer, subject, name, username, email } = identity
  const { rows } = await sql<{ id: number }>`insert into openid_unknown as u
      (issuer, subject, name, username, email, session_hash)
    values (${issuer}, ${subject}, ${name}, ${username}, ${email}, ${sessionHash ?? null})
    on conflict (issuer, subject) do update set name = excluded.name, username = excluded.username,
      email = excluded.email, session_hash = excluded.session_hash, seen_at = now(), version = u.version + 1
    returning id`.execute(db)
  await sql`delete from openid_unknown where id in (
    select id from openid_unknown order by seen_at desc, id desc offset ${MAX_UNKNOWN})`.execute(db)
  return rows[0].id
}

/** Stores the name and the encrypted refresh token of a sign-on, and clears the provider's refusal of the person. */
export async function storeSignOn(
  db: Db,
  settings: Settings,
  link: number,
  identity: Identity,
): Promise<void> {
  const { name, refreshToken } = identity
  const stored = refreshToken === undefined ? null : encryptRefreshToken(settings, link, refreshToken)
  await sql`update openid_link set name = ${name}, refresh_token = ${stored}, refreshed_at = now()
    where id = ${link}`.execute(db)
  await sql`update staff set refused_at = null where refused_at is not null
    and id = (select staff from openid_link where id = ${link})`.execute(db)
}

export function encryptRefreshToken(settings: Settings, link: number, token: string): Buffer {
  return encryptSecret(settings, refreshTokenOf(link), token)
}

/** The purpose with which the refresh token of a link is encrypted. */
export const refreshTokenOf = (link: number) => `refresh token of link ${link}`
