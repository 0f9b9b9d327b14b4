import type { Field, Group } from '../../contract/generated.ts'
import { type ConditionContext, holds, type Values } from '../../contract/when.ts'
import { getAt } from './paths.ts'
import type { FormSection } from './sections.ts'

/** The groups at one place of the document, keyed by section, with their condition context. */
export interface Slice {
  at: string
  groups: Group[]
  conditionContext: ConditionContext
}

/** A form's sections by place: conditions see all fields of the same place, in whichever section. */
export function slicesOf(
  sections: FormSection[],
  document: Values,
  conditionContext: ConditionContext,
): Slice[] {
  return [...new Set(sections.map((s) => s.at))].map((at) => {
    const placeContext = conditionContextAt(document, at, conditionContext)
    const here = sections.filter((s) => s.at === at && holds(s.when, placeContext))
    return {
      at,
      conditionContext: placeContext,
      groups: here.flatMap((s) => s.groups.map((g) => ({ ...g, name: keyOf(s, g) }))),
    }
  })
}

/** What a condition at a place of the document can reach. */
export function conditionContextAt(
  document: Values,
  at: string,
  conditionContext: ConditionContext,
): ConditionContext {
  return { ...conditionContext, form: document, answers: (getAt(document, at) ?? {}) as Values }
}

/** A group's name, unique in its form. */
export function keyOf(section: FormSection, group: Group): string {
  return `${section.key}-${group.name}`
}

/** The same groups without the fields that are shown but not asked. */
export function editableGroups(groups: Group[]): Group[] {
  const isEditable = (f: Field) => !f.attrs?.read_only
  return groups.map((g) => (g.fields.every(isEditable) ? g : { ...g, fields: g.fields.filter(isEditable) }))
}
