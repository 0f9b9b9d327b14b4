import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { isStale } from '../../../src/build/stale.mjs'
import { fromSource } from '../fromSource.mjs'
import { save } from '../report.mjs'
import { ask, headersFor } from './ask.mjs'
import { startBare } from './bareServer.mjs'
import { alone, compare } from './compare.mjs'
import { prepare } from './prepare.mjs'
import { memoryOf } from './product.mjs'
import { report } from './report.mjs'
import { scenarios } from './scenarios.mjs'

const FEW = 1
const MANY = 8
const ADMINISTRATOR = 1
const ADVOCATE = 44
const SCOPED = ['clients, page 1', 'cases, page 1', 'quick search']
const CHECKED = 20

/** Measures the calls of the product on a filled database, as ratios to the yardstick within this run. */
export async function run(asked) {
  const [clients, rounds] = [Number(asked.clients), Number(asked.rounds)]
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const { url, tokens, product, firstPages } = await prepare(clients)
  const bare = await startBare(url)
  const headers = await headersFor(product.address, tokens[ADMINISTRATOR])
  const all = await scenarios(url, clients)
  await checkSameAnswers(product.address, bare, headers, all)

  const given = { rounds, headers, product: product.address, bare }
  const compared = []
  for (const connections of [FEW, MANY])
    for (const [name, requests] of Object.entries(all))
      compared.push({ name, connections, ...(await compare({ ...given, requests, connections })) })

  const others = []
  const measureAlone = async (name, requests, more) =>
    others.push({
      name,
      connections: MANY,
      ...(await alone({ ...given, ...more, requests, connections: MANY })),
    })
  await measureAlone('create a whole case', [await wholeCase(product.address, headers)])
  const scoped = { headers: await headersFor(product.address, tokens[ADVOCATE]) }
  for (const name of SCOPED) await measureAlone(`${name}, as an advocate`, all[name], scoped)

  const results = { clients, compared, others, memory: memoryOf(product.pid), firstPages }
  report(results)
  save('calls', results)
}

/** Both servers must do the same work, so they must answer the same; what differs by nature is left out. */
async function checkSameAnswers(ours, bare, headers, all) {
  const settled = ({ id, created_at, updated_at, ...rest }) => rest
  for (const requests of Object.values(all)) {
    for (const request of requests.slice(0, CHECKED)) {
      const [mine, theirs] = [await ask(ours, headers, request), await ask(bare, headers, request)]
      assert.deepEqual(settled(mine), settled(theirs), `${request.path}: the two servers differ`)
    }
  }
}

/** The wizard's whole case: client, case and issue, judged by the case type. */
async function wholeCase(address, headers) {
  const { newCase } = await fromSource('tests/server/newCase.ts')
  const caseType = await ask(address, headers, { method: 'GET', path: '/case_type/1/' })
  return { method: 'POST', path: '/case/', body: await newCase(async () => ({ body: caseType })) }
}
