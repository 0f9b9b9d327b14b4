import { Ajv } from 'ajv'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { roleIds } from '../../src/contract/access.ts'
import { bodyParametersOf, callOf, entityOfCall, parametersOf, verbOf } from '../../src/contract/call.ts'
import type { Parameter } from '../../src/contract/generated.ts'
import { forList, forReply } from '../../src/server/http/wire.ts'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let made: { id: number; client: number; issue: number }
beforeAll(async () => {
  const admin = await context.as('admin')
  made = await createCase(admin)
  await admin('drafts.create', { body: { kind: 'case' } })
  await admin('actions.addToIssue', { params: { id: made.issue }, body: { type: 1, done_on: '2026-02-02' } })
  await admin('tasks.create', { body: { title: 'Ring the ward', due: '2026-02-02', issue: made.issue } })
  await admin('activities.create', { body: { type: 1, commissioning_contract: 1, done_on: '2026-02-02' } })
  await admin('signposts.create', { params: { id: made.client }, body: { sp_org: 1 } })
  await admin('risks.create', { params: { id: made.client }, body: { type: 1 } })
  await admin('communicationIssues.create', { params: { id: made.client }, body: { type: 1 } })
  await sql`insert into lookup (kind, value, label) values ('hub', 1, 'Eastern Help Hub')`.execute(context.db)
  await sql`insert into referral_requests (hub, from_hub, service, case_type, from_client) values (1, 1, 1, 1, ${made.client})`.execute(
    context.db,
  )
  await sql`insert into referral_messages (hub, from_hub, request, text) values (1, 1, 1, 'Hello')`.execute(
    context.db,
  )
  await sql`insert into referral_comments (message, hub, text) values (1, 1, 'Seen')`.execute(context.db)
  const body = new FormData()
  body.append('file', new Blob(['words']), 'note.txt')
  await admin.raw('/api/files', { method: 'POST', body })
  await admin.raw(`/issue/${made.issue}/file/`, { method: 'POST', body })
  await sql`insert into bulk_uploads (name, state, case_type, created_by, acting)
    values ('cases.xlsx', 'ready', 1, ${admin.id}, ${admin.id})`.execute(context.db)
  await sql`insert into bulk_rows (upload, row, cells, state, errors)
    values (1, 2, '["x"]', 'wrong', '[{"column": 0, "value": "x", "message": "wrong"}]')`.execute(context.db)
})

describe('every entity against its table', () => {
  it.each(Object.entries(contract.entities).filter(([, e]) => e.table))('%s', async (_, entity) => {
    const columns = async (table: string) => {
      const { rows } = await sql<{
        name: string
        nullable: string
      }>`select column_name as name, is_nullable as nullable
        from information_schema.columns where table_name = ${table}`.execute(context.db)
      return new Map(rows.map((r) => [r.name, r.nullable === 'YES']))
    }
    const [readable, writable] = [await columns(entity.view ?? entity.table!), await columns(entity.table!)]
    for (const [name, property] of Object.entries(entity.properties)) {
      if (property.computed) continue
      expect([...readable.keys()]).toContain(name)
      if (property.readOnly) continue
      expect([...writable.keys()]).toContain(name)
      const types = [property.type].flat()
      if (writable.get(name) && !entity.view && !/_(rows|facts)$/.test(entity.table!))
        expect([name, types]).toEqual([name, expect.arrayContaining(['null'])])
    }
  })
})

/** Somebody whose role may make a call, and an id that it finds something by. */
async function callerFor(name: string) {
  const { roles } = contract.endpoints[name]
  const groups = roles === 'public' ? [] : roleIds(contract.roles, roles)
  const who = ['admin', 'hub', 'manager', 'hubmanager'].find((user) => {
    const { id } = contract.roles.roles.find(({ demo }) => demo === user)!
    return groups.includes(id)
  })
  const ids: Record<string, number> = {
    clients: made.client,
    issues: made.issue,
    cases: made.id,
    caseTypes: 1,
  }
  const [file] = name.split('.')
  const caller = await context.as(who)
  const isOfStaff = contract.endpoints[name].call.includes('/staff/{id}')
  return {
    caller,
    params: { id: isOfStaff ? caller.id : (ids[file] ?? 1), type: file === 'axes' ? 'accesslog' : 'title' },
  }
}

