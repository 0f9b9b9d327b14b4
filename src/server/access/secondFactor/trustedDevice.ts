import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import { deviceToken } from '../knownDevice.ts'
import { hashToken } from '../token.ts'

/** Days for which a person needs no code in a browser, if they say so. */
export const TRUST_DAYS = 30

/** True if the person trusts the browser of a call, so that their password is enough in it. */
export async function isTrustedDevice(call: Call, staff: number): Promise<boolean> {
  const { rows } = await sql`select 1 from known_device
    where staff = ${staff} and token_hash = ${hashToken(deviceToken(call))} and trusted_until > now()`.execute(
    call.db,
  )
  return rows.length === 1
}

/** Trusts the browser with this token for thirty days. */
export async function trustDevice({ db }: Call, staff: number, token: string): Promise<void> {
  await sql`update known_device set trusted_until = now() + make_interval(days => ${TRUST_DAYS})
    where staff = ${staff} and token_hash = ${hashToken(token)}`.execute(db)
}
