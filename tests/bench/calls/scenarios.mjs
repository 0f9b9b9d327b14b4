import { query } from './database.mjs'

const DRAFT = {
  kind: 'case',
  title: 'Call back on Monday',
  payload: { client: { first_name: 'Ann', last_name: 'Example' }, case: { answers: { is_urgent: 'no' } } },
}

const get = (path) => ({ method: 'GET', path })

/** What is asked of both servers: the requests of each scenario, asked in turn. */
export async function scenarios(url, clients) {
  return {
    'clients, page 1': [get('/api/clients/list?p=1')],
    'clients, page 500': [get(`/api/clients/list?p=${pageOf(500, clients, 50)}`)],
    'cases, page 1': [get('/cases/?p=1')],
    'cases, page 500': [get(`/cases/?p=${pageOf(500, clients, 10)}`)],
    'one client': every(clients, 200).map((id) => get(`/client/${id}/index/`)),
    'quick search': (await terms(url, clients)).map((term) =>
      get(`/api/quicksearch/clients/?term=${encodeURIComponent(term)}`),
    ),
    'create a draft': [{ method: 'POST', path: '/api/drafts', body: DRAFT }],
  }
}

/** The page asked for, or the last one of a database too small for it. */
const pageOf = (page, rows, size) => Math.min(page, Math.ceil(rows / size))

/** Ids spread over the whole table. */
const every = (rows, count) => Array.from({ length: count }, (_, i) => 1 + Math.floor((i * rows) / count))

// What people type: mostly the beginning of a name, then both names, an ending, one or two letters, a number.
const TYPED = [
  ...Array(5).fill(({ last_name }, i) => last_name.slice(0, 3 + (i % 4))),
  ...Array(2).fill(({ first_name, last_name }) => `${first_name} ${last_name.slice(0, 3)}`),
  ({ last_name }) => last_name.slice(-4),
  ({ first_name }, i) => first_name.slice(0, 1 + (i % 2)),
  ({ id }) => String(id),
]

async function terms(url, clients) {
  const rows = await query(
    url,
    'select id, lower(first_name) first_name, lower(last_name) last_name from clients where id = any($1) order by id',
    [every(clients, 200)],
  )
  return rows.map((row, i) => TYPED[i % TYPED.length](row, i))
}
