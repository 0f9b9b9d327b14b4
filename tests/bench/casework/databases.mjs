import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startBare } from '../bare/server.mjs'
import { databaseOn, embeddedUrl, fill, query, settle } from '../calls/database.mjs'
import { startProduct } from '../calls/product.mjs'
import { later } from '../cleanUp.mjs'
import { fillHistory } from './history.mjs'

/**
 * Databases of the same clients with so many actions each, on one server, and product and yardstick running on each:
 * `{actions, url, token, product, bare, client, issue}`.
 */
export async function openDatabases(sizes, clients) {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-casework-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const server = process.env.DATABASE_URL || (await embeddedServer(folder))
  const first = await databaseOn(server)
  console.log(`Filling a database with ${clients} clients …`)
  await fill({ DATABASE_URL: first }, clients)
  const urls = [first]
  while (urls.length < sizes.length) urls.push(await databaseOn(server, first))

  const databases = []
  for (const [i, actions] of sizes.entries()) {
    const url = urls[i]
    console.log(`Filling in ${actions} actions …`)
    const places = await fillHistory(url, actions)
    const { administrator: token } = await settle(url)
    const own = path.join(folder, `product-${actions}`)
    mkdirSync(own)
    const product = await startProduct(own, { DATABASE_URL: url })
    databases.push({ actions, url, token, product, bare: await startBare('casework', url), ...places })
  }
  await query(server, 'checkpoint')
  return databases
}

/** The product's own PostgreSQL, kept by a product that does nothing else. */
async function embeddedServer(folder) {
  await startProduct(folder, { DATA_DIR: folder })
  return embeddedUrl(folder)
}
