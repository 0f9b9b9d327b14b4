import { sql } from 'kysely'
import type { Call } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { hashToken, makeToken } from './token.ts'

/** Days for which a browser is known after the last sign-in in it. */
export const KNOWN_DEVICE_DAYS = 180
/** Maximum number of browsers that are known for one person. */
const MAX_DEVICES = 10

/**
 * The condition that the person of a user name has signed in before in the browser of a call. It never authenticates:
 * it only exempts from the limit of guesses by address, not from that of the account.
 */
export function isKnownDevice({ request, settings }: Call, username: string): Sql {
  const token = request.cookies[nameOf(settings)]
  if (!token) return sql`false`
  return sql`exists (select from known_device d join staff s on s.id = d.staff
    where d.token_hash = ${hashToken(token)} and lower(s.username) = ${username}
      and d.used_at > now() - make_interval(days => ${KNOWN_DEVICE_DAYS}))`
}

/** The token of the browser of a call; '' if it has none. */
export function deviceToken({ request, settings }: Call): string {
  return request.cookies[nameOf(settings)] ?? ''
}

/**
 * Remembers the browser in which a person has just signed in, by a new cookie, whose token it returns; forgets the
 * oldest ones beyond ten. A trusted browser stays trusted.
 */
export async function rememberDevice(call: Call, staff: number): Promise<string> {
  const { db, reply, settings } = call
  const token = makeToken()
  const before = hashToken(deviceToken(call))
  await sql`with replaced as (delete from known_device where staff = ${staff} and token_hash = ${before}
      returning trusted_until)
    insert into known_device (token_hash, staff, trusted_until)
    values (${hashToken(token)}, ${staff}, (select trusted_until from replaced))`.execute(db)
  await sql`delete from known_device where staff = ${staff} and token_hash not in (
    select token_hash from known_device where staff = ${staff} order by used_at desc limit ${MAX_DEVICES})`.execute(
    db,
  )
  reply.setCookie(nameOf(settings), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps(settings),
    maxAge: KNOWN_DEVICE_DAYS * 86_400,
  })
  return token
}

// No other host, not even a subdomain, can set a cookie with the __Host- prefix.
const nameOf = (settings: Call['settings']) => (isHttps(settings) ? '__Host-device' : '_device')

const isHttps = ({ PUBLIC_URL }: Call['settings']) => PUBLIC_URL.startsWith('https://')
