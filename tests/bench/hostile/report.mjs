import { printAims, printTable } from '../report.mjs'

const SHOWN = 15

/** Prints the requests that held the event loop up longest, and whether any did so beyond the limit. */
export function report(measured, limit) {
  const worst = [...measured].sort((a, b) => b.delay - a.delay)
  printTable(
    `The worst of ${measured.length} hostile requests, ms`,
    ['request', 'status', 'event loop', 'harmless request'],
    worst
      .slice(0, SHOWN)
      .map(({ call, what, status, delay, harmless }) => [
        `${call}: ${what}`,
        status,
        Math.round(delay),
        Math.round(harmless),
      ]),
  )
  printAims([
    { words: 'longest delay of the event loop', value: worst[0].delay, limit, side: 'below', unit: ' ms' },
  ])
}
