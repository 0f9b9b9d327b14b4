import { resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { allows } from '../../src/contract/access.ts'
import { callOf, isWrite, partsOf } from '../../src/contract/call.ts'
import { editableFields, groupsOf } from '../../src/contract/entity.ts'
import type { Action } from '../../src/contract/generated.ts'
import { requestedFields } from '../../src/contract/requestedFields.ts'
import { ROLE } from '../../src/contract/roles.ts'
import type { Values } from '../../src/contract/when.ts'
import { bodyOf } from '../../src/engine/actions/body.ts'
import { isOffered } from '../../src/engine/actions/isOffered.ts'
import { menuOf } from '../../src/engine/core/menuOf.ts'
import { openDatabase, type Tx } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { createApp } from '../../src/server/http/app.ts'
import { withPurgeRoles } from '../../src/server/ops/start/purgeRoles.ts'
import { FULL } from '../full.ts'
import { contract as loadedContract } from '../loadedContract.ts'
import { type Caller, signIn } from './context.ts'
import { demoDatabase } from './database.ts'
import { example } from './newCase.ts'

/** Rows of a list, and records of a kind, on which each action is tried as each person. */
const ROWS = FULL ? 3 : 1
/** Refusals of an action by who somebody is or the state of a record; a wrong input is a 400 at its field. */
const REFUSED = [403, 404, 409]
/** Messages of a 400 that say that the record is in no state for the action, whatever is entered. */
const BY_STATE = /already|any more|is closed|is open\b/
/** Lists whose rows are of the person themselves, not of a record in the address. */
const SAMPLES: Record<string, { list: string; query?: Values; at: (row: Values) => Values }[]> = {
  '/cases/{case}/issues/{id}': [
    { list: 'issues.open', at: issueAt },
    { list: 'issues.mine', at: issueAt },
    { list: 'issues.mine', query: { state: 'closed' }, at: issueAt },
    { list: 'reports.issueRows', at: issueAt },
  ],
  '/cases/{id}': [
    { list: 'cases.active', at: ({ id }) => ({ id }) },
    { list: 'reports.oldCases', at: ({ id }) => ({ id }) },
  ],
  '/clients/{id}': [{ list: 'clients.list', at: ({ id }) => ({ id }) }],
  '/advocate/{id}': [{ list: 'staff.list', at: ({ id }) => ({ id }) }],
  '/dashboard/referral-requests/{id}': [{ list: 'referrals.list', at: ({ id }) => ({ id }) }],
  '/dashboard/referral-messages/{id}': [{ list: 'referrals.messages', at: ({ id }) => ({ id }) }],
  '/dashboard/case-uploads/{id}': [{ list: 'bulk.uploads', at: ({ id }) => ({ id }) }],
}

function issueAt(row: Values): Values {
  return { id: row.issue ?? row.id, case: row.case }
}

/** A result that is kept while the transaction that made it is rolled back. */
class Undone {
  constructor(readonly result: unknown) {}
}

// Days such as '+1d' are counted in the time zone that the page names.
vi.stubGlobal('document', { querySelector: () => ({ content: 'Europe/London' }) })

const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

/** A server on demo data whose writes are rolled back once their reply is known, so that each action finds it as it was. */
async function demoServer(options: { COMMISSIONER_READS_RECORDS?: string }) {
  const settings = readSettings({ LOG_LEVEL: 'silent', PASSWORD_COST: '10', ...options })
  const contract = withPurgeRoles(loadedContract, settings)
  const database = await demoDatabase()
  const { close, ...pools } = openDatabase(database.url)
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    pools
      .write(async (tx) => {
        throw new Undone(await work(tx))
      })
      .catch((error: unknown) => {
        if (error instanceof Undone) return error.result as T
        throw error
      })
  const app = await createApp({
    ...pools,
    databaseUrl: database.url,
    contract,
    settings,
    web: resolve('dist/web'),
    write,
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  ends.push(async () => {
    await app.close()
    await close()
    await database.drop()
  })
  return {
    contract,
    settings,
    db: pools.db,
    as: (name: string) => signIn(contract, address, name, settings.DEMO_PASSWORD),
  }
}

type Server = Awaited<ReturnType<typeof demoServer>>

type Columns = (string | { field: string; tick?: Action; empty?: Action })[]

/** What screens of all kinds have of actions. */
interface AnyScreen {
  kind: string
  route: string
  roles?: string
  source?: string
  read?: string
  fixedParams?: Values
  actions?: Action[]
  columns?: Columns
  aside?: { list?: string; query?: Values; columns?: Columns; rowActions?: Action[]; empty?: Action }[]
}

/** An action on a record, as a screen offers it. */
interface Offer {
  screen: string
  action: Action
  record: Values
  params: Values
}

/** Everything that the screens offer to a person on the samples of the demo data. */
async function offersOf({ contract }: Server, person: Caller, groups: number[]): Promise<Offer[]> {
  const user = (await person('auth.me')).body as { id: number; groups: number[] }
  const rowsOf = async (call: string, params: Values, query: Values = {}) => {
    if (!allows(contract.roles, contract.endpoints[call].roles, groups)) return []
    const { status, body } = await person(call, { params, query })
    if (status !== 200) return []
    const rows = (
      Array.isArray(body) ? body : Array.isArray(body.data) ? body.data : Object.values(body.data ?? {})
    ) as Values[]
    return rows
  }
  const offers: Offer[] = []
  /** Whether the person may change the record in whose page a screen is. */
  const mayChangeAt = async (start: string, params: Values) => {
    const page = Object.values(contract.screens).find(
      (screen) => screen.kind === 'detail' && screen.route === start,
    )
    const { body } = page?.kind === 'detail' ? await person(page.read, { params }) : { body: {} }
    return body.may_change !== false
  }
  let mayChange = true
  const offer = (screen: string, actions: (Action | undefined)[], record: Values, params: Values) => {
    for (const action of actions) {
      if (!action) continue
      if (!isOffered(contract, action, { record, user, mayChange })) continue
      const menu = menuOf(action)
      if (menu) offer(screen, menu, record, params)
      else if (action.call && isWrite(contract.endpoints[action.call]))
        offers.push({ screen, action, record, params })
    }
  }
  const paramsOf = async (route: string): Promise<Values[]> => {
    if (partsOf(route).length === 0) return [{}]
    const [, sources] =
      Object.entries(SAMPLES).find(([start]) => route === start || route.startsWith(`${start}/`)) ?? []
    const found = await Promise.all(
      (sources ?? []).map(async ({ list, query, at }) =>
        (await rowsOf(list, {}, { ...query, page_size: ROWS })).slice(0, ROWS).map(at),
      ),
    )
    return found.flat()
  }
  const known = new Map<string, Promise<Values[]>>()
  for (const [name, screen] of Object.entries(contract.screens as unknown as Record<string, AnyScreen>)) {
    if (!allows(contract.roles, screen.roles, groups)) continue
    const { fixedParams, route, source, read, actions = [], columns = [], aside = [] } = screen
    const start = Object.keys(SAMPLES).find((one) => route === one || route.startsWith(`${one}/`)) ?? ''
    if (!known.has(start || route)) known.set(start || route, paramsOf(start || route))
    for (const address of await known.get(start || route)!) {
      const params = { ...fixedParams, ...address }
      mayChange = await mayChangeAt(start, params)
      if (screen.kind === 'list' && source) {
        const ofCells = columns.flatMap((column) =>
          typeof column === 'string' ? [] : [{ column, tick: column.tick, empty: column.empty }],
        )
        for (const row of (await rowsOf(source, params)).slice(0, ROWS * 3)) {
          offer(name, actions, row, params)
          for (const { column, tick, empty } of ofCells)
            offer(name, [row[column.field] === null ? empty : tick], row, params)
        }
      }
      if (screen.kind === 'detail' || screen.kind === 'form') {
        if (!read || !allows(contract.roles, contract.endpoints[read].roles, groups)) continue
        const { status, body: record } = await person(read, { params })
        if (status !== 200) continue
        offer(name, actions, record, params)
        for (const card of aside) {
          if (!card.list) continue
          const rows = await rowsOf(card.list, params, card.query)
          if (rows.length === 0) offer(name, [card.empty], record, params)
          const ticks = (card.columns ?? []).flatMap((column) =>
            typeof column === 'string' ? [] : [column.tick],
          )
          for (const row of rows.slice(0, ROWS))
            offer(name, [...(card.rowActions ?? []), ...ticks], row, params)
        }
      }
    }
  }
  return offers
}

/** A body that a person could send: the fixed values of the action, and an example of each field that it asks for. */
function bodyFor({ contract }: Server, { action, record }: Offer, ids: Values): Values | undefined {
  const endpoint = contract.endpoints[action.call!]
  const fields = action.form
    ? groupsOf(contract.bodies[action.form])[0].fields
    : action.later
      ? groupsOf(contract.bodies[action.later.form])[0].fields
      : action.dialog && endpoint.reply
        ? requestedFields(contract.entities[endpoint.writes ?? endpoint.reply], endpoint, action.values)
        : action.formCall && endpoint.body
          ? editableFields(contract.bodies[endpoint.body])
          : undefined
  const answers = fields
    ?.filter(({ attrs }) => attrs?.required)
    .map((field) => [
      field.name,
      field.attrs?.ref ? ids[field.attrs.ref] : field.type === 'multiselect' ? [1] : example(field),
    ])
  return bodyOf(action.values, record, answers && Object.fromEntries(answers))
}

// `npm test` has one of those who see all, a team, a hub and their own.
const SOME = [ROLE.systemAdministrator, ROLE.advocateManager, ROLE.hub, ROLE.advocate] as number[]
const ROLES = loadedContract.roles.roles.filter(({ id }) => FULL || SOME.includes(id))
const COMMISSIONERS = loadedContract.roles.roles.filter(({ id }) => id === ROLE.commissionerAdvocate)

// The setting changes what commissioners read, and nothing for others.
describe.each([
  { where: 'commissioners see their own records', options: {}, roles: ROLES },
  {
    where: 'commissioners read the records of their contracts',
    options: { COMMISSIONER_READS_RECORDS: '1' },
    roles: COMMISSIONERS,
  },
])('where $where', ({ options, roles }) => {
  let server: Server
  beforeAll(async () => {
    server = await demoServer(options)
    // Some entries of each kind that the demo has none of.
    await sql`update actions set error_reason = 'Wrong person' where id % 50 = 0`.execute(server.db)
  })

  it.each(roles)('everything that is offered to $label would be done', async ({ id, demo }) => {
    const person = await server.as(demo!)
    const groups = [id]
    const seen = new Map<string, number>()
    const refused: string[] = []
    const [issue] = (await person('issues.open')).body.data ?? (await person('issues.mine')).body.data ?? []
    const caseId = (await person('cases.active')).body.data?.[0]?.id
    for (const offered of await offersOf(server, person, groups)) {
      const { action, record, params, screen } = offered
      const state = JSON.stringify([screen, action.label, record.status, record.is_opened, record.state])
      const count = seen.get(state) ?? 0
      seen.set(state, count + 1)
      if (count >= ROWS) continue
      const path = partsOf(callOf(server.contract.endpoints[action.call!]).path)
      const filled = Object.fromEntries(
        path.map((part) => [part, record[action.params?.[part] ?? part] ?? params[part]]),
      )
      const body = bodyFor(server, offered, {
        issue: issue?.id,
        issueRow: issue?.id,
        case: caseId,
        caseRow: caseId,
      })
      const reply = await person(action.call!, { params: filled, body })
      const words = JSON.stringify(reply.body)
      if (
        // What is held says why, and asks for a reason or names whom to ask.
        (REFUSED.includes(reply.status) && reply.body.code !== 'held') ||
        reply.status >= 500 ||
        (reply.status === 400 && BY_STATE.test(words))
      )
        refused.push(
          `${screen}: ${action.label} (${action.call} ${JSON.stringify(filled)}) ${reply.status} ${words}`,
        )
    }
    expect(refused).toEqual([])
    expect(seen.size).toBeGreaterThan(0)
  })
})
