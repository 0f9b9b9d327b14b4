import type { Contract } from '../../contract/contract.ts'
import type { FormScreen, Property } from '../../contract/generated.ts'
import { type ConditionContext, isSet, type Values, valueAt } from '../../contract/when.ts'
import { entityOf } from '../runtime/entityOf.ts'

/** What a screen says that a new record begins with, without what is unset; `fixed` is what the address gave. */
export function initialValuesOf(
  contract: Contract,
  { initialValues = {}, save }: FormScreen,
  conditionContext: ConditionContext,
): { values: Values; fixed: Values } {
  const { properties } = entityOf(contract, save!)
  const entries = Object.entries(initialValues)
    .map(([name, path]) => [name, coerce(properties[name], valueAt(path, conditionContext)), path] as const)
    .filter(([, value]) => isSet(value))
  const named = entries.filter(([, , path]) => path.startsWith('query.'))
  return { values: valuesOf(entries), fixed: valuesOf(named) }
}

/** An address holds text; what is a number in the record becomes one, or nothing. */
function coerce(property: Property | undefined, value: unknown): unknown {
  const isNumber = [property?.type].flat().includes('integer')
  if (!isNumber || typeof value !== 'string') return value
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined
}

function valuesOf(entries: (readonly [string, unknown, string])[]): Values {
  return Object.fromEntries(entries.map(([name, value]) => [name, value]))
}
