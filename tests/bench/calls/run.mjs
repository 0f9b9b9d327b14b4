import { execFileSync } from 'node:child_process'
import { isDeepStrictEqual } from 'node:util'
import { isStale } from '../../../src/build/stale.mjs'
import { startBare } from '../bare/server.mjs'
import { fromSource } from '../fromSource.mjs'
import { save } from '../report.mjs'
import { ask, headersFor } from './ask.mjs'

import { alone, compare } from './compare.mjs'
import { prepare } from './prepare.mjs'
import { memoryOf } from './product.mjs'
import { report } from './report.mjs'
import { scenarios } from './scenarios.mjs'

const FEW = 1
const MANY = 8
const SCOPED = ['quick search', 'cases, page 1', 'clients, page 1']
const PEOPLE = { advocate: 'an advocate', manager: 'a manager', hub: 'a hub adviser' }
const CHECKED = 20
/** Those that the second yardstick answers. */
const LEAN = ['one client', 'create a draft']

/** Measures the calls of the product on a filled database, as ratios to the yardstick within this run. */
export async function run(options) {
  const [clients, rounds] = [Number(options.clients), Number(options.rounds)]
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const { url, tokens, product, firstPages } = await prepare(clients, options.database)
  const bare = await startBare('calls', url)
  const lean = await startBare('calls', url, 'lean.mjs')
  const headers = await headersFor(product.address, tokens.administrator)
  const all = await scenarios(url, clients)
  const allLean = Object.fromEntries(LEAN.map((name) => [name, all[name]]))
  await warnOfOtherAnswers(product.address, bare, headers, all)
  await warnOfOtherAnswers(product.address, lean, headers, allLean)

  const given = { rounds, headers, product: product.address }
  const compared = []
  const measure = async (title, name, connections, yardsticks, asking) => {
    if (!title.includes(options.calls)) return
    const measured = await compare({ ...given, asking, requests: all[name], connections, yardsticks })
    compared.push({ name: title, who: asking ? 'others' : 'administrator', connections, ...measured })
  }
  for (const connections of [FEW, MANY])
    for (const name of Object.keys(all))
      await measure(name, name, connections, { bare, ...(allLean[name] && { lean }) })

  // Slow calls at the end would let it shrink again.
  const busy = memoryOf(product.pid)

  for (const [who, words] of Object.entries(PEOPLE)) {
    const asking = await headersFor(product.address, tokens[who])
    for (const name of SCOPED) await measure(`${name}, as ${words}`, name, MANY, { bare }, asking)
  }
  const others = []
  const WHOLE = 'create a whole case'
  if (WHOLE.includes(options.calls)) {
    const requests = [await wholeCase(product.address, headers)]
    others.push({
      name: WHOLE,
      connections: MANY,
      ...(await alone({ ...given, requests, connections: MANY })),
    })
  }

  const memory = Math.max(busy, memoryOf(product.pid))
  const results = { clients, compared, others, memory, firstPages }
  report(results)
  save('calls', results)
}

/**
 * Both servers must do the same work, so they must answer the same. Left out is what differs by nature: which of many
 * matches are found first, and what the database gives a new row.
 */
async function warnOfOtherAnswers(ours, bare, headers, all) {
  const settled = (reply) => {
    if (Array.isArray(reply)) return reply.length
    const { id, created_at, updated_at, ...rest } = reply
    return rest
  }
  for (const [name, requests] of Object.entries(all)) {
    for (const request of requests.slice(0, CHECKED)) {
      const [mine, theirs] = [await ask(ours, headers, request), await ask(bare, headers, request)]
      if (isDeepStrictEqual(settled(mine), settled(theirs))) continue
      console.warn(
        `${name}: the two servers answer ${request.path} differently; bring the yardstick up to date.`,
      )
      break
    }
  }
}

/** The wizard's whole case: client, case and issue, validated by the case type. */
async function wholeCase(address, headers) {
  const { newCase } = await fromSource('tests/server/newCase.ts')
  const raw = async (path) => ({ body: await ask(address, headers, { method: 'GET', path }) })
  const caller = Object.assign(() => raw('/case_type/1/'), { raw })
  return { method: 'POST', path: '/case/', body: await newCase(caller) }
}
