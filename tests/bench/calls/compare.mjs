import { median } from '../numbers.mjs'
import { press } from './press.mjs'

const SECONDS = 1.2
const WARM_UP = 0.4
// Without a yardstick rounds are fewer and longer, for what is measured so takes longer.
const ALONE_SECONDS = 4
const ALONE_ROUNDS = 3

/**
 * Presses product and yardstick in turn, in short rounds, so that a busy moment of the machine meets both. Answers the
 * medians of each, and the rounds' ratios of requests a second with their median.
 */
export async function compare({ requests, connections, rounds, headers, product, bare }) {
  const addresses = { ours: product, bare }
  const sides = { ours: [], bare: [] }
  for (const address of Object.values(addresses))
    await press(address, headers, requests, { connections, seconds: WARM_UP })
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 ? ['bare', 'ours'] : ['ours', 'bare'])
      sides[side].push(await press(addresses[side], headers, requests, { connections, seconds: SECONDS }))
  const ratios = sides.ours.map(({ perSecond }, i) => perSecond / sides.bare[i].perSecond)
  return {
    ratio: median(ratios),
    ratios,
    ours: medians(sides.ours),
    bare: medians(sides.bare),
    rounds: sides,
  }
}

/** Presses the product where there is nothing to compare it to. */
export async function alone({ requests, connections, rounds, headers, product }) {
  await press(product, headers, requests, { connections, seconds: WARM_UP })
  const measured = []
  for (let round = 0; round < Math.min(rounds, ALONE_ROUNDS); round++)
    measured.push(await press(product, headers, requests, { connections, seconds: ALONE_SECONDS }))
  return { ours: medians(measured), rounds: measured }
}

const medians = (measured) =>
  Object.fromEntries(Object.keys(measured[0]).map((key) => [key, median(measured.map((one) => one[key]))]))
