import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isStale } from '../../../src/build/stale.mjs'
import { startProduct } from '../calls/product.mjs'
import { later } from '../cleanUp.mjs'
import { browserLauncher } from '../forms/browser.mjs'
import { median, short } from '../numbers.mjs'
import { printAims, printTable, save } from '../report.mjs'
import { signIn, visit } from './visits.mjs'

const PERSON = { username: 'advocate', password: 'bench-password' }

/**
 * What is measured, in the order of a round, with its limit where there is an aim.
 * @type {Record<string, {words: string, unit: string, limit?: number}>}
 */
const MEASURES = {
  signIn: { words: 'sign-in until the list, office connection', unit: ' ms' },
  cold: { words: 'My Cases in a new browser, office connection', unit: ' ms' },
  count: { words: 'its requests', unit: '', limit: 25 },
  chain: { words: 'its longest chain', unit: '', limit: 4 },
  kb: { words: 'on the wire, font apart', unit: ' KB', limit: 260 },
  kbFont: { words: 'its font', unit: ' KB' },
  countIdle: { words: 'requests with what is fetched while idle', unit: '' },
  kbIdle: { words: 'on the wire with it', unit: ' KB' },
  first: { words: 'list to case, the first', unit: ' ms', limit: 300 },
  warm: { words: 'list to case, another', unit: ' ms', limit: 120 },
  slow: { words: 'list to case, another, CPU ÷ 4', unit: ' ms', limit: 300 },
  newCase: { words: 'New Case', unit: ' ms' },
  reload: { words: 'a case, loaded again', unit: ' ms' },
}

/** Measures how long a person waits for the pages of a day, in Chromium on the demo data. */
export async function run({ rounds }) {
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATA_DIR: folder, DEMO: '1', DEMO_PASSWORD: PERSON.password }
  const { address } = await startProduct(folder, env)
  const launch = await browserLauncher()
  const taken = []
  // The first one warms the server up.
  for (let round = 0; round <= Number(rounds); round++) {
    const browser = await launch()
    const close = later(() => browser.close())
    taken.push(await oneRound(browser, address))
    await close()
  }
  const results = Object.fromEntries(
    Object.keys(MEASURES).map((name) => [name, taken.slice(1).map((round) => round[name])]),
  )
  report(results)
  save('feel', results)
}

async function oneRound(browser, address) {
  const { ms, storageState } = await signIn(browser, address, PERSON)
  return { signIn: ms, ...(await visit(browser, address, storageState)) }
}

function report(results) {
  const measures = Object.entries(MEASURES).map(([name, measure]) => ({ ...measure, taken: results[name] }))
  printTable(
    'Pages as a person feels them',
    ['', 'median', 'least', 'most'],
    measures.map(({ words, unit, taken }) => [
      words + (unit && `,${unit}`),
      ...[median(taken), Math.min(...taken), Math.max(...taken)].map(short),
    ]),
  )
  printAims(
    measures
      .filter(({ limit }) => limit !== undefined)
      .map(({ words, unit, limit, taken }) => ({ words, value: median(taken), limit, side: 'below', unit })),
  )
}
