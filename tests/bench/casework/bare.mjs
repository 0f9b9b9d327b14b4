// The yardstick as a server: Fastify with the SQL of answers.mjs, and nothing around it.
import Fastify from 'fastify'
import { openPool } from '../bare/database.mjs'
import { ADDRESSES, answer } from './answers.mjs'

const pool = openPool(process.env.DATABASE_URL)
const app = Fastify()

for (const address of ADDRESSES) {
  const [method, url] = address.split(' ')
  app.route({
    method,
    url,
    handler: (/** @type {import('../bare/server.mjs').BareRequest} */ { headers, params, query, body, id }) =>
      answer(pool, address, {
        authorization: headers.authorization,
        id: Number(params.id),
        query,
        body,
        request: id,
      }),
  })
}

process.send?.({ address: await app.listen({ host: '127.0.0.1', port: 0 }) })
