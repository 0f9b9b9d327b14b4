import { fromSource } from '../fromSource.mjs'
import { FORMS, LARGE_BODIES, LARGE_VALUES, SLOW_ANSWERS } from './bodies.mjs'
import { FILES, formOf, FORMS as MULTIPART_FORMS } from './uploads.mjs'

const { bodyNames, withValue } = await fromSource('tests/server/bodyNames.ts')
const { parametersOf } = await fromSource('src/contract/call.ts')
/** Calls that take forms of a case type. */
const WITH_FORMS = ['caseTypes.checkShape', 'caseTypes.saveDraft', 'caseTypes.create', 'caseTypes.update']
const UPLOADS = [
  'documents.upload',
  'files.upload',
  'admin.preview',
  'admin.apply',
  'admin.add',
  'admin.change',
]
/** Characters of the longest query that fits into a request's head. */
const MAX_QUERY_LENGTH = 15_000
const MANY = 700

/**
 * Every hostile request: `{call, what, method, path}` with a `body`, or a `form` that makes a multipart one. Those that could end a record come last; the one that ends
 * the session is left out. `ids` are of records that are there, `wholeCase` is the body of a case that is right,
 * `slowIssue` the id of an issue whose form is as slow as one may be.
 */
export function* hostileRequests(contract, { metas, ids, wholeCase, slowIssue }) {
  const calls = Object.entries(contract.endpoints).map(([call, endpoint]) => {
    const [method, path] = endpoint.call.split(' ')
    const [of] = call.split('.')
    const params = {
      id: ids[of] ?? 1,
      type: of === 'axes' ? 'accesslog' : 'title',
      app: 'core',
      version: 1,
      token: 'x',
    }
    const names = bodyNames(contract, metas, call)
    return { call, endpoint, method, names, path: path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name]) }
  })
  const json = ({ call, method, path }, what, body) => ({
    call,
    what,
    method,
    path,
    body: JSON.stringify(body),
  })
  const [named, others] = [
    calls.filter(({ names }) => names.length > 0),
    calls.filter(({ names }) => names.length === 0),
  ]

  const update = calls.find(({ call }) => call === 'issues.update')
  if (!update) throw new Error('no call issues.update')
  const toSlowForm = { ...update, path: update.path.replace(`${ids.issues}`, slowIssue) }
  for (const [what, answers] of Object.entries(SLOW_ANSWERS))
    yield json(toSlowForm, `slow form: ${what}`, { answers })
  for (const one of named) {
    for (const [what, body] of Object.entries(LARGE_BODIES)) yield json(one, what, body)
    const base = rightBody(one.call, wholeCase)
    for (const name of representative(one.names, metas))
      for (const [what, value] of Object.entries(LARGE_VALUES))
        yield json(one, `${what} in ${name}`, withValue(base, name, value))
    for (const [name, columns] of rowsOf(one.names))
      yield json(one, `named rows in ${name}`, withValue(base, name, rows(columns)))
  }
  for (const one of named.filter(({ call }) => WITH_FORMS.includes(call)))
    for (const [what, form] of Object.entries(FORMS)) {
      const body = { label: what, service: 1, rev: 0, base_version: 1, case_meta: [], issue_meta: form }
      yield json(one, `form: ${what}`, one.call === 'caseTypes.update' ? { issue_meta: form } : body)
    }
  for (const one of others.filter(({ method, endpoint }) => method === 'GET' && !endpoint.touches))
    for (const query of queries(Object.keys(parametersOf(contract, one.endpoint))))
      yield { ...one, what: `?${query.slice(0, 30)}…`, path: `${one.path}?${query}` }
  for (const [name, { path, by = [] }] of Object.entries(contract.lookups))
    for (const query of queries([...by, 'term']))
      yield {
        call: `lookup ${name}`,
        what: `?${query.slice(0, 30)}…`,
        method: 'GET',
        path: `${path}?${query}`,
      }
  for (const one of others.filter(({ call, method }) => method !== 'GET' && call !== 'auth.logout'))
    for (const [what, body] of Object.entries(LARGE_BODIES)) yield json(one, what, body)
  for (const { call, method, path } of calls.filter(takesFile)) {
    for (const [what, file] of Object.entries(FILES))
      yield { call, what: `upload: ${what}`, method, path, form: () => formOf(file()) }
    for (const [what, form] of Object.entries(MULTIPART_FORMS))
      yield { call, what: `upload: ${what}`, method, path, form }
  }
}

/** Calls that read a file from a multipart body. */
function takesFile({ call, endpoint }) {
  return endpoint.does.startsWith('upload ') || UPLOADS.includes(call)
}

/** The lists of the contract as Excel files. */
export function exportsOf(contract, ids) {
  const lists = Object.entries(contract.endpoints).filter(([, { query }]) => query?.includes('paged'))
  return lists.map(([call, endpoint]) => {
    const [method, path] = endpoint.call.split(' ')
    const filled = path.replace('{id}', ids[call.split('.')[0]] ?? 1).replace('{type}', 'title')
    return { call, what: 'as an Excel file', method, path: `${filled}?format=xlsx` }
  })
}

function rightBody(call, wholeCase) {
  if (call === 'cases.create') return wholeCase
  return call === 'cases.addIssue' ? wholeCase.issue : {}
}

/** Places of a body to try: all but the columns of rows, and of answers one of each type. */
function representative(names, metas) {
  const fields = [...metas.case_meta, ...metas.issue_meta].flatMap((group) => group.fields)
  const typeOf = new Map(fields.map(({ name, type }) => [name, type]))
  const seen = new Set()
  return names.filter((name) => {
    if (/\.0(\.|$)/.test(name)) return false
    const [, answer] = name.match(/answers\.(\w+)$/) ?? []
    const type = answer && typeOf.get(answer)
    if (!type) return true
    const isNew = !seen.has(type)
    seen.add(type)
    return isNew
  })
}

/** Repeats and their columns. */
function rowsOf(names) {
  const repeats = new Map()
  for (const name of names) {
    const [, repeat, column] = name.match(/^(.*)\.0\.(\w+)$/) ?? []
    if (repeat) repeats.set(repeat, [...(repeats.get(repeat) ?? []), column])
  }
  return repeats
}

const VALUES = 45_000

/** As many rows with a value in the first columns as fit into a body. */
function rows(columns) {
  const row = (i) => ({ row: `${i}`, ...Object.fromEntries(columns.slice(0, 4).map((name) => [name, 'x'])) })
  return Array.from({ length: Math.floor(VALUES / (columns.slice(0, 4).length + 2)) }, (_, i) => row(i))
}

function queries(names) {
  const tried = names.flatMap((name) => [
    `${name}=${'x'.repeat(MAX_QUERY_LENGTH)}`,
    `${name}=${'1,'.repeat(MAX_QUERY_LENGTH / 2)}1`,
    Array.from({ length: MANY }, (_, i) => `${name}=${i}`).join('&'),
  ])
  return [...tried, Array.from({ length: MANY }, (_, i) => `k${i}=1`).join('&')]
}
