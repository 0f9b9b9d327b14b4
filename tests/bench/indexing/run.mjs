import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStale } from '../../../src/build/stale.mjs'
import { ask, headersFor } from '../calls/ask.mjs'
import { query } from '../calls/database.mjs'
import { prepare } from '../calls/prepare.mjs'
import { scenarios } from '../calls/scenarios.mjs'
import { short } from '../numbers.mjs'
import { printAims, printTable, save } from '../report.mjs'

/** Milliseconds between two calls of people, as in an hour of the soak. */
const CALL_EVERY = 120
const ALONE_SECONDS = 30
const LOOK = 500
/** Cases a second with which 2.8 million take an hour. */
const AIM = 780

/** What is indexed of all case types: what a publication, and a release whose index is new, leave to be done. */
const KINDS = {
  'a field more': `update case_types set
    case_indexed = case_searched - (select min(f) from jsonb_object_keys(case_searched) f),
    issue_indexed = issue_searched - (select min(f) from jsonb_object_keys(issue_searched) f)`,
  'all fields, compared with the index': `update case_types set case_indexed = '{}', issue_indexed = '{}'`,
  'all fields, an empty index': `truncate answer_index, answer_values;
    update case_types set case_indexed = '{}', issue_indexed = '{}'`,
}

/** Measures how fast one server indexes answers, and what people's calls take meanwhile and without it. */
export async function run({ clients, database }) {
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const { url, tokens, product } = await prepare(Number(clients), database)
  const mix = Object.values(await scenarios(url, Number(clients))).flat()
  const headers = await headersFor(product.address, tokens.administrator)
  /** Milliseconds of each call until `isOver`. */
  const people = async (isOver) => {
    const took = []
    const running = new Set()
    for (let i = 0; !isOver(); i++) {
      const beganAt = performance.now()
      const call = ask(product.address, headers, mix[i % mix.length]).then(() =>
        took.push(performance.now() - beganAt),
      )
      running.add(call)
      call.finally(() => running.delete(call))
      await sleep(CALL_EVERY)
    }
    await Promise.all(running)
    took.sort((a, b) => a - b)
    const at = (share) => took[Math.min(took.length - 1, Math.floor(share * took.length))]
    return { calls: took.length, p50: at(0.5), p99: at(0.99) }
  }
  const untilAlone = performance.now() + ALONE_SECONDS * 1000
  const alone = await people(() => performance.now() > untilAlone)
  const [{ cases, issues }] = await query(
    url,
    'select (select count(*)::int from cases) as cases, (select count(*)::int from issues) as issues',
  )
  const kinds = {}
  for (const [kind, prepareIndex] of Object.entries(KINDS)) {
    await query(url, prepareIndex)
    let isOver = false
    const beside = people(() => isOver)
    const seconds = await untilIndexed(url)
    isOver = true
    kinds[kind] = { seconds, casesPerSecond: cases / seconds, people: await beside }
  }
  report({ cases, issues, alone, kinds })
  save('indexing', { cases, issues, alone, kinds })
}

/** Seconds from the beginning of the work until the last form is indexed. */
async function untilIndexed(url) {
  const look = async () =>
    (
      await query(
        url,
        `select (select count(*)::int from answer_index_work) as work, bool_and(case_searched = case_indexed
          and issue_searched = issue_indexed) as "isDone" from case_types`,
      )
    )[0]
  while ((await look()).work === 0) await sleep(LOOK)
  const beganAt = performance.now()
  while (!(await look()).isDone) await sleep(LOOK)
  return (performance.now() - beganAt) / 1000
}

function report({ cases, issues, alone, kinds }) {
  const rows = Object.entries(kinds).map(([kind, { seconds, casesPerSecond, people }]) => [
    kind,
    ...[seconds, casesPerSecond, people.p50, people.p99].map(short),
  ])
  printTable(
    `${cases} cases with ${issues} issues, beside ${(1000 / CALL_EVERY).toFixed(1)} calls a second`,
    ['indexed', 'seconds', 'cases a second', "people's p50 in ms", "people's p99 in ms"],
    [['nothing', '', '', short(alone.p50), short(alone.p99)], ...rows],
  )
  printAims(
    Object.entries(kinds).map(([kind, { casesPerSecond }]) => ({
      words: `cases a second: ${kind}`,
      value: casesPerSecond,
      limit: AIM,
      side: 'above',
    })),
  )
}
