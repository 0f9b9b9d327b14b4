import { execFileSync } from 'node:child_process'
import { isDeepStrictEqual } from 'node:util'
import { isStale } from '../../../src/build/stale.mjs'
import { query } from '../calls/database.mjs'
import { save } from '../report.mjs'
import { compare } from './compare.mjs'
import { openDatabases } from './databases.mjs'
import { MEASURES } from './measures.mjs'
import { report } from './report.mjs'
import { sidesOf } from './sides.mjs'

const FEW = 10_000
/** Enough that a million actions are some 25 an issue. */
const MAX_CLIENTS = 20_000

/** Measures the calls of a caseworker's day on few and on many actions, as ratios within this run. */
export async function run(asked) {
  const [clients, many, rounds] = [Number(asked.clients), Number(asked.actions), Number(asked.rounds)]
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const databases = await openDatabases([FEW, many], Math.min(clients, MAX_CLIENTS))
  for (const database of databases) {
    const [{ version }] = await query(database.url, 'select version from issues where id = $1', [
      database.issue,
    ])
    Object.assign(database, { version, sides: await sidesOf(database) })
  }
  const compared = {}
  for (const [name, measure] of Object.entries(MEASURES)) {
    await warnOfOtherAnswers(name, measure, databases[0])
    compared[name] = await compare(measure, databases, rounds)
  }
  report(compared)
  save('casework', { compared })
}

/** All sides must do the same work, so they must answer the same but for what only the product puts into words. */
async function warnOfOtherAnswers(name, measure, database) {
  const replies = {}
  for (const [side, send] of Object.entries(database.sides)) {
    const texts = []
    for (const request of measure(database)) texts.push(await send(request))
    replies[side] = texts.map((text) => settled(typeof text === 'string' ? JSON.parse(text) : plain(text)))
  }
  for (const side of ['bare', 'sql'])
    if (!isDeepStrictEqual(replies.ours, replies[side]))
      console.warn(`${name}: ours and ${side} answer differently; bring casework/answers.mjs up to date.`)
}

/** A value as JSON would carry it. */
const plain = (value) => JSON.parse(JSON.stringify(value))

function settled(reply) {
  if (Array.isArray(reply)) return reply
  if (reply.pagination) return { ...reply, data: reply.data.map(({ title, changes, ...rest }) => rest) }
  const { version, updated_at, answers, ...rest } = reply
  return rest
}
