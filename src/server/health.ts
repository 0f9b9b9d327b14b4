import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from './db.ts'

/** /healthz: the process lives; /readyz: the product can be used, database included. */
export function registerHealth(app: FastifyInstance, db: Db): void {
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (_, reply) => {
    const ready = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    )
    return reply.code(ready ? 200 : 503).send({ ready })
  })
}
