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
 * Draining ends once no call has come for QUIET_MS, because proxies take longer on a busy machine, but at the latest
 * after MAX_DRAIN_MS.
 */
const QUIET_MS = 500
const MAX_DRAIN_MS = 8000

const CHECKS = new Set<string | undefined>(['/healthz', '/readyz'])

/**
 * Registers GET /healthz (the process accepts calls) and GET /readyz (the database does too). A read-only database,
 * such as a standby before its promotion, is not ready: every change would fail.
 */
export function registerHealth(app: FastifyInstance, db: Db): void {
  let checkedAt = Number.NEGATIVE_INFINITY
  let calledAt = Number.NEGATIVE_INFINITY
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (!CHECKS.has(routeOptions.url)) calledAt = performance.now()
  })
  const onRequest = async () => {
    checkedAt = performance.now()
    if (app.isStopping) throw problem('stopping')
  }
  app.decorate('isStopping', false)
  app.decorate('drain', async () => {
    app.isStopping = true
    const since = performance.now()
    if (since - checkedAt >= CHECK_WINDOW_MS) return
    await sleep(DRAIN_MS)
    while (performance.now() - calledAt < QUIET_MS && performance.now() - since < MAX_DRAIN_MS)
      await sleep(50)
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
