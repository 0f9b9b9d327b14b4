import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { seeded } from '../../src/server/demo/random.ts'
import { startProduct, type Product } from '../server/product.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { putPeopleToWork } from './peopleAtWork.ts'
import { query } from './postgres.ts'
import { freePort } from './programs.ts'
import { startWebProxy } from './proxy.ts'
import { loadContract } from '../../src/contract/load.ts'
import { PASSWORD, printFigures } from './servers.ts'
const url = 'postgres://postgres@127.0.0.1:54999/proof'
const OLD = '/work/wt/old/dist/server.js'
const NEW = process.env.NEW ?? '/work/main/dist/server.js'
it('proof', async () => {
  const { contract } = loadContract('/work/wt/old')
  const ports = [await freePort(), await freePort()]
  const servers: Product[] = []
  const startAt = (at: number, server: string) => startProduct({ DATABASE_URL: url, PORT: String(ports[at]), LOG_LEVEL: 'warn' }, server)
  for (const at of [0, 1]) servers.push(await startAt(at, OLD))
  const proxy = await startWebProxy(temporaryFolder('proof-'), ports)
  const people = await putPeopleToWork(contract, proxy.address, PASSWORD, 24, seeded)
  const during = async (name: string, work: () => Promise<unknown>) => {
    people.begin()
    const since = performance.now()
    await work()
    printFigures(name, { ...people.figures(), seconds: Math.round((performance.now() - since) / 1000) })
  }
  await during('calm', () => sleep(30_000))
  let said = ''
  await during('migrating', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [NEW, '--migrate'], { env: { ...process.env, NODE_ENV: undefined, DATABASE_URL: url } })
    said = stdout
  })
  console.log(said)
  await during('restarting', async () => {
    for (const at of [0, 1]) {
      await servers[at].end('SIGTERM')
      servers[at] = await startAt(at, NEW)
      await sleep(3000)
    }
  })
  await during('after', () => sleep(20_000))
  await people.stop()
  const lost = await people.lost((sql) => query(url, sql))
  console.log('lost', lost)
  for (const server of servers) await server.end('SIGTERM')
  await proxy.end('SIGTERM')
  expect(lost).toEqual([])
}, 900_000)
