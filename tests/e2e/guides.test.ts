import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, it } from 'vitest'
import type { Contract } from '../../src/contract/contract.ts'
import { openDatabase } from '../../src/server/core/db.ts'
import { today } from '../../src/server/core/today.ts'
import { fillDefaults } from '../../src/server/ops/demo/defaults.ts'
import { fillDemo } from '../../src/server/ops/demo/demo.ts'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { signIn } from '../server/context.ts'
import { freshDatabase } from '../server/database.ts'
import { startProduct } from '../server/product.ts'
import { sharedBrowser } from './browser.ts'
import { PASSWORD } from './context.ts'
import { applyTask, changed, readTasks } from './guide.ts'
import { PROOFS, type Site } from './guideProofs.ts'
import { copyRepository, type RepositoryCopy } from './repositoryCopy.ts'

/** The tasks that are done at every run; the others take a build or a browser each. */
const QUICK = ['Break a screen']
const TASKS = ['screens/README.md', 'schemas/README.md'].flatMap((guide) => readTasks(guide))

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

it('each of the nineteen tasks has a proof', () => {
  expect(TASKS.map(({ heading }) => heading).sort()).toEqual(Object.keys(PROOFS).sort())
  expect(TASKS).toHaveLength(19)
})

it.each([
  ['nowhere', ['three'], 0],
  ['twice', ['one', 'two', 'one', 'two'], 2],
])('a change that fits %s is refused by guide and line', (_, lines, places) => {
  const text = '### A task\n\n`notes.txt` (changed):\n\n```diff notes.txt\n one\n-two\n+2\n```\n'
  const [{ blocks }] = readTasks('guide.md', text)
  expect(() => changed(lines.join('\n'), blocks[0])).toThrow(
    `guide.md:6: this change fits ${places} places of notes.txt`,
  )
  expect(changed('zero\none\ntwo\nthree', blocks[0])).toBe('zero\none\n2\nthree')
})

it('a block whose file readers do not see is refused', () => {
  const text = '### A task\n\nSome words.\n\n```diff notes.txt\n one\n```\n'
  expect(() => readTasks('guide.md', text)).toThrow('guide.md:5: name notes.txt in the line above')
})

for (const task of TASKS) {
  it.runIf(FULL || QUICK.includes(task.heading))(task.heading, async () => {
    const copy = copyRepository()
    cleanups.push(copy.remove)
    applyTask(task, copy.folder)
    if (task.generates) expect(await copy.run('node', 'build.mjs', 'generate')).toMatchObject({ code: 0 })
    const check = FULL ? await copy.run('npm', 'run', 'check') : await copy.run('node', 'build.mjs', 'check')
    const proof = PROOFS[task.heading]
    if (proof.needs === 'check') return proof.prove(check, task)
    expect(check, check.output).toMatchObject({ code: 0 })
    if (proof.needs === 'server') await copy.buildServer()
    await proof.prove(await openSite(copy, proof.needs === 'dev' ? 'dev.mjs' : 'dist/server.js', proof))
  })
}

/** The product of the copy on a database that was there before, with the data of the demo. */
async function openSite(
  { folder }: RepositoryCopy,
  program: string,
  { prepare, env }: { prepare?: (db: Client) => Promise<void>; env?: Record<string, string> },
): Promise<Site> {
  const database = await freshDatabase()
  cleanups.push(database.drop)
  await fill(database.url)
  const db = new Client({ connectionString: database.url })
  await db.connect()
  cleanups.push(() => db.end())
  await prepare?.(db)
  const product = await startProduct({ ...env, DATABASE_URL: database.url }, join(folder, program))
  cleanups.push(() => product.end('SIGTERM'))
  const contract = await servedContract(product.address)
  return {
    db,
    contract,
    address: product.address,
    as: (username) => signIn(contract, product.address, username, PASSWORD),
    openPage: async () => {
      const browser = await sharedBrowser()
      const context = await browser.newContext({ baseURL: product.address })
      cleanups.push(() => context.close())
      context.setDefaultTimeout(30_000)
      return context.newPage()
    },
  }
}

async function fill(databaseUrl: string): Promise<void> {
  const { db, close } = openDatabase(databaseUrl)
  await fillDefaults(db)
  const options = {
    contract,
    clients: 30,
    password: PASSWORD,
    passwordCost: 10,
    today: today('Europe/London'),
  }
  await fillDemo(db, options)
  await close()
}

/** The contract as a browser gets it. */
async function servedContract(address: string): Promise<Contract> {
  const page = await (await fetch(`${address}/login`, { headers: { accept: 'text/html' } })).text()
  const [, file] = page.match(/<meta name="contract" content="([^"]*)">/)!
  return (await (await fetch(address + file)).json()) as Contract
}
