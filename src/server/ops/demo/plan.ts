import { isEditable } from '../../../contract/fieldTypes.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { withParents } from '../../../contract/subgroups.ts'
import { pathsOf, type When } from '../../../contract/when.ts'

export interface Question {
  field: Field
  /** Conditions that must all hold for the field to be visible. */
  when: When[]
}
/** A meta, its active editable fields, and the names that their conditions refer to. */
export interface Plan {
  groups: Group[]
  questions: Question[]
  watched: Set<string>
}

export function planOf(groups: Group[]): Plan {
  const questions = withParents(groups)
    .filter((group) => group.attrs?.is_on !== false)
    .flatMap((group) =>
      group.fields
        .filter((field) => field.attrs?.is_on !== false && isEditable(field))
        .map((field) => ({
          field,
          when: [group.attrs?.when, field.attrs?.when].filter((when) => when !== undefined),
        })),
    )
  const conditions = questions.flatMap(({ field, when }) => [
    ...when,
    field.attrs?.required_when,
    ...(field.attrs?.checks ?? []).map((check) => check.when),
  ])
  return { groups, questions, watched: new Set(conditions.flatMap(pathsOf)) }
}
