import { execFileSync } from 'node:child_process'
import { isStale } from '../../../src/build/stale.mjs'
import { headersFor } from '../calls/ask.mjs'
import { databaseOn, query } from '../calls/database.mjs'
import { prepare } from '../calls/prepare.mjs'
import { fromSource } from '../fromSource.mjs'
import { median, short } from '../numbers.mjs'
import { printTable, save } from '../report.mjs'
import { caseloadOf, evenCaseloads, readingClients } from './caseloads.mjs'
import { dailyCalls } from './dailyCalls.mjs'

const SMALL = 10_000
const GROWTH = 1.5
/** Milliseconds by which two medians differ on a busy machine anyway. */
const NOISE = 3
/** Those who are left the same caseload in both databases; an administrator sees everything, so what they see grows. */
const EVEN = ['manager', 'hub', 'advocate']
const WHO = [...EVEN, 'administrator']

/**
 * Times every call that only reads, and every order of a list, on a small and on a large database, one after the other, as
 * the four who see most differently.
 */
export async function run(options) {
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const { contract } = (await fromSource('src/check/load.ts')).loadContract(process.cwd())
  const copy = options.database && (await databaseOn(options.database, options.database))
  const sides = [await side(SMALL), await side(Number(options.clients), copy)]
  const people = await Promise.all(sides.map(peopleOf))
  await evenCaseloads(
    sides.map(({ url }) => url),
    people.map(idsOf),
  )
  const sizes = sides.map(({ clients }) => clients).join(' to ')
  printTable(
    `Issues, cases and clients that each sees, of ${sizes} clients`,
    ['', 'small', 'large'],
    await caseloads(sides, people),
  )
  printTable(
    'Milliseconds in which PostgreSQL reads the clients of these by their ids',
    ['', 'small', 'large', 'growth'],
    await readings(sides, people),
  )
  const measured = []
  for (const who of WHO) {
    const calls = await measure(
      contract,
      people.map((side) => side[who]),
      options,
    )
    report(`Calls as ${who} that grow more than ${GROWTH} times from ${sizes} clients, ms`, calls)
    measured.push(...calls.map((call) => ({ ...call, who })))
  }
  save('growth', { clients: sides.map(({ clients }) => clients), measured })
}

/** The times of every call that both, the same person on either side, may make. */
async function measure(contract, both, { calls, rounds }) {
  const [small, large] = await Promise.all(both.map((person) => dailyCalls(contract, person)))
  const measured = []
  for (const [name, path] of small)
    if (name.includes(calls) && large.has(name))
      measured.push({ name, ...(await compare(both, [path, large.get(name)], Number(rounds))) })
  return measured
}

async function side(clients, existing) {
  const { url, tokens, product } = await prepare(clients, existing)
  const [{ n }] = await query(url, 'select count(*)::int as n from clients')
  return { url, tokens, address: product.address, clients: n }
}

async function peopleOf({ address, tokens }) {
  const people = {}
  for (const who of WHO) {
    const headers = await headersFor(address, tokens[who])
    const get = (path) => fetch(address + path, { headers })
    people[who] = { id: (await (await get('/api/staff/me/info')).json()).id, get }
  }
  return people
}

const idsOf = (people) => Object.fromEntries(EVEN.map((who) => [who, people[who].id]))

/** What each of the even sees on both sides. */
async function caseloads(sides, people) {
  const rows = []
  for (const who of EVEN) {
    const seen = await Promise.all(sides.map(({ url }, i) => caseloadOf(url, people[i][who].id)))
    rows.push([who, ...seen.map((numbers) => numbers.join(', '))])
  }
  return rows
}

/** How long the same rows take to read on both sides: what lists of a caseload cannot grow less than. */
async function readings(sides, people) {
  const rows = []
  for (const who of EVEN) {
    const times = []
    for (const [i, { url }] of sides.entries()) times.push(await readingClients(url, people[i][who].id))
    rows.push([who, ...[...times, times[1] / times[0]].map(short)])
  }
  return rows
}

/** The median milliseconds of a call on both sides, asked in turn; NaN where it is refused. */
async function compare(people, paths, rounds) {
  const times = /** @type {number[][]} */ ([[], []])
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

function report(title, measured) {
  const grown = measured
    .filter(({ small, large, growth }) => growth > GROWTH && large - small > NOISE)
    .sort((a, b) => b.large - a.large)
  printTable(
    title,
    ['', 'small', 'large', 'growth'],
    grown.map(({ name, small, large, growth }) => [name, ...[small, large, growth].map(short)]),
  )
  console.log(`\n${grown.length} of ${measured.length} calls and orders grow`)
  const refused = measured.filter(({ growth }) => !Number.isFinite(growth)).map(({ name }) => name)
  if (refused.length > 0) console.log(`Not answered: ${refused.join(', ')}`)
}
