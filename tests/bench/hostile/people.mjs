import { createHash, randomBytes } from 'node:crypto'
import { headersFor } from '../calls/ask.mjs'
import { query } from '../calls/database.mjs'

/** Adds so many administrators and signs them in, because each may do only so much a minute; answers their headers. */
export async function signInMany(url, address, count) {
  const people = []
  for (let i = 0; i < count; i++) {
    const token = randomBytes(32).toString('base64url')
    await query(
      url,
      `with added as (
        insert into staff (username, first_name, last_name, password_hash, groups)
        values ($1, 'Bench', $1, '', '{1}') returning id
      ) insert into session (token_hash, staff, expires_at)
        select $2, id, now() + interval '12 hours' from added`,
      [`bench${i}`, createHash('sha256').update(token).digest()],
    )
    people.push(await headersFor(address, token))
  }
  return people
}
