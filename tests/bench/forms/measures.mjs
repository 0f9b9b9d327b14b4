import { median } from '../numbers.mjs'
import { YARDSTICK } from './engines.mjs'

const allOf = (works) => median(works.map(({ all }) => all))

/** What tables show of a run, in milliseconds; undefined where the form has nothing to measure it by. */
export const MEASURES = {
  key: ({ keys }) => allOf(keys),
  'key in a summed number': ({ summed }) => summed?.key.all,
  'leaving a field': ({ leaving }) => allOf(leaving),
  'toggle to shown': ({ toggle }) => median(toggle),
  submit: ({ submitting }) => submitting.all,
  'submit to messages': ({ submit }) => submit,
  interactive: ({ interactive }) => interactive,
}

/** The measures that these runs have. */
export const measuresOf = (runs) =>
  Object.fromEntries(Object.entries(MEASURES).filter(([, of]) => runs.some((one) => of(one) !== undefined)))

/** The runs of one engine with forms of one size. */
export const runsOf = (runs, engine, size) => runs.filter((one) => one.engine === engine && one.size === size)

/** The median of an engine's ratios to the form by hand of the same repetition. */
export function ratio(runs, engine, size, of) {
  const hand = new Map(runsOf(runs, YARDSTICK, size).map((one) => [one.rep, of(one)]))
  return median(runsOf(runs, engine, size).map((one) => of(one) / hand.get(one.rep)))
}

/** Keys that did not arrive in any of these runs. */
export const lostIn = (runs) => runs.reduce((sum, { lost }) => sum + lost, 0)
