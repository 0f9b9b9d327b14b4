import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStale } from '../../../src/build/stale.mjs'
import { headersFor } from '../calls/ask.mjs'
import { prepare } from '../calls/prepare.mjs'
import { press } from '../calls/press.mjs'
import { memoryOf } from '../calls/product.mjs'
import { scenarios } from '../calls/scenarios.mjs'
import { median } from '../numbers.mjs'
import { save } from '../report.mjs'
import { report } from './report.mjs'
import { sheetOf, uploader } from './uploads.mjs'

const COLUMNS = 40
const ROWS = 10_000
const WRONG_EVERY = 20
/** Others at work meanwhile, and how long each of their rounds lasts. */
const CONNECTIONS = 4
const SECONDS = 5
const LOOK = 200
/** Milliseconds after the end of it in which memory should be given back. */
const LATER = 60_000

/** Measures an upload of cases on a filled database, and what other people's calls take meanwhile and without it. */
export async function run({ clients, database, rows = ROWS }) {
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const { url, tokens, product } = await prepare(Number(clients), database)
  const all = await scenarios(url, Number(clients))
  const mix = Object.values({ ...all, 'create a draft': [] }).flat()
  const headers = await headersFor(product.address, tokens.administrator)
  const others = () => press(product.address, headers, mix, { connections: CONNECTIONS, seconds: SECONDS })
  await others()
  const alone = [await others(), await others(), await others()]

  const uploads = uploader(product.address, await headersFor(product.address, tokens.hub))
  const sheet = await sheetOf(uploads, COLUMNS)
  const wrong = (i) => (i % WRONG_EVERY === 0 ? { 'Date of birth': '31/2/1970' } : {})
  const content = [sheet.headings, ...Array.from({ length: rows }, (_, i) => sheet.row(i, wrong(i)))]
  const before = memoryOf(product.pid)
  let peak = before
  let isOver = false
  const watch = (async () => {
    while (!isOver) {
      peak = Math.max(peak, memoryOf(product.pid))
      await sleep(LOOK)
    }
  })()
  /** Seconds of a part of the upload, with the rounds of the others that began meanwhile. */
  const part = async (work) => {
    const began = performance.now()
    let isDone = false
    const done = work().then((answer) => {
      isDone = true
      return { answer, seconds: (performance.now() - began) / 1000 }
    })
    const beside = []
    while (!isDone) beside.push(await others())
    return { ...(await done), beside }
  }
  const checked = await part(async () => uploads.until(await uploads.upload(content), 'ready'))
  const { id } = checked.answer
  const added = await part(async () => {
    await uploads.start(id, 'apply')
    return uploads.until(id, 'done')
  })
  isOver = true
  await watch
  await sleep(LATER)
  const p50 = (rounds) => median(rounds.map((round) => round.p50))
  const perSecond = (rounds) => median(rounds.map((round) => round.perSecond))
  const sideOf = (rounds) => ({ p50: p50(rounds), perSecond: perSecond(rounds), rounds: rounds.length })
  const results = {
    clients: Number(clients),
    rows,
    columns: sheet.headings.length,
    counted: { added: added.answer.added, wrong: added.answer.wrong },
    seconds: { check: checked.seconds, add: added.seconds },
    others: { alone: sideOf(alone), check: sideOf(checked.beside), add: sideOf(added.beside) },
    memory: { before, peak, later: memoryOf(product.pid) },
  }
  report(results)
  save('bulk', results)
}
