import { sql } from 'kysely'
import type { Call } from './call.ts'

/**
 * Reserves one guess for an account before any password is judged, in one statement; false once the limit is reached.
 * The count starts anew LOCK_MINUTES after the last judged guess.
 */
export async function reserveGuess({ db, settings }: Call, username: string): Promise<boolean> {
  const { rows } =
    await sql`insert into access_attempt as a (key, failures_since_start) values (${key(username)}, 1)
    on conflict (key) do update set attempt_time = now(), failures_since_start =
      case when a.attempt_time < ${longAgo(settings.LOCK_MINUTES)} then 1 else a.failures_since_start + 1 end
    where a.failures_since_start < ${settings.LOCK_AFTER} or a.attempt_time < ${longAgo(settings.LOCK_MINUTES)}
    returning 1`.execute(db)
  return rows.length === 1
}

/** Forgets the guesses of an account, after its right password. */
export async function clearGuesses({ db }: Call, username: string): Promise<void> {
  await sql`delete from access_attempt where key = ${key(username)}`.execute(db)
}

function key(username: string): string {
  return `user:${username.slice(0, 150)}`
}

function longAgo(minutes: number) {
  return sql`now() - make_interval(mins => ${minutes})`
}
