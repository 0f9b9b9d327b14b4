import { isEditable } from '../../../contract/fieldTypes.ts'
import { type ConditionContext, isSet, type Values } from '../../../contract/when.ts'
import { join } from './paths.ts'
import type { RenderedGroup } from './renderedGroups.ts'
import { validateRenderedField } from './validateForm.ts'

interface Options {
  document: Values
  conditionContext: ConditionContext
  /** Path of a meta's answers in the document. */
  answers: string | undefined
  /** Names of answers that were missing or invalid at the last validation of the record. */
  invalid: string[]
}

const MISSING = 'Missing'

/**
 * Errors of a group by field: required answers that are missing, and answers that are still invalid since the last
 * validation of the record.
 */
export function openProblems(
  group: RenderedGroup,
  groups: RenderedGroup[],
  { document, conditionContext, answers, invalid }: Options,
): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const field of group.fields) {
    const { name } = field
    if (!isEditable(field)) continue
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
