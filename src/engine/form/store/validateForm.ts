import { applyChanges } from '../../../contract/applyChanges.ts'
import { FIELD_TYPES, holdsRows, isEditable } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { validateField } from '../../../contract/validateField.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { today } from '../../core/today.ts'
import { changesOf } from './changes.ts'
import { getAt, isWithin, join, parentOf } from './paths.ts'
import type { RenderedField, RenderedGroup } from './renderedGroups.ts'
import type { FormSection, GroupedField } from './sections.ts'
import { conditionContextAt, editableGroups, slicesOf } from './slices.ts'
import { validateSchema } from './validateSchema.ts'

/**
 * Validates the visible fields; errors by path from the root of the document. With `before`, only fields changed
 * or revealed since; with `onlyFields`, only the fields these paths lie in.
 */
export function validateForm(
  sections: FormSection[],
  document: Values,
  conditionContext: ConditionContext,
  { before, onlyFields }: { before?: Values; onlyFields?: Set<string> } = {},
): FieldErrors {
  const validationErrors = slicesOf(sections, document, conditionContext).flatMap((slice) => {
    const names = onlyFields && namesBelow(slice.at, onlyFields)
    if (names?.size === 0) return []
    const now = slice.conditionContext.answers ?? {}
    const stored = before ? ((getAt(before, slice.at) ?? {}) as Values) : {}
    const { errors } = applyChanges({
      groups: editableGroups(slice.groups),
      stored,
      sent: before ? changesOf(stored, now) : now,
      conditionContext: slice.conditionContext,
      validateSchema,
      today: today(),
      all: !before,
      ...(names && { onlyFields: names }),
    })
    return Object.entries(errors).map(([path, messages]) => [join(slice.at, path), messages] as const)
  })
  return Object.fromEntries(validationErrors)
}

/** Validates one field on the page, on which no other depends, as `validateForm` does; errors by control. */
export function validateRenderedField(
  { field, group }: RenderedField,
  groups: RenderedGroup[],
  document: Values,
  conditionContext: ConditionContext,
): FieldErrors {
  if (!isEditable(field)) return {}
  const answers: Values = {}
  for (const { at, fields, values } of groups) {
    if (at !== group.at) continue
    for (const { name, attrs } of fields)
      if (!attrs?.read_only && name in values) answers[name] = values[name]
  }
  const errors = validateField(field, answers, {
    conditionContext: conditionContextAt(document, group.at, conditionContext),
    validateSchema,
    today: today(),
    siblings: field.attrs?.rules ? groups.filter(({ at }) => at === group.at).flatMap((g) => g.fields) : [],
  })
  const fromRoot = Object.entries(errors).map(([path, messages]) => [join(group.at, path), messages])
  return errorsByControl(Object.fromEntries(fromRoot), [group])
}

/** Names of the fields at a place of the document that contain some paths. */
function namesBelow(at: string, paths: Set<string>): Set<string> {
  const below = [...paths].filter((path) => isWithin(path, at))
  return new Set(below.map((path) => path.slice(at ? at.length + 1 : 0).split('.')[0]))
}

/**
 * Maps errors to the controls that show them, in the order of the page; errors without a control keep their path, last.
 */
export function errorsByControl(errors: FieldErrors, groups: RenderedGroup[]): FieldErrors {
  const found = Object.entries(errors)
  if (found.length === 0) return {}
  const fields = groups.flatMap(({ at, fields }) =>
    fields.map((field) => ({ path: join(at, field.name), field })),
  )
  const order = new Map(fields.map(({ path }, i) => [path, i]))
  const placed = found.map(([path, messages]) => {
    const own = upwards(path).find((one) => order.has(one))
    if (own === undefined) return { path, messages, place: fields.length }
    const place = order.get(own)!
    const { answeredBy } = fields[place].field as GroupedField
    const listPath = answeredBy && join(parentOf(own), answeredBy)
    // The error of a field that a grouped list sets is shown at that list, unless the list has its own.
    if (listPath && order.has(listPath))
      return { path: listPath, messages, place: order.get(listPath)! + 0.5 }
    return { path: join(own, controlIn(fields[place].field, path.slice(own.length + 1))), messages, place }
  })
  placed.sort((a, b) => a.place - b.place)
  const first: FieldErrors = {}
  for (const { path, messages } of placed) first[path] ??= messages
  return first
}

export function pick(errors: FieldErrors, predicate: (path: string) => boolean): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => predicate(path)))
}

/** A path and its ancestors. */
function upwards(path: string): string[] {
  return path === '' ? [] : [path, ...upwards(parentOf(path))]
}

/** The path of a control inside a field: a part of a contact or a column of a row; '' for the field itself. */
function controlIn(field: Field, rest: string): string {
  const parts = rest.split('.')
  if (FIELD_TYPES[field.type].parts) return parts[0]
  if (!holdsRows(field) || parts.length < 2) return ''
  const column = field.fields?.find((f) => f.name === parts[1])
  return column ? join(parts[0], parts[1], controlIn(column, parts.slice(2).join('.'))) : ''
}
