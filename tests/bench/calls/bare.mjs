// The yardstick: Fastify and pg with the SQL that the product runs for the same addresses, and nothing around it. It
// knows one role, the administrator, whose scope is `true`; it checks no body, no anti-forgery value and writes no log.
import Fastify from 'fastify'
import { openPool, transaction } from '../bare/database.mjs'
import { openClient } from '../bare/openClient.mjs'
import { columnsOf, note, page } from '../bare/rows.mjs'
import { authenticate } from '../bare/session.mjs'

/** @typedef {import('../bare/server.mjs').BareRequest} Request */

const pool = openPool(process.env.DATABASE_URL)
const app = Fastify()

const CLIENT_ROW = columnsOf('clientRow')
const CASE_ROW = columnsOf('caseRow')
const DRAFT = columnsOf('draft')

const whoAsks = (request) => authenticate(pool, request.headers.authorization)

app.get('/api/clients/list', async (/** @type {Request} */ request) => {
  await whoAsks(request)
  return page(pool, { from: 'client_rows', columns: CLIENT_ROW }, { page_size: 50, ...request.query })
})

app.get('/cases/', async (/** @type {Request} */ request) => {
  await whoAsks(request)
  const { data, pagination } = await page(pool, { from: 'case_rows', columns: CASE_ROW }, request.query)
  const order = data.map(({ id }) => id)
  return { data: Object.fromEntries(data.map((row) => [row.id, row])), order, pagination }
})

app.get('/client/:id/index/', async (/** @type {Request} */ request) => {
  const me = await whoAsks(request)
  return openClient(pool, { me, id: request.params.id, request: request.id })
})

app.get('/api/quicksearch/clients/', async (/** @type {Request} */ request) => {
  const me = await whoAsks(request)
  const term = request.query.term.trim()
  const changes = { term: { from: null, to: term } }
  await note(pool, { me, action: 'search', entity: 'client', changes, request: request.id })
  const number = /^\d{1,9}$/.test(term) ? Number(term) : null
  const pattern = term.replaceAll(/\s+/g, ' ').replaceAll(/[\\%_]/g, '\\$&')
  const { rows } = await pool.query(
    `with found as materialized (select c.* from clients c where (${matches(term, number)}) and true limit $2)
      select id, first_name, last_name, dob from found
      order by (id = $3) desc nulls last, last_name, first_name, id limit $4`,
    [number ?? pattern, 100, number, 10],
  )
  return rows
})

function matches(term, number) {
  if (number) return 'c.id = $1'
  const letters = [...term.normalize('NFD').matchAll(/[\p{L}\p{N}]/gu)].length
  return letters < 3
    ? "c.search like searchable($1) || '%' or c.search like '% ' || searchable($1) || '%'"
    : "c.search like '%' || searchable($1) || '%'"
}

app.post('/api/drafts', async (/** @type {Request} */ request, reply) => {
  const me = await whoAsks(request)
  const { kind, title, payload } = request.body
  return transaction(pool, async (db) => {
    // What one person keeps is counted, one draft after the other.
    await db.query('select from staff where id = $1 for no key update', [me.id])
    await db.query(
      'select count(*), sum(octet_length(payload::text)) from drafts where staff = $1 and id is distinct from $2',
      [me.id, null],
    )
    const { rows } = await db.query(
      'insert into drafts (kind, title, payload, staff) values ($1, $2, $3, $4) returning id',
      [kind, title, JSON.stringify(payload), me.id],
    )
    const { id } = rows[0]
    await note(db, { me, action: 'create', entity: 'draft', record: id, version: 1, request: request.id })
    reply.code(201)
    const added = await db.query(`select ${DRAFT} from draft_rows r where r.id = $1 and r.staff = $2`, [
      id,
      me.id,
    ])
    return added.rows[0]
  })
})

process.send?.({ address: await app.listen({ host: '127.0.0.1', port: 0 }) })
