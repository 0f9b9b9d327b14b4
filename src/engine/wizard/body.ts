import type { Contract } from '../../contract/contract.ts'
import type { Step, WizardScreen } from '../../contract/types.ts'
import { type Scope, type Values, valueAt } from '../../contract/when.ts'
import { isGroup, layOver } from '../form/layOver.ts'
import { getAt, setAt } from '../form/paths.ts'
import { shownValues } from '../form/shownValues.ts'
import { stepSections } from './steps.ts'

/** The body of the one call at the end: what each step shows, and which versions of metas it was asked by. */
export function bodyOf(contract: Contract, screen: WizardScreen, document: Values, scope: Scope): Values {
  const places = screen.steps.map((s) => s.at ?? '')
  let body: Values = {}
  for (const step of screen.steps) body = layOver(body, valuesOf(contract, step, document, scope), places)
  return { ...body, ...versionsOf(screen, scope) }
}

function valuesOf(contract: Contract, step: Step, document: Values, scope: Scope): Values {
  const at = step.at ?? ''
  const value = getAt(document, at)
  if (step.existing && typeof value === 'number') return setAt({}, at, value)
  const shown = shownValues(stepSections(contract, step, scope), document, scope)
  if (!step.repeat) return shown
  // A row's own name tells rows apart while they are typed; records have ids of their own.
  const rows = (getAt(shown, at) ?? []) as Values[]
  return setAt(
    {},
    at,
    rows.map(({ row: _, ...record }) => record),
  )
}

/** `case_type_version` for what is read by `form.case_type`. */
function versionsOf({ with: named = {} }: WizardScreen, scope: Scope): Values {
  const versions = Object.entries(named).flatMap(([name, { id }]) => {
    const read = valueAt(`with.${name}`, scope)
    const field = id?.match(/^form\.(\w+)$/)?.[1]
    return field && isGroup(read) && read.version !== undefined ? [[`${field}_version`, read.version]] : []
  })
  return Object.fromEntries(versions)
}
