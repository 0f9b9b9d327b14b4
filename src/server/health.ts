import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import { asProblem, problem } from './problems.ts'

/**
 * /healthz: the process lives; /readyz: the product can be used, database included. A database that can only be read, as
 * a standby before its promotion, is not ready: every change would fail.
 */
export function registerHealth(app: FastifyInstance, db: Db): void {
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (request, reply) => {
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
