import type { Contract } from '../../contract/contract.ts'
import type { Field, FormScreen, Property } from '../../contract/generated.ts'
import { type ConditionContext, isSet, type Values, valueAt } from '../../contract/when.ts'
import { entityOf } from '../runtime/entityOf.ts'
import type { FormSection } from './sections.ts'

/**
 * What a screen says that a new record begins with, without what is unset; `fixed` is what the address gave and is sent:
 * a value that the server finds itself only narrows what is offered.
 */
export function initialValuesOf(
  contract: Contract,
  { initialValues = {}, save }: FormScreen,
  conditionContext: ConditionContext,
): { values: Values; fixed: Values } {
  const { properties } = entityOf(contract, save!)
  const entries = Object.entries(initialValues)
    .map(([name, path]) => [name, coerce(properties[name], valueAt(path, conditionContext)), path] as const)
    .filter(([, value]) => isSet(value))
  const named = entries.filter(([name, , path]) => path.startsWith('query.') && !properties[name]?.readOnly)
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
