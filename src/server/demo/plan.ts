import { isAsked } from '../../contract/fieldTypes.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { pathsOf, type When } from '../../contract/when.ts'

export interface Question {
  field: Field
  /** All must hold for the field to be shown. */
  when: When[]
}
/** A meta, those of its fields that people fill in and that are switched on, and the names that their conditions look at. */
export interface Plan {
  groups: Group[]
  questions: Question[]
  watched: Set<string>
}

export function planOf(groups: Group[]): Plan {
  const questions = groups
    .filter((group) => group.attrs?.is_on !== false)
    .flatMap((group) =>
      group.fields
        .filter((field) => field.attrs?.is_on !== false && isAsked(field))
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
