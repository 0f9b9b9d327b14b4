// The yardstick: the SQL that the product runs for the addresses of casework, as an administrator, whose scope is `true`.
// What the product does besides is left out: no judging of answers, no changes in people's words, no log.
import { readFileSync } from 'node:fs'
import { fetchClient, openClient } from '../bare/openClient.mjs'
import { columnsOf, page } from '../bare/rows.mjs'
import { authenticate } from '../bare/session.mjs'
import { saveIssue } from './saveIssue.mjs'

const { $schema, ...LOOKUPS } = JSON.parse(readFileSync('schemas/lookups.json', 'utf8'))
const ALERT = columnsOf('alert')
const CHRONOLOGY = columnsOf('chronology')
const MAX_PAGE = 500

async function alerts(pool, { id, query }) {
  await fetchClient(pool, id)
  const asked = {
    from: 'client_alerts',
    columns: ALERT,
    where: 'true and r.client = $1',
    values: [id],
    order: 'r.kind asc nulls last, r.id desc',
  }
  return page(pool, asked, { ...query, page_size: Math.min(query.page_size, MAX_PAGE) })
}

async function chronology(pool, { id, query: { kind, ...query } }) {
  await fetchClient(pool, id)
  const asked = {
    from: 'chronology',
    columns: CHRONOLOGY,
    where: `true and r.client = $1 ${kind ? 'and r.kind = $2' : ''}`,
    values: kind ? [id, kind] : [id],
    order: 'r.happened_on desc nulls last, r.id desc',
  }
  const found = await page(pool, asked, query)
  // Outcomes are told by their labels.
  const types = found.data.flatMap(({ changes }) => changes?.ndti_outcomes?.to.map(({ type }) => type) ?? [])
  if (types.length > 0) await lookup(pool, 'ndti_outcome_type', [...new Set(types)])
  return found
}

/** The active items of a lookup, or those of some values. */
async function lookup(pool, kind, only) {
  const { rows } = await pool.query(
    `select attrs || jsonb_build_object('value', value, 'label', label)
        || case when active then '{}'::jsonb else '{"active": false}'::jsonb end as item
      from lookup where kind = $1 and ${only ? 'value = any($3::int[])' : 'active'}
      order by active desc, position, value limit $2`,
    only ? [kind, 2000, only] : [kind, 2000],
  )
  return rows.map(({ item }) => item)
}

const lookups = Object.entries(LOOKUPS)
  .filter(([, { from }]) => from === undefined)
  .map(([kind, { path }]) => [`GET ${path}`, (pool) => lookup(pool, kind)])

const ANSWERS = {
  'GET /api/staff/me/info': async (_, { me: { team, ...me } }) => ({ ...me, notifications: {} }),
  'GET /client/:id/index/': openClient,
  'GET /api/clients/:id/alerts': alerts,
  'GET /api/clients/:id/chronology': chronology,
  'PATCH /issue/:id/': saveIssue,
  ...Object.fromEntries(lookups),
}

/** What `answer` knows: method and path. */
export const ADDRESSES = Object.keys(ANSWERS)

/** The reply to one request: `given` is `{authorization, id, query, body, request}`, the last an id for the audit. */
export async function answer(pool, address, given) {
  const me = await authenticate(pool, given.authorization)
  return ANSWERS[address](pool, { ...given, me })
}
