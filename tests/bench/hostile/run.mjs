import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isStale } from '../../../src/build/stale.mjs'
import { ask } from '../calls/ask.mjs'
import { embeddedUrl, fill, query } from '../calls/database.mjs'
import { startProduct } from '../calls/product.mjs'
import { later } from '../cleanUp.mjs'
import { fromSource } from '../fromSource.mjs'
import { save } from '../report.mjs'
import { SLOW_FORM } from './bodies.mjs'
import { signInMany } from './people.mjs'
import { report } from './report.mjs'
import { exportsOf, hostileRequests } from './requests.mjs'

const CLIENTS = 6000
/** Milliseconds that one request may keep the others waiting. */
const LIMIT = 100
const PEOPLE = 40

/**
 * Sends every call hostile requests beside a harmless one. A busy machine only ever adds to a delay, so what is beyond the
 * limit is sent again, and the least delay of all rounds counts.
 */
export async function run({ rounds, calls: only = '' }) {
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-hostile-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  await fill({ DATA_DIR: folder, DATABASE_URL: '' }, CLIENTS)
  const delayFile = path.join(folder, 'loopDelay')
  const preload = pathToFileURL(path.join(import.meta.dirname, 'loopDelay.mjs')).href
  const product = await startProduct(folder, {
    DATA_DIR: folder,
    LOOP_DELAY_FILE: delayFile,
    NODE_OPTIONS: `--import ${preload}`,
  })
  const people = await signInMany(embeddedUrl(folder), product.address, PEOPLE)
  const worstDelay = async () =>
    Number(await (await fetch(`http://127.0.0.1:${readFileSync(delayFile, 'utf8')}`)).text())
  const contract = (await fromSource('src/check/load.ts')).loadContract(process.cwd()).contract
  const given = await recordsOf(product.address, people[0], embeddedUrl(folder))
  const measured = []
  for (const request of requestsFor(contract, given)) {
    if (!request.call.includes(only)) continue
    const headers = people[measured.length % people.length]
    let best
    for (let round = 0; round < Number(rounds) && !(best?.delay <= LIMIT); round++) {
      const one = await measure(product.address, headers, request, worstDelay)
      if (!best || one.delay < best.delay) best = one
    }
    measured.push({ call: request.call, what: request.what, ...best })
    if (best.delay > LIMIT)
      console.log(`  ${Math.round(best.delay)} ms  ${request.call}: ${request.what} (${best.status})`)
  }
  report(measured, LIMIT)
  save('hostile', { clients: CLIENTS, measured })
}

/** One at a time, for each has a megabyte. */
function* requestsFor(contract, given) {
  yield* exportsOf(contract, given.ids)
  yield* hostileRequests(contract, given)
}

/** The longest delay of the event loop while one request is served, and the longest that a harmless one took meanwhile. */
async function measure(
  address,
  headers,
  /** @type {{method: string, path: string, body?: string, form?: () => FormData}} */ {
    method,
    path: target,
    body,
    form,
  },
  worstDelay,
) {
  const { 'content-type': _, ...others } = headers
  const options = form ? { method, headers: others, body: form() } : { method, headers, body }
  await worstDelay()
  let going = true
  let harmless = 0
  const beside = (async () => {
    while (going) {
      const began = performance.now()
      await (await fetch(`${address}/healthz`)).arrayBuffer()
      harmless = Math.max(harmless, performance.now() - began)
      await sleep(2)
    }
  })()
  const reply = await fetch(address + target, options)
  await reply.arrayBuffer()
  // What goes on after the reply counts as well.
  await sleep(20)
  going = false
  await beside
  return { status: reply.status, harmless, delay: await worstDelay() }
}

/** Records to call by their ids, and what a right case would be. */
async function recordsOf(address, headers, url) {
  const get = (target) => ask(address, headers, { method: 'GET', path: target })
  const [{ id, case: of, client }] = await query(
    url,
    `select i.id, i."case", k.client from issues i join cases k on k.id = i."case"
      where k.case_type = 1 and i.status = 1 and k.status = 1 and i.is_opened order by i.id limit 1`,
  )
  const { newCase } = await fromSource('tests/server/newCase.ts')
  const raw = async (target) => ({ body: await get(target) })
  const wholeCase = await newCase(Object.assign(() => raw('/case_type/1/'), { raw }))
  const ids = { issues: id, cases: of, clients: client, actions: 1 }
  const post = (target, body) => ask(address, headers, { method: 'POST', path: target, body })
  const metas = await get('/case_type/1/')
  const { service } = metas
  const slow = { label: 'Slow form', service, case_meta: [], issue_meta: SLOW_FORM }
  const type = await post('/case_type/', slow)
  const { issue, ...rest } = wholeCase
  const ofSlowForm = {
    ...rest,
    case_type: type.id,
    client: { first_name: 'Bench', last_name: 'Slow' },
    case: { ...rest.case, answers: {} },
  }
  const made = await post('/case/', { ...ofSlowForm, issue: { ...issue, answers: {} } })
  return { metas, ids, wholeCase, slowIssue: made.issue }
}
