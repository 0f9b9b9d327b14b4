import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../core/db.ts'
import { asProblem, problem } from '../core/problems.ts'

/** Milliseconds after a health check in which a proxy is assumed to check regularly. */
const CHECK_WINDOW_MS = 10_000
/** Milliseconds in which such a proxy sees that its check fails. */
const DRAIN_MS = 2500

/**
 * Registers GET /healthz (the process accepts calls) and GET /readyz (the database does too). A read-only database,
 * such as a standby before its promotion, is not ready: every change would fail.
 */
export function registerHealth(app: FastifyInstance, db: Db): void {
  let checkedAt = Number.NEGATIVE_INFINITY
  const onRequest = async () => {
    checkedAt = performance.now()
    if (app.isStopping) throw problem('stopping')
  }
  app.decorate('isStopping', false)
  app.decorate('drain', async () => {
    app.isStopping = true
    if (performance.now() - checkedAt < CHECK_WINDOW_MS) await sleep(DRAIN_MS)
  })
  app.get('/healthz', { onRequest }, async () => ({ ok: true }))
  app.get('/readyz', { onRequest }, async (request, reply) => {
    try {
      const { rows } = await sql<{
        readOnly: boolean
      }>`select current_setting('transaction_read_only')::boolean as "readOnly"`.execute(db)
      if (rows[0].readOnly) throw problem('readOnly')
      return { ready: true }
    } catch (error) {
      const { body } = asProblem(error)
      request.log.warn(
        { id: request.id, problem: body.code, code: (error as { code?: string }).code },
        'not ready',
      )
      return reply.code(503).send({ ready: false, ...body })
    }
  })
}
