import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../cluster/programs.ts'
import { FULL, itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Caller, signIn } from './context.ts'
import { freshDatabase } from './database.ts'
import { startProxy } from './databaseProxy.ts'
import { failToStart, type Product, spawnProduct, startProduct } from './product.ts'

const PASSWORD = 'correct horse battery'
let folder: string
let running: Product[] = []

beforeEach(() => {
  folder = temporaryFolder('faults-')
})
afterEach(async () => {
  for (const product of running)
    if (product.process.exitCode === null && product.process.signalCode === null) await product.end('SIGTERM')
  running = []
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<Product> {
  const product = await startProduct({ DATA_DIR: folder })
  running.push(product)
  return product
}

async function firstAdministrator({ address, setup }: Product): Promise<Caller> {
  const anyone = await signIn(contract, address, '')
  const body = {
    token: setup,
    username: 'first',
    first_name: 'First',
    last_name: 'Person',
    password: PASSWORD,
  }
  expect((await anyone('auth.setup', { body })).status).toBe(200)
  expect((await anyone('auth.setup', { body: { ...body, username: 'second' } })).status).toBe(404)
  return signIn(contract, address, 'first', PASSWORD)
}

/** Writes drafts from four hands until stopped; answers the ids that were acknowledged. */
function writers(caller: Caller): { untilWritten(more: number): Promise<void>; stop(): Promise<number[]> } {
  const acknowledged: number[] = []
  let going = true
  const hands = [1, 2, 3, 4].map(async () => {
    while (going) {
      const reply = await caller('drafts.create', { body: { kind: 'case', title: 'x', payload: {} } }).catch(
        () => undefined,
      )
      if (reply?.status === 201) acknowledged.push(reply.body.id)
      else await sleep(20)
    }
  })
  return {
    /** Waits until so many more are acknowledged. */
    untilWritten: async (more) => {
      const count = acknowledged.length + more
      await vi.waitUntil(() => acknowledged.length >= count, { timeout: 60_000 })
    },
    stop: async () => {
      going = false
      await Promise.all(hands)
      return acknowledged
    },
  }
}

async function missing(caller: Caller, ids: number[]): Promise<number[]> {
  const there = new Set<number>()
  for (let p = 1; ; p++) {
    const { body } = await caller('drafts.list', { query: { p, page_size: 500 } })
    for (const { id } of body.data) there.add(id)
    if (p >= body.pagination.num_pages) break
  }
  return ids.filter((id) => !there.has(id))
}

describe('no acknowledged row is lost', () => {
  it('when the app is killed under writers and started again', async () => {
    const first = await start()
    const hand = writers(await firstAdministrator(first))
    await hand.untilWritten(20)
    await first.end('SIGKILL')
    const acknowledged = await hand.stop()
    const second = await start()
    expect(second.setup).toBeUndefined()
    expect(await missing(await signIn(contract, second.address, 'first', PASSWORD), acknowledged)).toEqual([])
  })

  itInFull('when the database is killed under writers; the app goes on by itself', async () => {
    const product = await start()
    const admin = await firstAdministrator(product)
    const hand = writers(admin)
    await hand.untilWritten(20)
    process.kill(
      Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
      'SIGKILL',
    )
    // More than the replies that were on their way.
    await hand.untilWritten(20)
    const acknowledged = await hand.stop()
    expect(await missing(admin, acknowledged)).toEqual([])
  })
})

describe('starting and stopping', () => {
  itInFull('stops cleanly on Ctrl-C, also with connections held open', async () => {
    const product = await start()
    const admin = await firstAdministrator(product)
    await admin('auth.me')
    // It exits with 1 if something held open kept it from stopping.
    expect(await product.end('SIGINT')).toBe(0)
  })

  itInFull('stops cleanly from the first call on that it answers', async () => {
    const port = await freePort()
    const database = await freshDatabase()
    const proxy = await startProxy(database.url)
    // Whatever the start still asks of the database takes longer than the signal.
    proxy.slowDown(50)
    const product = spawnProduct({ DATABASE_URL: proxy.url, PORT: String(port) })
    const exited = once(product, 'exit')
    while (!(await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok) await sleep(1)
    product.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    proxy.close()
    await database.drop()
  })

  it.runIf(FULL).each(['SIGINT', 'SIGKILL'] as const)(
    'a start that follows a %s at once succeeds',
    async (signal) => {
      const first = await start()
      const port = new URL(first.address).port
      // Checked, as by a proxy, it listens for a while after the signal.
      expect((await fetch(`${first.address}/healthz`)).status).toBe(200)
      const ended = first.end(signal)
      running.push(await startProduct({ DATA_DIR: folder, PORT: port }))
      expect(await ended).toBe(signal === 'SIGINT' ? 0 : null)
      expect((await fetch(`${first.address}/readyz`)).status).toBe(200)
    },
  )

  itInFull('says so when the database cannot be reached or a setting is wrong', async () => {
    const sentences = [
      [
        { DATABASE_URL: 'postgres://x@127.0.0.1:1/none' },
        expect.stringMatching(/^The database 127\.0\.0\.1:1\/none cannot be used: .*Check DATABASE_URL/),
      ],
      [{ DATA_DIR: folder, PORT: 'many' }, "PORT must be a whole number, not 'many'."],
    ] as const
    for (const [env, words] of sentences) expect(await failToStart(env)).toEqual({ code: 1, words })
  })

  itInFull('names file, line and column of a broken screen', async () => {
    for (const name of ['dist', 'screens'])
      cpSync(name, join(folder, name), { recursive: true, filter: (file) => !file.includes('/web/') })
    for (const name of ['schemas', 'node_modules', 'package.json'])
      symlinkSync(resolve(name), join(folder, name))
    mkdirSync(join(folder, 'src'))
    symlinkSync(resolve('src/server'), join(folder, 'src/server'))
    const screen = join(folder, 'screens/old-cases.json')
    writeFileSync(screen, readFileSync(screen, 'utf8').replace('"case_type_label"', '"case_type_lable"'))
    const { code, words } = await failToStart(
      { DATA_DIR: join(folder, 'data') },
      join(folder, 'dist/server.js'),
    )
    expect(code).toBe(1)
    expect(words).toMatch(
      /^screens\/old-cases\.json:\d+:\d+ {2}no field 'case_type_lable' in caseRow; did you mean 'case_type_label'\?\nFix this and start again\.$/,
    )
  })
})