describe('every read of the contract', () => {
  const ajv = new Ajv({ strict: false, formats: { date: true, 'date-time': true } })
  const reads = Object.keys(contract.endpoints).filter((name) =>
    ['read', 'list', 'figures'].includes(verbOf(contract.endpoints[name])?.verb ?? ''),
  )

  it.each(reads)('%s answers what its entity says', async (name) => {
    const entity = contract.entities[entityOfCall(contract, name)!]
    const { caller, params } = await callerFor(name)
    const { status, body } = await caller(name, { params })
    expect(status).toBe(200)
    const validate = ajv.compile(
      verbOf(contract.endpoints[name])!.verb === 'read' ? forReply(entity) : forList(entity),
    )
    expect([validate(body), validate.errors]).toEqual([true, null])
  })
})

describe('every list of the contract', () => {
  const EXAMPLES = { string: 'a b', integer: 1, boolean: true, date: '2026-01-31' }
  const exampleOf = ({ type, match }: Parameter) =>
    match === 'answers' ? '1.case.date_received.set' : match === 'issueState' ? 'open' : EXAMPLES[type]
  const lists = Object.keys(contract.endpoints).filter(
    (name) =>
      verbOf(contract.endpoints[name])?.verb === 'list' || contract.endpoints[name].query?.includes('paged'),
  )

  /** In `npm test` every order of the first list of an entity; its other lists have the same columns. */
  const isSortedWhole = (name: string) =>
    FULL || name === lists.find((one) => entityOfCall(contract, one) === entityOfCall(contract, name))

  it.each(lists)(
    '%s is filtered by each of its parameters and sorted by each of its fields',
    async (name) => {
      const { caller, params } = await callerFor(name)
      const known = parametersOf(contract, contract.endpoints[name])
      const entity = contract.entities[entityOfCall(contract, name)!]
      const queries: Record<string, string | number | boolean>[] = Object.entries(known)
        .filter(([parameter, { match }]) => match || parameter === 'page')
        .map(([name, parameter]) => ({ [name]: exampleOf(parameter) }))
      // What a handler lists has its own order.
      if (known.order_by && verbOf(contract.endpoints[name]) && isSortedWhole(name))
        for (const [field] of Object.entries(entity.properties).filter(([, { computed }]) => !computed))
          queries.push({ order_by: field }, { order_by: `-${field}` })
      // A search takes its filters in the body, and looks for nothing without one.
      const filters = bodyParametersOf(contract, contract.endpoints[name])
      const [filter] = Object.entries(filters).map(([one, parameter]) => ({ [one]: exampleOf(parameter) }))
      for (const sent of queries) {
        const isFilter = Object.keys(sent).every((one) => one in filters)
        const options = isFilter ? { body: sent } : { query: sent, ...(filter && { body: filter }) }
        const { status, body } = await caller(name, { params, ...options })
        expect([sent, status, body]).toEqual([sent, 200, expect.anything()])
      }
    },
  )
})

describe('the OpenAPI document', () => {
  it('has every call and every lookup', async () => {
    const { body } = await (await context.as()).raw('/openapi.json')
    const operations = Object.values(body.paths as Record<string, object>).flatMap((p) => Object.keys(p))
    expect(body.openapi).toBe('3.1.0')
    expect(operations).toHaveLength(
      Object.keys(contract.endpoints).length + Object.keys(contract.lookups).length,
    )
  })
})

describe('a list has the keys that its descriptor declares beside its rows', () => {
  const declared = Object.entries(contract.endpoints).flatMap(([name, { replyKeys }]) =>
    replyKeys ? [{ name, replyKeys: replyKeys as string[] }] : [],
  )
  /** Values of path parameters by the first part of the name of a call. */
  const params = (name: string) => ({
    id: { clients: made.client, issues: made.issue, fields: 1 }[name.split('.')[0]] ?? made.id,
    app: 'core',
    type: name.startsWith('axes.') ? 'accesslog' : 'contracts',
    form: 'issue',
    field: 'sfg_concern',
  })

  it.each(declared)('$name', async ({ name, replyKeys }) => {
    const admin = await context.as('admin')
    const isRead = callOf(contract.endpoints[name]).method === 'GET'
    const { status, body } = await admin(name, { params: params(name), ...(!isRead && { body: {} }) })
    expect(status).toBe(200)
    for (const key of replyKeys) expect(body).toHaveProperty(key)
  })
})
