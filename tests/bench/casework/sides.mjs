import http from 'node:http'
import { openPool } from '../bare/database.mjs'
import { headersFor } from '../calls/ask.mjs'
import { later } from '../cleanUp.mjs'
import { answer } from './answers.mjs'

/** Who answers the requests of a database: the product, the bare server, and SQL alone in this process. */
export async function sidesOf({ url, token, product, bare }) {
  const headers = await headersFor(product.address, token)
  const pool = openPool(url)
  later(() => pool.end())
  const alone = (request) =>
    answer(pool, request.address, { ...request, authorization: headers.authorization, request: 'bench' })
  return { ours: overHttp(product.address, headers), bare: overHttp(bare, headers), sql: alone }
}

function overHttp(server, headers) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  later(() => agent.destroy())
  return ({ address, id, query = {}, body }) => {
    const [method, path] = address.split(' ')
    const search = new URLSearchParams(query).toString()
    const url = server + path.replace(':id', id) + (search && `?${search}`)
    const text = body && JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const request = http.request(
        url,
        { method, agent, headers: { ...headers, ...lengthOf(text) } },
        (reply) => {
          let said = ''
          reply.setEncoding('utf8').on('data', (part) => {
            said += part
          })
          reply.on('end', () =>
            Number(reply.statusCode) < 300
              ? resolve(said)
              : reject(new Error(`${method} ${url} answers ${reply.statusCode}: ${said.slice(0, 300)}`)),
          )
        },
      )
      request.on('error', reject).end(text)
    })
  }
}

const lengthOf = (text) => (text === undefined ? {} : { 'content-length': Buffer.byteLength(text) })
