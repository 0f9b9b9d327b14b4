import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isStale } from '../../../src/build/stale.mjs'
import { later } from '../cleanUp.mjs'
import { fromSource } from '../fromSource.mjs'
import { median, short } from '../numbers.mjs'
import { printAims, printTable, save } from '../report.mjs'
import { ask, headersFor } from './ask.mjs'
import { startBare } from './bareServer.mjs'
import { databaseOn, embeddedUrl, fill } from './database.mjs'
import { press } from './press.mjs'
import { memoryOf, startProduct, untilFirstPage } from './product.mjs'
import { scenarios } from './scenarios.mjs'

const CONNECTIONS = [1, 8]
const SECONDS = 1.2
const WARM_UP = 0.4
const STARTS = 3
const ADMINISTRATOR = 1
const ADVOCATE = 44

/** Measures the calls of the product on a filled database, as ratios to the yardstick within this run. */
export async function run({ clients: clientsAsked, rounds: roundsAsked }) {
  const clients = Number(clientsAsked)
  const rounds = Number(roundsAsked)
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const { url, env, folder, tokens } = await prepare(clients)
  const { product, firstPages } = await startTimed(folder, env)
  const pressed = url ?? embeddedUrl(folder)
  const bare = await startBare(pressed)
  const headers = await headersFor(product.address, tokens[ADMINISTRATOR])
  const all = await scenarios(pressed, clients)
  await checkSameAnswers(product.address, bare, headers, all)

  const rows = []
  for (const connections of CONNECTIONS)
    for (const [name, requests] of Object.entries(all))
      rows.push(await compare({ name, requests, connections, rounds, headers, ours: product.address, bare }))
  const whole = [await createCases(product.address, headers, rounds)]
  const scoped = await asAdvocate(product.address, tokens[ADVOCATE], all, rounds)
  const memory = memoryOf(product.pid)
  report({ clients, rows, whole, scoped, memory, firstPage: median(firstPages), firstPages })
}

/** A filled database: one of our own in a temporary folder, or a new one on the server of DATABASE_URL. */
async function prepare(clients) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-calls-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'files'))
  const url = process.env.DATABASE_URL ? await databaseOn(process.env.DATABASE_URL) : undefined
  const env = { DATA_DIR: folder, DATABASE_URL: url ?? '' }
  const first = await startProduct(folder, env)
  const began = performance.now()
  const tokens = await fill(url ?? embeddedUrl(folder), clients)
  console.log(
    `Filled ${clients} clients, ${clients * 1.5} cases, ${clients * 1.8} issues in ${short((performance.now() - began) / 1000)} s.`,
  )
  await first.stop()
  return { url, env, folder, tokens }
}

async function startTimed(folder, env) {
  const firstPages = []
  for (;;) {
    const product = await startProduct(folder, env)
    firstPages.push((await untilFirstPage(product)) / 1000)
    if (firstPages.length === STARTS) return { product, firstPages }
    await product.stop()
  }
}

/** Both servers must do the same work, so they must answer the same; what differs by nature is left out. */
async function checkSameAnswers(ours, bare, headers, all) {
  const settled = ({ id, created_at, updated_at, ...rest }) => rest
  for (const requests of Object.values(all)) {
    for (const request of requests.slice(0, 20)) {
      const [mine, theirs] = [await ask(ours, headers, request), await ask(bare, headers, request)]
      assert.deepEqual(settled(mine), settled(theirs), `${request.path}: the two servers differ`)
    }
  }
}

/** Product and yardstick in turn, in short rounds, so that a busy moment of the machine meets both. */
async function compare({ name, requests, connections, rounds, headers, ours, bare }) {
  const sides = { ours: [], bare: [] }
  const addresses = { ours, bare }
  for (const address of Object.values(addresses))
    await press(address, headers, requests, { connections, seconds: WARM_UP })
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 ? ['bare', 'ours'] : ['ours', 'bare'])
      sides[side].push(await press(addresses[side], headers, requests, { connections, seconds: SECONDS }))
  const ratio = median(sides.ours.map(({ perSecond }, i) => perSecond / sides.bare[i].perSecond))
  return { name, connections, ratio, ours: summary(sides.ours), bare: summary(sides.bare), rounds: sides }
}

const summary = (measured) =>
  Object.fromEntries(Object.keys(measured[0]).map((key) => [key, median(measured.map((one) => one[key]))]))

async function alone({ name, requests, connections, rounds, headers, ours }) {
  await press(ours, headers, requests, { connections, seconds: WARM_UP })
  const measured = []
  for (let round = 0; round < rounds; round++)
    measured.push(await press(ours, headers, requests, { connections, seconds: SECONDS }))
  return { name, connections, ours: summary(measured) }
}

/** The wizard's whole case: client, case, issue, judged by the case type. */
async function createCases(ours, headers, rounds) {
  const { newCase } = await fromSource('tests/server/newCase.ts')
  const meta = await ask(ours, headers, { method: 'GET', path: '/case_type/1/' })
  const body = await newCase(async () => ({ body: meta }))
  const requests = [{ method: 'POST', path: '/case/', body }]
  return alone({ name: 'create a whole case', requests, connections: 8, rounds, headers, ours })
}

/** The same questions by somebody who sees a part: what scope costs, with nothing to compare it to. */
async function asAdvocate(ours, token, all, rounds) {
  const headers = await headersFor(ours, token)
  const names = ['clients, page 1', 'cases, page 1', 'quick search']
  const measured = []
  for (const name of names)
    measured.push(await alone({ name, requests: all[name], connections: 8, rounds, headers, ours }))
  return measured
}

function report({ clients, rows, whole, scoped, memory, firstPage, firstPages }) {
  const heads = ['', 'connections', 'ours/s', 'bare/s', 'ratio', 'p50 ms', 'p99 ms', 'bare p99']
  printTable(
    `Calls on ${clients} clients, as an administrator (bare Fastify and pg = 1.0)`,
    heads,
    rows.map(({ name, connections, ratio, ours, bare }) =>
      [name, connections].concat(
        [ours.perSecond, bare.perSecond, ratio, ours.p50, ours.p99, bare.p99].map(short),
      ),
    ),
  )
  printTable(
    'Without a yardstick',
    ['', 'connections', 'ours/s', 'p50 ms', 'p99 ms'],
    [...whole, ...scoped.map((one) => ({ ...one, name: `${one.name}, as an advocate` }))].map(
      ({ name, connections, ours }) => [
        name,
        connections,
        ...[ours.perSecond, ours.p50, ours.p99].map(short),
      ],
    ),
  )
  const search = rows.find(({ name, connections }) => name === 'quick search' && connections === 8)
  const searchScoped = scoped.find(({ name }) => name === 'quick search')
  printAims([
    ...rows.map(({ name, connections, ratio }) => ({
      words: `${name}, ${connections} connection${connections > 1 ? 's' : ''}`,
      value: ratio,
      limit: 0.7,
      side: 'above',
    })),
    { words: 'quick search, p99', value: search.ours.p99, limit: 100, unit: ' ms' },
    { words: 'quick search as an advocate, p99', value: searchScoped.ours.p99, limit: 100, unit: ' ms' },
    { words: 'memory after the run', value: memory, limit: 150, unit: ' MB' },
    { words: 'start to first page', value: firstPage, limit: 3, unit: ' s' },
  ])
  save('calls', { clients, rows, whole, scoped, memory, firstPages })
}
