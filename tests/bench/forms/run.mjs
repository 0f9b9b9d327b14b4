import { short } from '../numbers.mjs'
import { save } from '../report.mjs'
import { browserLauncher } from './browser.mjs'
import { bundle, sizeOf } from './bundle.mjs'
import { ENGINES, YARDSTICK } from './engines.mjs'
import { measure } from './measure.mjs'
import { MEASURES } from './measures.mjs'
import { report } from './report.mjs'
import { serve } from './serve.mjs'

const PEER_REPS = 2

/** Measures every engine in fresh browsers, in another order each time, and reports ratios to the form by hand. */
export async function run({
  sizes: sizesAsked,
  reps: repsAsked,
  engines: enginesAsked,
  calculated: sumsAsked,
}) {
  const sizes = sizesAsked.split(',').map(Number)
  const reps = Number(repsAsked)
  const calculated = Number(sumsAsked)
  const all = calculated > 0 ? [YARDSTICK, 'ours'] : Object.keys(ENGINES)
  const engines = enginesAsked ? [YARDSTICK, ...enginesAsked.split(',')] : all
  const names = [...new Set(engines.map((name) => ENGINES[name].bundle))]
  const address = await serve(await bundle(names))
  const launch = await browserLauncher()
  const runs = []
  for (let rep = 0; rep < reps; rep++)
    for (const size of sizes)
      for (const engine of shuffled(engines.filter((name) => ENGINES[name].every || rep < PEER_REPS))) {
        const measured = await measure(launch, address, ENGINES[engine], size, calculated)
        const wrong = complaint(measured)
        if (wrong) {
          console.warn(`  ${engine}, ${size} fields, does not count: ${wrong}`)
          continue
        }
        runs.push({ engine, size, rep, ...measured })
        process.stdout.write(
          `  ${rep + 1}/${reps} ${size} ${engine}: key ${short(MEASURES.key(measured))} ms\n`,
        )
      }
  const kilobytes = Object.fromEntries(names.map((name) => [name, sizeOf(name)]))
  report(runs, sizes)
  save('forms', { calculated, kilobytes, runs })
}

function shuffled(list) {
  const keyed = list.map((one) => [Math.random(), one])
  return keyed.sort(([a], [b]) => a - b).map(([, one]) => one)
}

/** What a measurement has against itself: a form that is not the same form proves nothing. */
function complaint({ controls, errors, summed, toggle, notStored, problems }) {
  if (controls.drawn !== controls.expected)
    return `${controls.drawn} controls instead of ${controls.expected}`
  if (toggle.some(Number.isNaN)) return 'a conditional field did not come'
  if (notStored > 0) return `${notStored} texts were not stored in time`
  if (summed?.isRight === false) return 'the sum is wrong'
  if (errors.shown !== errors.expected) return `${errors.shown} messages instead of ${errors.expected}`
  return problems.join('; ')
}
