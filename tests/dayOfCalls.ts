import { allows } from '../src/contract/access.ts'
import { callOf, isWrite, queryParametersOf } from '../src/contract/call.ts'
import type { Contract } from '../src/contract/contract.ts'
import type { Random } from '../src/server/ops/demo/random.ts'
import type { Caller, CallOptions } from './server/context.ts'
import { newCase } from './server/newCase.ts'

/** One call that was made; status 0 where the connection broke. */
export interface Made {
  name: string
  status: number
  code?: string
  ms: number
}

/** What a person does all day. */
export interface Day {
  /** Makes one call, drawn by chance; every tenth or so writes. */
  next(): Promise<Made>
  /** How many writes were acknowledged. */
  acknowledged(): number
  /** The acknowledged writes that the database does not have, in words; `query` answers its rows. */
  lost(query: (sql: string) => Promise<Record<string, unknown>[]>): Promise<string[]>
}

const WRITES = 0.1
/** Calls whose reply is no JSON of its own, or never ends, or is somebody else's service. */
const LEFT_OUT = /^(versionEvents|files|passwords|publicReferrals|addresses)\./
/** A search's words that many names have. */
const TERM = 'an'

type Call = [name: string, options: CallOptions]

/** Finds what a person may read and write, by the contract and by trying it once; `who` begins the marks of their writes. */
export async function startDay(
  contract: Contract,
  caller: Caller,
  who: string,
  random: Random,
): Promise<Day> {
  const records = await recordsOf(caller)
  const reads: Call[] = []
  for (const call of readingCalls(contract, records))
    if ((await caller(...call)).status === 200) reads.push(call)
  const kinds: (() => Write)[] = []
  for (const kind of await writesOf(caller, who, records))
    if ((await caller(...kind().call)).status === 201) kinds.push(kind)
  const acknowledged: Write[] = []
  const timed = async ([name, options]: Call): Promise<Made> => {
    const since = performance.now()
    const reply = await caller(name, options).catch((error) => ({
      status: 0,
      body: { code: String(error.cause?.code ?? error.message) },
    }))
    return { name, status: reply.status, code: reply.body?.code, ms: performance.now() - since }
  }
  return {
    next: async () => {
      if (!random.chance(WRITES)) return timed(random.pick(reads))
      const write = random.pick(kinds)()
      const made = await timed(write.call)
      if (made.status === 201) acknowledged.push(write)
      return made
    },
    acknowledged: () => acknowledged.length,
    lost: async (query) => {
      const missing: string[] = []
      for (const [column, table] of Object.entries(MARKS)) {
        const marks = acknowledged.filter((write) => write.column === column).map(({ mark }) => mark)
        const rows = await query(`select ${column} as mark from ${table} where ${column} like '${who} %'`)
        const there = new Set(rows.map(({ mark }) => String(mark)))
        missing.push(...marks.filter((mark) => !there.has(mark)).map((mark) => `${table}.${column}: ${mark}`))
      }
      return missing
    },
  }
}

interface Write {
  call: Call
  /** Where its mark is found again. */
  column: keyof typeof MARKS
  mark: string
}

/** The column that each kind of write leaves its mark in, with its table. */
const MARKS = { title: 'tasks', notes: 'actions', last_name: 'clients' }

async function writesOf(caller: Caller, who: string, { issues }: Records): Promise<(() => Write)[]> {
  let count = 0
  const marked = (column: Write['column'], call: (mark: string) => Call) => (): Write => {
    const mark = `${who} ${++count}`
    return { call: call(mark), column, mark }
  }
  // No drafts, of which a person may have only so many.
  const kinds = [marked('title', (title) => ['tasks.create', { body: { title, due: '2030-01-01' } }])]
  // Not everybody is offered what a case needs.
  const body = await newCase(caller).catch(() => undefined)
  if (body)
    kinds.push(
      marked('last_name', (last_name) => [
        'cases.create',
        { body: { ...body, client: { first_name: 'Ann', last_name } } },
      ]),
    )
  if (issues.length > 0)
    kinds.push(
      marked('notes', (notes) => [
        'actions.addToIssue',
        { params: { id: issues[count % issues.length] }, body: { type: 1, done_on: '2026-03-01', notes } },
      ]),
    )
  return kinds
}

interface Records {
  /** Role ids of the person who finds them. */
  groups: number[]
  /** One each, by the first word of the calls that read it. */
  ids: Record<string, number | undefined>
  issues: number[]
}

async function recordsOf(caller: Caller): Promise<Records> {
  const me = (await caller.raw('/api/staff/me/info')).body
  const [first] = (await caller('cases.list')).body.order ?? []
  const found = first === undefined ? [] : (await caller.raw(`/case/${first}/issues/`)).body.data
  const [issue] = found
  const ids = { cases: first, issues: issue?.id, clients: issue?.client, caseTypes: 1, staff: me.id }
  return { groups: me.groups, ids, issues: found.map(({ id }: { id: number }) => id) }
}

function readingCalls(contract: Contract, { groups, ids }: Records): Call[] {
  const calls: Call[] = []
  for (const [name, endpoint] of Object.entries(contract.endpoints)) {
    const { method, path } = callOf(endpoint)
    if (method !== 'GET' || isWrite(endpoint) || LEFT_OUT.test(name)) continue
    if (endpoint.roles !== 'public' && !allows(contract.roles, endpoint.roles, groups)) continue
    const id = ids[name.split('.')[0]]
    if (path.includes('{') && (id === undefined || !/^[^{]*\{id\}[^{]*$/.test(path))) continue
    const params = path.includes('{') ? { id } : {}
    calls.push([name, { params }])
    if (queryParametersOf(contract, endpoint).term) calls.push([name, { params, query: { term: TERM } }])
  }
  return calls
}
