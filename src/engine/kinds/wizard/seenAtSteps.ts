import type { Contract } from '../../../contract/contract.ts'
import type { WizardScreen } from '../../../contract/generated.ts'
import { type Seen, sourceOfPath } from '../../../contract/seen.ts'
import { evaluate } from '../../../contract/visible.ts'
import { type ConditionContext, type Values, valueAt } from '../../../contract/when.ts'
import { today } from '../../core/today.ts'
import { getAt } from '../../form/store/paths.ts'
import { seenAtPlaces } from '../../form/store/seenAt.ts'
import { stepSections } from './steps.ts'

/**
 * The values of other records that the metas of a wizard's steps refer to, by the place of their answers in the
 * document. The case of an issue is in the same document: its answers are those that its own form shows.
 */
export function seenAtSteps(
  contract: Contract,
  screen: WizardScreen,
  context: ConditionContext,
  document: Values,
): Record<string, Seen> | undefined {
  const found = screen.steps.map(({ groups = [], at }) => seenAtPlaces(contract, groups, context, at))
  const all = Object.assign({}, ...found) as Record<string, Seen>
  for (const [at, seen] of Object.entries(all)) {
    const paths = [...seen.fields.keys()].filter((path) => sourceOfPath(path) === 'case')
    if (paths.length === 0) continue
    const ofCase = { case: caseIn(contract, screen, { ...context, seen: all[CASE_ANSWERS] }, document) }
    const values = paths.map((path) => [path, { value: valueAt(path, { with: ofCase }) ?? null }])
    all[at] = { ...seen, values: { ...seen.values, ...Object.fromEntries(values) } }
  }
  return Object.keys(all).length > 0 ? all : undefined
}

const CASE = 'case'
const CASE_ANSWERS = 'case.answers'

/** The case of a document, with the answers that its form shows. */
function caseIn(
  contract: Contract,
  screen: WizardScreen,
  context: ConditionContext,
  document: Values,
): Values {
  const given = (getAt(document, CASE_ANSWERS) ?? {}) as Values
  const step = screen.steps.find(({ at }) => at === CASE)
  const groups = step
    ? stepSections(contract, step, context).flatMap((section) =>
        section.at === CASE_ANSWERS ? section.groups : [],
      )
    : []
  const shown = new Set<string>()
  const evaluated = evaluate(groups, { ...context, answers: given, today: today() })
  for (const { name } of evaluated.groups.flatMap((group) => group.fields)) shown.add(name)
  const answers = Object.entries(evaluated.answers).filter(([name]) => shown.has(name))
  return {
    ...document,
    ...(getAt(document, CASE) as Values | undefined),
    answers: Object.fromEntries(answers),
  }
}
