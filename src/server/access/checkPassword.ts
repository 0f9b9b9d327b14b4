import { sql } from 'kysely'
import { afterReply } from '../core/afterReply.ts'
import type { Call } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { hashPassword, isPassword, isWeak, OLD_COST } from './password.ts'

/**
 * Returns the id of the person that `who` selects (a condition on staff under the alias s) if the password is theirs,
 * else undefined; it takes the same time if there is no such person. A hash with a lower cost than the present one is
 * replaced after the reply.
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
