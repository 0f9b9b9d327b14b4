import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** Number of codes that a person gets. */
const COUNT = 10
/** Letters and digits that are not mistaken for each other (Crockford's base32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Characters of a code: 120 bits, so that a plain hash of it cannot be tried out. */
const LENGTH = 24
const GROUP = /.{4}/g

/** Gives a person new codes instead of those they have; only hashes are stored. */
export async function makeRecoveryCodes(db: Db, staff: number): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, makeCode)
  await sql`delete from recovery_code where staff = ${staff}`.execute(db)
  await sql`insert into recovery_code (staff, code_hash) select ${staff}::int, unnest(${codes.map(hashOf)}::bytea[])`.execute(
    db,
  )
  return codes.map((code) => code.match(GROUP)!.join('-'))
}

/** Uses a code up; false if the person has no such code. */
export async function useRecoveryCode(db: Db, staff: number, code: string): Promise<boolean> {
  const { rows } =
    await sql`delete from recovery_code where staff = ${staff} and code_hash = ${hashOf(plainOf(code))}
    returning 1`.execute(db)
  return rows.length === 1
}

function makeCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** What people type, as it was made: without dashes and spaces, and with o, i and l as digits. */
function plainOf(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
