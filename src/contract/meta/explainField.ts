import type { ItemLabel } from '../describeAnswer.ts'
import type { Group } from '../generated.ts'
import type { ConditionContext } from '../when.ts'
import { findField } from './findField.ts'
import { whyField } from './why.ts'

/**
 * Explains to the person who fills in a form why it requires, calculates, refuses or hides a field; empty for a field
 * without conditions. `name` is as for `whyField`.
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
