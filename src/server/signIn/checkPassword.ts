import { sql } from 'kysely'
import { afterReply } from '../afterReply.ts'
import type { Call } from '../call.ts'
import { hashPassword, isPassword, isWeak, OLD_COST } from './password.ts'

/** Whether a person's password is right. One that was hashed more cheaply than today is hashed anew after the reply; nobody has id undefined. */
export async function checkPassword(call: Call, password: string, id: number | undefined): Promise<boolean> {
  const { db, settings } = call
  const { rows } = await sql<{ hash: string | null; slowest: number }>`select
    (select password_hash from staff where id = ${id ?? null}) as hash,
    (select max(coalesce(substring(password_hash from 'ln=(\\d+)')::int, ${OLD_COST})) from staff
      where password_hash is not null) as slowest`.execute(db)
  const [{ hash, slowest }] = rows
  const isRight = await isPassword(password, hash, Math.max(slowest ?? 0, settings.PASSWORD_COST))
  if (isRight && hash && isWeak(hash, settings.PASSWORD_COST))
    afterReply(call, async (later) => {
      const stronger = await hashPassword(password, settings.PASSWORD_COST)
      await sql`update staff set password_hash = ${stronger} where id = ${id} and password_hash = ${hash}`.execute(
        later,
      )
    })
  return isRight
}
