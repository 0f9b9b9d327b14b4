import { execFileSync } from 'node:child_process'
import { isStale } from '../../../src/build/stale.mjs'
import { headersFor } from '../calls/ask.mjs'
import { alone } from '../calls/compare.mjs'
import { query } from '../calls/database.mjs'
import { prepare } from '../calls/prepare.mjs'
import { short } from '../numbers.mjs'
import { printAims, printTable, save } from '../report.mjs'
import { scenarios } from './scenarios.mjs'

const CONNECTIONS = 8
const PEOPLE = {
  administrator: 'an administrator',
  manager: 'a manager',
  hub: 'a hub adviser',
  advocate: 'an advocate',
}

/** Measures every search with 8 connections as the four who see most differently; there is no yardstick for it. */
export async function run(options) {
  const [clients, rounds] = [Number(options.clients), Number(options.rounds)]
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const { url, tokens, product } = await prepare(clients, options.database)
  const [{ n }] = await query(url, 'select count(*) as n from clients')
  const measured = await measure({ address: product.address, tokens, url, rounds, only: options.calls })
  report(n, measured)
  save('search', { clients: n, measured })
}

/** The p50 and p99 of each search as each of the four. */
export async function measure({ address, tokens, url, rounds, only = '' }) {
  const measured = []
  for (const [name, { aim, requests, who: some = Object.keys(PEOPLE) }] of Object.entries(
    await scenarios(url),
  )) {
    if (!name.includes(only)) continue
    for (const who of some) {
      const headers = await headersFor(address, tokens[who])
      const { ours } = await alone({ requests, connections: CONNECTIONS, rounds, headers, product: address })
      measured.push({ name, who, aim, ...ours })
    }
  }
  return measured
}

/** Prints what was measured, a line a search, and the aims. */
export function report(clients, measured) {
  const names = [...new Set(measured.map(({ name }) => name))]
  printTable(
    `Searches on ${clients} clients, ${CONNECTIONS} connections: p50 / p99 in ms`,
    ['', ...Object.keys(PEOPLE)],
    names.map((name) => [
      name,
      ...Object.keys(PEOPLE).map((who) => {
        const one = measured.find((of) => of.name === name && of.who === who)
        return one ? `${short(one.p50)} / ${short(one.p99)}` : ''
      }),
    ]),
  )
  printAims(
    measured.map(({ name, who, aim, p99 }) => ({
      words: `${name}, as ${PEOPLE[who]}, p99`,
      value: p99,
      limit: aim,
      unit: ' ms',
    })),
  )
}
