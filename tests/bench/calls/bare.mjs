// The yardstick: Fastify and pg with the SQL that the product runs for the same addresses, and nothing around it. It
// knows one role, the administrator, whose scope is `true`; it checks no body, no anti-forgery value and writes no log.
import { createHash } from 'node:crypto'
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

const CLIENT_ROW =
  'r.id, r.first_name, r.last_name, r.name, r.dob, r.postcode, r.status, r.created_by, r.search'
const CASE_ROW = `r.id, r.client, r.client_name, r.postcode, r.service, r.service_label, r.contract, r.contract_label,
  r.case_type, r.case_type_label, r.is_urgent, r.is_closed, r.open_issues, r.close_date, r.old_since, r.state, r.status,
  r.created_by`
const CLIENT = `r.id, r.version, r.title, r.first_name, r.last_name, r.known_as, r.dob, r.dod, r.nhs_number, r.gender,
  r.ethnicity, r.religion, r.sexual_orientation, r.phone, r.mobile, r.email, r.postcode, r.address, r.area, r.comm_needs,
  r.comm_preferences, r.notes, r.status, r.open_cases, r.closed_cases, r.created_by, r.created_at, r.updated_at`
const DRAFT = 'r.id, r.version, r.staff, r.kind, r.title, r.payload, r.created_at, r.updated_at'

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

const note = (client, me, action, entity, record, version, request) =>
  client.query(
    `insert into audit (staff, action, entity, record, version, changes, request) values ($1, $2, $3, $4, $5, $6, $7)`,
    [me.id, action, entity, record, version, null, request.id],
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
  await authenticate(request)
  const { term } = request.query
  const number = /^\d{1,9}$/.test(term) ? Number(term) : null
  const pattern = term.replaceAll(/\s+/g, ' ').replaceAll(/[\\%_]/g, '\\$&')
  const matches = number
    ? 'c.id = $1'
    : term.length < 3
      ? "c.search like searchable($1) || '%'"
      : "c.search like '%' || searchable($1) || '%'"
  const { rows } = await pool.query(
    `with found as materialized (select c.* from clients c where (${matches}) and true limit $2)
      select id, first_name, last_name, dob from found
      order by (id = $3) desc nulls last, last_name, first_name, id limit $4`,
    [number ?? pattern, 500, number, 10],
  )
  return rows
})

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
