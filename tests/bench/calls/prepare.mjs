import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { later } from '../cleanUp.mjs'
import { short } from '../numbers.mjs'
import { databaseOn, embeddedUrl, fill } from './database.mjs'
import { startProduct, untilFirstPage } from './product.mjs'

const STARTS = 3

/**
 * A filled database, the product's own one in a temporary folder or a new one on the server of DATABASE_URL, and the
 * product running on it. `firstPages` are the seconds that starting took, `tokens` those of `fill`.
 */
export async function prepare(clients) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-calls-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const url = process.env.DATABASE_URL ? await databaseOn(process.env.DATABASE_URL) : undefined
  const env = { DATA_DIR: folder, DATABASE_URL: url ?? '' }
  const first = await startProduct(folder, env)
  const began = performance.now()
  const tokens = await fill(url ?? embeddedUrl(folder), clients)
  const seconds = short((performance.now() - began) / 1000)
  console.log(
    `Filled ${clients} clients, ${clients * 1.5} cases and ${clients * 1.8} issues in ${seconds} s.`,
  )
  await first.stop()
  const { product, firstPages } = await startTimed(folder, env)
  return { url: url ?? embeddedUrl(folder), tokens, product, firstPages }
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
