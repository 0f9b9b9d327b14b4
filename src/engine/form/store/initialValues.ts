import type { Contract } from '../../../contract/contract.ts'
import type { Field, FormScreen, Property } from '../../../contract/generated.ts'
import { type ConditionContext, isSet, type Values, valueAt } from '../../../contract/when.ts'
import { entityOf } from '../../core/entityOf.ts'
import type { FormSection } from './sections.ts'

/**
 * The initial values that a screen defines for a new record, without unset ones. `fixed` are those from the query
 * string that are sent; a read-only property only narrows the choices, because the server sets it.
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

/** Converts a query parameter to a positive integer if the property is an integer; undefined if it is invalid. */
function coerce(property: Property | undefined, value: unknown): unknown {
  const isNumber = [property?.type].flat().includes('integer')
  if (!isNumber || typeof value !== 'string') return value
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined
}

function valuesOf(entries: (readonly [string, unknown, string])[]): Values {
  return Object.fromEntries(entries.map(([name, value]) => [name, value]))
}

/**
 * The sections of a new record with its fields for parent records: `fixed` ones are read-only, those that people can
 * choose stay (required if none is fixed), others are left out, because nobody should type an id.
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

/** True for a field that refers to a parent record. A lookup may refer to a record too, but not to a parent. */
function isRef({ attrs }: Field): boolean {
  return attrs?.ref !== undefined && !attrs.lookup && !attrs.read_only
}
