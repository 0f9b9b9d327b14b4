import { execFileSync } from 'node:child_process'
import { isStale } from '../../../src/build/stale.mjs'
import { headersFor } from '../calls/ask.mjs'
import { query } from '../calls/database.mjs'
import { prepare } from '../calls/prepare.mjs'
import { fromSource } from '../fromSource.mjs'
import { median, short } from '../numbers.mjs'
import { printTable, save } from '../report.mjs'
import { dailyCalls } from './dailyCalls.mjs'

const SMALL = 10_000
const GROWTH = 1.5
/** Milliseconds by which two medians differ on a busy machine anyway. */
const NOISE = 3
const WHO = ['administrator', 'manager', 'hub', 'advocate']

/**
 * Times every call that only reads, and every order of a list, on a small and on a large database, one after the other, as
 * the four who see most differently.
 */
export async function run(options) {
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const { contract } = (await fromSource('src/contract/load.ts')).loadContract(process.cwd())
  const sides = [await side(SMALL), await side(Number(options.clients), options.database)]
  const measured = []
  for (const who of WHO) {
    const people = await Promise.all(sides.map((one) => personOf(one, who)))
    const [small, large] = await Promise.all(people.map((person) => dailyCalls(contract, person)))
    for (const [name, path] of small) {
      if (!name.includes(options.calls) || !large.has(name)) continue
      const one = await compare(people, [path, large.get(name)], Number(options.rounds))
      measured.push({ name, who, ...one })
    }
  }
  report(sides, measured)
  save('growth', { clients: sides.map(({ clients }) => clients), measured })
}

async function side(clients, existing) {
  const { url, tokens, product } = await prepare(clients, existing)
  const [{ n }] = await query(url, 'select count(*)::int as n from clients')
  return { url, tokens, address: product.address, clients: n }
}

async function personOf({ address, tokens }, who) {
  const headers = await headersFor(address, tokens[who])
  return { headers, get: (path) => fetch(address + path, { headers }) }
}

/** The median milliseconds of a call on both sides, asked in turn; NaN where it is refused. */
async function compare(people, paths, rounds) {
  const times = [[], []]
  for (let round = 0; round < rounds + 1; round++)
    for (const side of [0, 1]) {
      const began = performance.now()
      const reply = await people[side].get(paths[side])
      await reply.arrayBuffer()
      // The first one prepares statements.
      if (round > 0) times[side].push(reply.ok ? performance.now() - began : Number.NaN)
    }
  const [small, large] = times.map(median)
  return { small, large, growth: large / small }
}

function report(sides, measured) {
  const grown = measured
    .filter(({ small, large, growth }) => growth > GROWTH && large - small > NOISE)
    .sort((a, b) => b.large - a.large)
  printTable(
    `Calls that grow more than ${GROWTH} times from ${sides.map(({ clients }) => clients).join(' to ')} clients, ms`,
    ['', 'as', 'small', 'large', 'growth'],
    grown.map(({ name, who, small, large, growth }) => [name, who, ...[small, large, growth].map(short)]),
  )
  const refused = measured
    .filter(({ growth }) => !Number.isFinite(growth))
    .map(({ name, who }) => `${name} (${who})`)
  if (refused.length > 0) console.log(`\nNot answered: ${refused.join(', ')}`)
  console.log(`\n${grown.length} of ${measured.length} calls and orders grow`)
}
