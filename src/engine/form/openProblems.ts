import { isAsked } from '../../contract/fieldTypes.ts'
import { type ConditionContext, isSet, type Values } from '../../contract/when.ts'
import { join } from './paths.ts'
import type { RenderedGroup } from './renderedGroups.ts'
import { validateRenderedField } from './validateForm.ts'

interface Known {
  document: Values
  conditionContext: ConditionContext
  /** Where the answers to a meta stand in the document. */
  answers: string | undefined
  /** Names of answers that were missing or wrong when the record was validated last. */
  invalid: string[]
}

const MISSING = 'Missing'

/** What validation would refuse of a group as it is stored, by field: required answers without a value, and wrong ones. */
export function openProblems(
  group: RenderedGroup,
  groups: RenderedGroup[],
  { document, conditionContext, answers, invalid }: Known,
): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const field of group.fields) {
    const { name } = field
    if (!isAsked(field)) continue
    if (!isSet(group.values[name])) {
      if (group.required.has(name)) problems[name] = MISSING
      continue
    }
    if (group.at !== answers || !invalid.includes(name)) continue
    const path = join(group.at, name)
    const errors = validateRenderedField({ path, field, group }, groups, document, conditionContext)
    const [messages] = Object.values(errors)
    if (messages) problems[name] = messages[0]
  }
  return problems
}
