import { sql } from 'kysely'
import { afterReply } from '../afterReply.ts'
import type { Call } from '../call.ts'
import type { Sql } from '../db.ts'
import { hashPassword, isPassword, isWeak, OLD_COST } from './password.ts'

/**
 * The id of the person that `who` selects, a condition on staff as s, where this is their password; undefined where it
 * is wrong or there is nobody, which takes as long. A password that was hashed more cheaply than today is hashed anew
 * after the reply.
 */
export async function checkPassword(call: Call, password: string, who: Sql): Promise<number | undefined> {
  const { db, settings } = call
  const { rows } = await sql<{ id: number; hash: string | null; slowest: number | null }>`
    select s.id, s.password_hash as hash, slowest
    from (select max(coalesce(substring(password_hash from 'ln=(\\d+)')::int, ${OLD_COST})) as slowest from staff
      where password_hash is not null) as hashes
    left join staff s on ${who}`.execute(db)
  const [{ id, hash, slowest }] = rows
  const isRight = await isPassword(password, hash, Math.max(slowest ?? 0, settings.PASSWORD_COST))
  if (!isRight) return undefined
  if (hash && isWeak(hash, settings.PASSWORD_COST))
    afterReply(call, async (later) => {
      const stronger = await hashPassword(password, settings.PASSWORD_COST)
      await sql`update staff set password_hash = ${stronger} where id = ${id} and password_hash = ${hash}`.execute(
        later,
      )
    })
  return id
}
