// The yardstick: Fastify and pg with the SQL that the product runs for the same addresses, and nothing around it. It
// knows one role, the administrator, whose scope is `true`; it checks no body, no anti-forgery value and writes no log.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'

pg.types.setTypeParser(1082, (text) => text)
pg.types.setTypeParser(20, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()

const SESSION = `
  with recursive live as (
    select * from session where token_hash = $1 and expires_at > now() and seen_at > now() - make_interval(secs => $2)
  ), seen as (
    update session s set seen_at = now() from live
    where s.token_hash = live.token_hash and live.seen_at < now() - interval '20 seconds'
  ), team as (
    select a.id from staff a join live on a.id = live.staff
    union select b.id from staff b join team on b.line_manager = team.id
  )
  select a.id, a.username, a.first_name, a.last_name, a.email, a.groups, a.status, a.hub, a.services, a.contracts,
    array(select id from team) as team
  from live join staff a on a.id = live.staff where a.status = any($3::int[])`

/** The columns that the product reads of an entity, of the alias r. */
function columnsOf(entity) {
  const { properties } = JSON.parse(readFileSync(`schemas/entities/${entity}.json`, 'utf8'))
  return Object.keys(properties).map((name) => `r."${name}"`)
}
const CLIENT_ROW = columnsOf('clientRow')
const CASE_ROW = columnsOf('caseRow')
const CLIENT = columnsOf('client')
const DRAFT = columnsOf('draft')

async function authenticate(request) {
  const token = request.headers.authorization.slice('Token '.length)
  const hash = createHash('sha256').update(token).digest()
  const { rows } = await pool.query(SESSION, [hash, 672, [1, 4]])
  if (!rows[0]) throw new Error('no session')
  return rows[0]
}

async function transaction(work) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function page(from, columns, { p = 1, page_size = 10 }) {
  const size = Number(page_size)
  const [{ rows: data }, { rows: counts }] = await Promise.all([
    pool.query(
      `select ${columns} from (select r.id as id from ${from} r where true order by r.id desc limit $1 offset $2) page
        join ${from} r on r.id = page.id order by r.id desc`,
      [size, (p - 1) * size],
    ),
    pool.query(`select count(*) as n from (select 1 from ${from} r where true limit $1) capped`, [10_001]),
  ])
  const count = Math.min(counts[0].n, 10_000)
  const pagination = {
    p: Number(p),
    page_size: size,
    count,
    more: counts[0].n > 10_000,
    num_pages: Math.ceil(count / size),
  }
  return { data, pagination }
}

const note = (client, me, action, entity, record, version, request, changes) =>
  client.query(
    `insert into audit (staff, action, entity, record, version, changes, request) values ($1, $2, $3, $4, $5, $6, $7)`,
    [me.id, action, entity, record, version, changes ? JSON.stringify(changes) : null, request.id],
  )

app.get('/api/clients/list', async (request) => {
  await authenticate(request)
  return page('client_rows', CLIENT_ROW, { page_size: 50, ...request.query })
})

app.get('/cases/', async (request) => {
  await authenticate(request)
  const { data, pagination } = await page('case_rows', CASE_ROW, request.query)
  return { data: Object.fromEntries(data.map((row) => [row.id, row])), pagination }
})

app.get('/client/:id/index/', async (request) => {
  const me = await authenticate(request)
  const { id } = request.params
  return transaction(async (client) => {
    const { rows } = await client.query(`select ${CLIENT} from client_record r where r.id = $1 and true`, [
      id,
    ])
    await note(client, me, 'open', 'client', id, null, request)
    return rows[0]
  })
})

app.get('/api/quicksearch/clients/', async (request) => {
  const me = await authenticate(request)
  const { term } = request.query
  await note(pool, me, 'search', 'client', null, null, request, { term: { from: null, to: term } })
  const number = /^\d{1,9}$/.test(term) ? Number(term) : null
  const pattern = term.replaceAll(/[\\%_]/g, '\\$&')
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
  return term.length < 3
    ? "c.search like searchable($1) || '%' or c.search like '% ' || searchable($1) || '%'"
    : "c.search like '%' || searchable($1) || '%'"
}

app.post('/api/drafts', async (request, reply) => {
  const me = await authenticate(request)
  const { kind, title, payload } = request.body
  return transaction(async (client) => {
    const { rows } = await client.query(
      'insert into drafts (kind, title, payload, staff) values ($1, $2, $3, $4) returning id',
      [kind, title, JSON.stringify(payload), me.id],
    )
    const { id } = rows[0]
    await note(client, me, 'create', 'draft', id, 1, request)
    reply.code(201)
    const added = await client.query(`select ${DRAFT} from draft_rows r where r.id = $1 and r.staff = $2`, [
      id,
      me.id,
    ])
    return added.rows[0]
  })
})

process.send({ address: await app.listen({ host: '127.0.0.1', port: 0 }) })
