import type { Group } from '../generated.ts'
import type { ConditionContext } from '../when.ts'
import type { ItemLabel } from './describeAnswer.ts'
import { findField } from './findField.ts'
import { whyField } from './why.ts'

/**
 * Why a form requires, calculates, refuses or hides a field, in sentences for the person who fills it in; a field that
 * nothing decides about has none. `name` is as for `whyField`.
 */
export function explainField(
  groups: Group[],
  name: string,
  conditionContext: ConditionContext,
  itemLabel?: ItemLabel,
): string[] {
  const why = whyField(groups, name, conditionContext, itemLabel, 'staff')
  if (!why.isVisible) return why.visibleReasons
  const { attrs } = findField(groups, name)!.field
  return [...(attrs?.calc || attrs?.required_when ? why.required : []), ...(why.refused ?? [])]
}
