import { sql } from 'kysely'
import type { Db } from '../core/db.ts'
import { hashToken, makeToken } from './token.ts'

/** Creates the single-use token for the first administrator; undefined if there is any staff. */
export async function offerSetup(db: Db): Promise<string | undefined> {
  const { rows } = await sql`select 1 from staff limit 1`.execute(db)
  if (rows.length > 0) return undefined
  const token = makeToken()
  await sql`insert into setting (name, value) values ('setup', ${storedHash(token)})
    on conflict (name) do update set value = excluded.value`.execute(db)
  return token
}

/** Deletes the token; false if it is wrong, or if there is any staff. */
export async function useSetupToken(db: Db, token: string): Promise<boolean> {
  const { rows } = await sql`delete from setting where name = 'setup' and value = ${storedHash(token)}::jsonb
    and not exists (select 1 from staff) returning 1`.execute(db)
  return rows.length === 1
}

function storedHash(token: string): string {
  return JSON.stringify(hashToken(token).toString('hex'))
}
