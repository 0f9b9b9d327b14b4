// A yardstick that does the product's duties (session read from the database, row, audit row) by SQL of its own, in as few
// statements as they need, each planned once a connection: unlike bare.mjs it shows what the product's own SQL costs.
import Fastify from 'fastify'
import { openPool } from '../bare/database.mjs'
import { columnsOf } from '../bare/rows.mjs'
import { authenticate } from '../bare/session.mjs'

/** @typedef {import('../bare/server.mjs').BareRequest} Request */

const pool = openPool(process.env.DATABASE_URL)
const app = Fastify()

const planned = (name) => ({ query: (text, values) => pool.query({ name, text, values }) })
const sessions = planned('session')
const whoAsks = (request) => authenticate(sessions, request.headers.authorization)

const CLIENT = columnsOf('client').filter((column) => !/open_cases|closed_cases/.test(column))
const IS_OPEN = 'k.open_issues > 0 or k.issue_count = 0'
const casesThat = (condition) => `coalesce(json_agg(json_build_object('id', k.id, 'case_type_label', t.label,
  'service_label', s.label, 'status', k.status, 'start_date', i.start_date) order by k.id desc)
  filter (where ${condition}), '[]')`
const OPEN_CLIENT = `
  with opened as (
    insert into audit (staff, action, entity, record, request) select $2, 'open', 'client', id, $3 from clients where id = $1
  )
  select ${CLIENT}, of_client.* from clients r, lateral (
    select ${casesThat(IS_OPEN)} as open_cases, ${casesThat(`not (${IS_OPEN})`)} as closed_cases
    from cases k join case_types t on t.id = k.case_type
    left join lookup s on s.kind = 'services' and s.value = k.service
    left join lateral (select min(start_date) as start_date from issues where "case" = k.id) i on true
    where k.client = r.id and k.status = 1
  ) of_client where r.id = $1`
const CREATE_DRAFT = `
  with counted as materialized (select id from staff where id = $4 for no key update),
  kept as materialized (
    select count(*) as drafts, sum(octet_length(payload::text)) as bytes from drafts where staff = (select id from counted)
  ), added as (
    insert into drafts (kind, title, payload, staff) select $1, $2, $3::jsonb, $4 from kept where drafts < 200
    returning id, version, staff, kind, title, address, null as link, referral, payload, created_at, updated_at
  ), noted as (
    insert into audit (staff, action, entity, record, version, request) select $4, 'create', 'draft', id, 1, $5 from added
  )
  select * from added`

app.get('/client/:id/index/', async (/** @type {Request} */ request) => {
  const me = await whoAsks(request)
  const { rows } = await planned('open client').query(OPEN_CLIENT, [request.params.id, me.id, request.id])
  return rows[0]
})

app.post('/api/drafts', async (/** @type {Request} */ request, reply) => {
  const me = await whoAsks(request)
  const { kind, title, payload } = request.body
  const values = [kind, title, JSON.stringify(payload), me.id, request.id]
  const { rows } = await planned('create draft').query(CREATE_DRAFT, values)
  reply.code(201)
  return rows[0]
})

process.send?.({ address: await app.listen({ host: '127.0.0.1', port: 0 }) })
