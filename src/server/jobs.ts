import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db } from './db.ts'

const HOUR = 3_600_000

/** Every hour forgets what is over: sessions, password links, repeated-request keys, drafts; answers how to stop. */
export function startJobs(db: Db, log: FastifyBaseLogger): () => void {
  const sweep = async () => {
    await sql`delete from session where expires_at < now()`.execute(db)
    await sql`delete from password_reset where expires_at < now()`.execute(db)
    await sql`delete from idempotency where at < now() - interval '24 hours'`.execute(db)
    await sql`delete from drafts where updated_at < now() - interval '30 days'`.execute(db)
  }
  const run = () => sweep().catch((error) => log.warn({ code: error.code }, 'the hourly sweep failed'))
  const timer = setInterval(run, HOUR)
  timer.unref()
  run()
  return () => clearInterval(timer)
}
