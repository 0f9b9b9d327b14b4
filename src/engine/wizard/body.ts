import type { Contract } from '../../contract/contract.ts'
import type { Step, WizardScreen } from '../../contract/generated.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { isPlainObject } from '../../contract/when.ts'
import { mergeAt } from '../form/mergeAt.ts'
import { getAt, setAt } from '../form/paths.ts'
import { requestedVersions } from '../form/requestedVersions.ts'
import { visibleValues } from '../form/visibleValues.ts'
import type { MetaSnapshot } from './metas.ts'
import { stepSections } from './steps.ts'

/** The body of the one call at the end: what each step shows, and which versions of metas it was asked by. */
export function bodyOf(
  contract: Contract,
  screen: WizardScreen,
  wizard: { document: Values; conditionContext: ConditionContext; metas: Record<string, MetaSnapshot> },
): Values {
  const { document, conditionContext, metas } = wizard
  const places = screen.steps.map((s) => s.at ?? '')
  const isOlder = Object.values(metas).some(({ version, since }) => since !== undefined && since !== version)
  let body: Values = {}
  for (const step of screen.steps)
    body = mergeAt(body, valuesOf(contract, step, { document, conditionContext, isOlder }), places)
  return { ...body, ...versionsOf(screen, wizard) }
}

interface Given {
  document: Values
  conditionContext: ConditionContext
  /** A newer version of a meta was published since the person was asked. */
  isOlder: boolean
}

function valuesOf(contract: Contract, step: Step, { document, conditionContext, isOlder }: Given): Values {
  const at = step.at ?? ''
  const value = getAt(document, at)
  if (step.existing && typeof value === 'number') return setAt({}, at, value)
  const visible = visibleValues(
    stepSections(contract, step, conditionContext),
    document,
    conditionContext,
    isOlder,
  )
  if (!step.repeat) return visible
  // A row's own name tells rows apart while they are typed; records have ids of their own.
  const rows = (getAt(visible, at) ?? []) as Values[]
  return setAt(
    {},
    at,
    rows.map(({ row: _, ...record }) => record),
  )
}

/** The versions by which the person was asked first. */
function versionsOf(
  { steps, with: reads }: WizardScreen,
  { conditionContext, metas }: { conditionContext: ConditionContext; metas: Record<string, MetaSnapshot> },
): Values {
  const first = Object.entries(conditionContext.with ?? {}).map(([name, read]) => {
    const since = metas[name]?.since
    return [name, isPlainObject(read) && since !== undefined ? { ...read, version: since } : read]
  })
  return requestedVersions(
    steps.flatMap((step) => step.groups ?? []),
    reads,
    Object.fromEntries(first),
  )
}
