import { fromSource } from '../fromSource.mjs'

const [SMALL, BIG] = [125, 500]
const GROUP = 25
const ROUNDS = 9
const { adviceOn } = await fromSource('src/constructor/forms/advice.ts')
const { differences } = await fromSource('src/constructor/forms/diff.ts')
const { impactOf } = await fromSource('src/constructor/forms/impact.ts')
const { whyField } = await fromSource('src/contract/meta/why.ts')

/** What is said of a form while it is made, by what it is. */
const TEXTS = {
  advice: (meta) => adviceOn(meta),
  'no difference': (meta) => differences(meta, structuredClone(meta)),
  'everything turned round': (meta) => differences(meta, reversed(meta)),
  'everything gone': (meta) => differences(meta, { case_meta: [], issue_meta: [] }),
  'what publishing means': (meta) => impactOf(meta, oneOffEach(meta), usageOf(meta)),
  why: ({ case_meta }) => whyField(case_meta, `f0_${GROUP - 1}.0.q`, { answers: { f0_0: 'yes' } }),
}

/** How many times longer each text takes for a form of BIG fields than for one of SMALL, the best of several rounds each. */
export function textsGrow() {
  const [small, big] = [chained(SMALL), chained(BIG)]
  return Object.fromEntries(
    Object.entries(TEXTS).map(([name, text]) => {
      for (let i = 0; i < 3; i++) time(text, big)
      const rounds = Array.from({ length: ROUNDS }, () => [time(text, small), time(text, big)])
      const best = (side) => Math.min(...rounds.map((round) => round[side]))
      return [name, best(1) / best(0)]
    }),
  )
}

function time(text, meta) {
  const start = performance.now()
  text(meta)
  return performance.now() - start
}

/** A form whose fields each depend on the one before in their group, with a repeat in each. */
function chained(fields) {
  const attrs = { is_on: true }
  const groups = Array.from({ length: fields / GROUP }, (_, g) => ({
    name: `g${g}`,
    label: `Part ${g}`,
    attrs,
    fields: Array.from({ length: GROUP }, (_, f) => fieldOf(g, f)),
  }))
  return { case_meta: groups, issue_meta: structuredClone(groups) }
}

function fieldOf(g, f) {
  const [name, attrs] = [`f${g}_${f}`, { is_on: true }]
  if (f === 0) return { name, label: name, type: 'yesno', attrs }
  if (f < GROUP - 1)
    return { name, label: name, type: 'yesno', attrs: { ...attrs, when: { [`f${g}_${f - 1}`]: 'yes' } } }
  const columns = [
    { name: 'p', label: 'P', type: 'yesno', attrs },
    { name: 'q', label: 'Q', type: 'yesno', attrs: { ...attrs, when: { p: 'yes' } } },
  ]
  return { name, label: name, type: 'repeat', attrs, fields: columns }
}

function reversed({ case_meta, issue_meta }) {
  const turn = (groups) =>
    groups.map((g) => ({ ...g, label: `${g.label}!`, fields: [...g.fields].reverse() })).reverse()
  return { case_meta: turn(case_meta), issue_meta: turn(issue_meta) }
}

function oneOffEach(meta) {
  const after = structuredClone(meta)
  for (const { fields } of after.case_meta) fields[0].attrs = { is_on: false }
  return after
}

function usageOf({ case_meta }) {
  const answered = Object.fromEntries(case_meta.flatMap((g) => g.fields.map(({ name }) => [name, 1])))
  return { cases: 132, issues: 203, case_meta: answered, issue_meta: answered }
}
