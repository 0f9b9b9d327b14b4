import { sampleAutomations } from '../../contract/automations/sampleAutomations.ts'
import { contextOfTest, statesOf } from '../../contract/caseType/formTestContext.ts'
import { sampleDeadlines } from '../../contract/deadlines/sampleDeadlines.ts'
import type { Automation, Deadline, FormTest } from '../../contract/generated.ts'
import type { MetaName, Metas } from '../../contract/meta/metaTypes.ts'
import { fieldsByName } from '../../contract/meta/places.ts'
import { META_OF, recordFields } from '../../contract/meta/recordFields.ts'
import { quoted } from '../../contract/quoted.ts'
import { evaluate, withVisibleRows } from '../../contract/visible.ts'
import { type ConditionContext, holds, pathsOf, type When } from '../../contract/when.ts'
import type { Definitions } from './definitions.ts'
import type { CoveredCondition } from './formTestCoverage.ts'

export function coveredDefinitions(
  { automations, deadlines, ...metas }: Metas & Definitions,
  meta: MetaName,
  tests: FormTest[],
  around: ConditionContext,
): CoveredCondition[] {
  const own = <T extends { of: Automation['of']; is_on?: boolean }>(list: T[]) =>
    list.filter(({ of, is_on }) => META_OF[of] === meta && is_on !== false)
  const runs = tests.map((test) => {
    const context = { ...contextOfTest(test, around), answers: test.given }
    const due = sampleDeadlines(deadlines, meta, metas[meta], context, test.with?.actions)
    return { test, due, context: { ...context, deadline: statesOf(due) } }
  })
  const run: Run = { metas, meta, runs }
  return [...coveredAutomations(own(automations), run), ...coveredDeadlines(own(deadlines), run)]
}

interface Run {
  metas: Metas
  meta: MetaName
  runs: { test: FormTest; due: ReturnType<typeof sampleDeadlines>; context: ConditionContext }[]
}

function coveredAutomations(automations: Automation[], { metas, meta, runs }: Run): CoveredCondition[] {
  const reach = fieldsByName(metas[meta])
  const isTestable = (path: string) => path.startsWith('deadline.') || reach.has(path.split('.')[0])
  const testable = automations.filter(({ when }) => pathsOf(when).every(isTestable))
  if (testable.length === 0) return []
  const held = runs.map(
    ({ context }) => new Set(sampleAutomations(testable, testable[0].of, metas[meta], context).holding),
  )
  return testable.map((automation) => ({
    meta,
    address: [],
    definition: { list: 'automations', name: automation.name },
    when: automation.when,
    decides: `The automation ${quoted(automation.label, automation.name)} holds`,
    reach,
    hasHeld: held.some((holding) => holding.has(automation)),
    hasFailed: held.some((holding) => !holding.has(automation)),
  }))
}

function coveredDeadlines(deadlines: Deadline[], { metas, meta, runs }: Run): CoveredCondition[] {
  if (deadlines.length === 0) return []
  // All are of the same record.
  const reach = recordFields(deadlines[0].of, metas)
  return deadlines.flatMap(({ name, label, when, paused }) => {
    const expecting = runs.filter(({ test }) => Object.hasOwn(test.expect.deadlines ?? {}, name))
    const covered = (
      decides: string,
      one: When | undefined,
      isHeld: (run: Run['runs'][number]) => boolean,
    ) => {
      const held = expecting.map(isHeld)
      return {
        meta,
        address: [],
        definition: { list: 'deadlines' as const, name },
        when: one,
        decides,
        reach,
        hasHeld: held.includes(true),
        hasFailed: held.includes(false),
      }
    }
    const holdsIn = (one: When, { context }: Run['runs'][number]) =>
      holds(one, {
        ...withVisibleRows(metas[meta], context),
        answers: evaluate(metas[meta], context).answers,
      })
    const words = `The deadline ${quoted(label, name)}`
    return [
      covered(`${words} is due`, when, ({ due }) => due[name] !== null),
      ...(paused ? [covered(`${words} is paused`, paused.when, (run) => holdsIn(paused.when, run))] : []),
    ]
  })
}
