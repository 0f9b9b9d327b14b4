import { median, short } from '../numbers.mjs'
import { printAims, printTable } from '../report.mjs'

const MIN_RATIO = { administrator: 0.85, others: 0.7 }
const LEAN_RATIO = { 'one client': 0.6, 'create a draft': 0.5 }
const SEARCH_MS = 60
const PAGE_MS = 100
const MEMORY_MB = 150
const FIRST_PAGE_S = 1.5
const SEARCH = 'quick search'
const PAGE = /, page \d/

/** Prints the tables of a run and what is aimed at. */
export function report({ clients, compared, others, memory, firstPages }) {
  printTable(
    `Calls on ${clients} clients, to those of an administrator of bare Fastify and pg`,
    [
      '',
      'connections',
      'ours/s',
      'bare/s',
      'ratio',
      'least',
      'to lean',
      'p50 ms',
      'bare p50',
      'p99 ms',
      'bare p99',
    ],
    compared.map(({ name, connections, ratios, sides: { ours, bare } }) => [
      name,
      connections,
      ...[ours.perSecond, bare.perSecond, median(ratios.bare), Math.min(...ratios.bare)].map(short),
      ratios.lean ? short(median(ratios.lean)) : '',
      ...[ours.p50, bare.p50, ours.p99, bare.p99].map(short),
    ]),
  )
  printTable(
    'Without a yardstick',
    ['', 'connections', 'ours/s', 'p50 ms', 'p99 ms'],
    others.map(({ name, connections, ours }) => [
      name,
      connections,
      ...[ours.perSecond, ours.p50, ours.p99].map(short),
    ]),
  )
  const many = compared.filter(({ connections }) => connections > 1)
  const searches = many.filter(({ name }) => name.startsWith(SEARCH))
  const pages = many.filter(({ name }) => PAGE.test(name))
  console.log(
    `\nMemory after the run ${short(memory)} MB; starts to the first page ${firstPages.map(short).join(', ')} s`,
  )
  printAims([
    ...compared.map(({ name, who, connections, ratios }) => ({
      words: `${name}, ${connections} connection${connections > 1 ? 's' : ''}`,
      value: median(ratios.bare),
      limit: MIN_RATIO[who],
      side: 'above',
    })),
    ...many
      .filter(({ ratios }) => ratios.lean)
      .map(({ name, ratios }) => ({
        words: `${name}, to lean`,
        value: median(ratios.lean),
        limit: LEAN_RATIO[name],
        side: 'above',
      })),
    ...searches.map(({ name, sides: { ours } }) => ({
      words: `${name}, p99`,
      value: ours.p99,
      limit: SEARCH_MS,
      unit: ' ms',
    })),
    ...pages.map(({ name, sides: { ours } }) => ({
      words: `${name}, p50`,
      value: ours.p50,
      limit: PAGE_MS,
      unit: ' ms',
    })),
    { words: 'memory after the run', value: memory, limit: MEMORY_MB, unit: ' MB' },
    { words: 'start to first page', value: median(firstPages), limit: FIRST_PAGE_S, unit: ' s' },
  ])
}
