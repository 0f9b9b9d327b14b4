import { isEditable } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
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
  /** Names of answers that were not asked for when the record was made. */
  notAsked: string[]
}

const MISSING = 'Missing'

/** Names of the required fields of a group without an answer that was not asked for when the record was made. */
export function openQuestions(group: RenderedGroup, { answers, notAsked }: Options): string[] {
  if (group.at !== answers) return []
  const isOpen = (field: Field) =>
    isEditable(field) && group.required.has(field.name) && !isSet(group.values[field.name])
  return group.fields
    .filter((field) => isOpen(field) && notAsked.includes(field.name))
    .map(({ name }) => name)
}

/**
 * Errors of a group by field: required answers that are missing, and answers that are still invalid since the last
 * validation of the record.
 */
export function openProblems(
  group: RenderedGroup,
  groups: RenderedGroup[],
  options: Options,
): Record<string, string> {
  const { document, conditionContext, answers, invalid } = options
  const problems: Record<string, string> = {}
  const open = openQuestions(group, options)
  for (const field of group.fields) {
    const { name } = field
    if (!isEditable(field)) continue
    if (!isSet(group.values[name])) {
      if (group.required.has(name) && !open.includes(name)) problems[name] = MISSING
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
