import type { Contract } from '../../contract/contract.ts'
import type { Field } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import type { FormSection } from './sections.ts'

/**
 * The sections of a new record with the records that it belongs to: those that are `fixed` are shown, one that people
 * choose is asked, and must be where nothing is fixed; the others are left out. Nobody types a number.
 */
export function withParentFields(
  { entities }: Contract,
  sections: FormSection[],
  fixed: Values,
): FormSection[] {
  const isChosenByPerson = !sections.some((s) =>
    s.groups.some((g) => g.fields.some((f) => isRef(f) && f.name in fixed)),
  )
  const parentFieldOf = (field: Field): Field | [] => {
    if (!isRef(field)) return field
    if (field.name in fixed) return { ...field, attrs: { ...field.attrs, read_only: true } }
    if (!entities[field.attrs!.ref!].chosen) return []
    return isChosenByPerson ? { ...field, attrs: { ...field.attrs, required: true } } : field
  }
  return sections.map((section) => ({
    ...section,
    groups: section.groups
      .map((group) =>
        group.fields.some(isRef) ? { ...group, fields: group.fields.flatMap(parentFieldOf) } : group,
      )
      .filter((group) => group.fields.length > 0),
  }))
}

/** A choice of a lookup may be another record too, but is not where this one belongs. */
function isRef({ attrs }: Field): boolean {
  return attrs?.ref !== undefined && !attrs.lookup && !attrs.read_only
}
