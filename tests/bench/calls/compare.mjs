import { median } from '../numbers.mjs'
import { press } from './press.mjs'

const SECONDS = 1.2
const WARM_UP = 0.4
// Without a yardstick rounds are fewer and longer, for what is measured so takes longer.
const ALONE_SECONDS = 4
const ALONE_ROUNDS = 3

/**
 * Presses product and yardsticks in turn, in short rounds, so that a busy moment of the machine meets all. Answers the
 * medians of each side, and by yardstick the rounds' ratios of requests a second. Whatever the role that asks the
 * product, an administrator (`headers`) asks the yardsticks, which know no other one.
 */
export async function compare({
  requests,
  connections,
  rounds,
  headers,
  asking = headers,
  product,
  yardsticks,
}) {
  const addresses = { ours: product, ...yardsticks }
  const sides = Object.keys(addresses)
  /** @type {Record<string, Awaited<ReturnType<typeof press>>[]>} */
  const measured = Object.fromEntries(sides.map((side) => [side, []]))
  const pressing = (side, seconds) =>
    press(addresses[side], side === 'ours' ? asking : headers, requests, { connections, seconds })
  for (const side of sides) await pressing(side, WARM_UP)
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 ? sides.toReversed() : sides)
      measured[side].push(await pressing(side, SECONDS))
  const perSecondOf = (side) => measured[side].map(({ perSecond }) => perSecond)
  const ratiosTo = (side) => perSecondOf('ours').map((ours, i) => ours / perSecondOf(side)[i])
  return {
    ratios: Object.fromEntries(Object.keys(yardsticks).map((side) => [side, ratiosTo(side)])),
    sides: Object.fromEntries(sides.map((side) => [side, medians(measured[side])])),
    rounds: measured,
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
