import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { later } from '../cleanUp.mjs'
import { short } from '../numbers.mjs'
import { databaseOn, embeddedUrl, fill, settle } from './database.mjs'
import { startProduct, untilFirstPage } from './product.mjs'

const STARTS = 3

/**
 * A filled database and the product running on it: the one at the address `existing`, which is kept, else the product's
 * own one in a temporary folder or a new one on the server of DATABASE_URL. `firstPages` are the seconds that starting
 * took, `tokens` those of `settle`.
 */
export async function prepare(clients, existing) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-calls-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const given = existing ?? (process.env.DATABASE_URL && (await databaseOn(process.env.DATABASE_URL)))
  const env = { DATA_DIR: folder, DATABASE_URL: given ?? '' }
  if (!existing) await fillTimed(env, clients)

  const urlNow = () => given ?? embeddedUrl(folder)
  const first = await startProduct(folder, env)
  const tokens = await settle(urlNow())
  await first.stop()
  const { product, firstPages } = await startTimed(folder, env)
  return { url: urlNow(), tokens, product, firstPages }
}

async function fillTimed(env, clients) {
  console.log(`Filling a database with ${clients} clients; 200000 take some minutes …`)
  const began = performance.now()
  await fill(env, clients)
  console.log(`Filled in ${short((performance.now() - began) / 1000)} s.`)
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
