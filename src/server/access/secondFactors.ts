import { sql } from 'kysely'
import type { Db, Sql } from '../core/db.ts'

export interface Factors {
  authenticator: boolean
  passkey: boolean
}

/** The columns of Factors; `row` is the alias of staff in the query. */
export function factorColumns(row: string): Sql {
  const id = sql.ref(`${row}.id`)
  return sql`exists (select from authenticator a where a.staff = ${id} and a.confirmed_at is not null) as authenticator,
    exists (select from passkey p where p.staff = ${id}) as passkey`
}

export async function factorsOf(db: Db, staff: number): Promise<Factors> {
  const { rows } =
    await sql<Factors>`select ${factorColumns('s')} from staff s where s.id = ${staff}`.execute(db)
  return rows[0] ?? { authenticator: false, passkey: false }
}

export async function hasFactor(db: Db, staff: number): Promise<boolean> {
  const { authenticator, passkey } = await factorsOf(db, staff)
  return authenticator || passkey
}

export async function removeFactors(db: Db, staff: number): Promise<void> {
  await sql`delete from authenticator where staff = ${staff}`.execute(db)
  await sql`delete from passkey where staff = ${staff}`.execute(db)
  await forgetProofs(db, staff)
}

/**
 * Forgets, after a factor was removed, what was proved by it: the trust in browsers and sign-ins that have begun; and
 * after the last one the recovery codes too.
 */
export async function forgetProofs(db: Db, staff: number): Promise<void> {
  await sql`delete from sign_in_step where staff = ${staff}`.execute(db)
  await sql`update known_device set trusted_until = null where staff = ${staff}`.execute(db)
  if (!(await hasFactor(db, staff))) await sql`delete from recovery_code where staff = ${staff}`.execute(db)
}
