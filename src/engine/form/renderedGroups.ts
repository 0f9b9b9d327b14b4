import type { ErrorSchema } from '@rjsf/utils'
import { isEqual } from '../../contract/applyChanges.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { isRequired } from '../../contract/schema.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import { visible } from '../../contract/visible.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { getAt } from './paths.ts'
import type { FormSection } from './sections.ts'
import { keyOf, slicesOf } from './slices.ts'
import { errorSchemaOf } from './validateSchema.ts'

/** A group as rendered; unchanged parts keep their identity between renders. */
export interface RenderedGroup {
  key: string
  at: string
  label: string
  fields: Field[]
  /** Names of those that must be filled. */
  required: Set<string>
  values: Values
  errors: ErrorSchema
}

/** The groups to render, in the order of the sections; unchanged groups of `before` are reused. */
export function renderedGroups(
  sections: FormSection[],
  document: Values,
  conditionContext: ConditionContext,
  errors: FieldErrors,
  before: RenderedGroup[],
): RenderedGroup[] {
  const messages = errorSchemaOf(errors)
  const byName = new Map<string, (old?: RenderedGroup) => RenderedGroup>()
  for (const { at, groups, conditionContext: groupContext } of slicesOf(
    sections,
    document,
    conditionContext,
  )) {
    for (const group of visible(groups, groupContext)) {
      byName.set(group.name, (old) =>
        renderedGroup(group, groupContext, { at, errors: getAt(messages, at), old }),
      )
    }
  }
  const old = new Map(before.map((g) => [g.key, g]))
  const keys = sections.flatMap((s) => s.groups.map((g) => keyOf(s, g)))
  const after = keys.flatMap((key) => byName.get(key)?.(old.get(key)) ?? [])
  return sameItems(after, before) ? before : after
}

interface Place {
  at: string
  /** Of everything at this place. */
  errors: unknown
  old?: RenderedGroup
}

function renderedGroup(
  group: Group,
  conditionContext: ConditionContext,
  { at, errors, old }: Place,
): RenderedGroup {
  const { name: key, label } = group
  const required = new Set(group.fields.filter((f) => isRequired(f, conditionContext)).map((f) => f.name))
  const values = ofFields(group.fields, conditionContext.answers ?? {})
  const visibleErrors = ofFields(group.fields, (errors ?? {}) as Values) as ErrorSchema
  const isSame = old && sameItems(old.fields, group.fields) && sameItems([...old.required], [...required])
  const next: RenderedGroup = {
    key,
    at,
    label,
    fields: isSame ? old.fields : group.fields,
    required: isSame ? old.required : required,
    values: old && sameValues(old.values, values) ? old.values : values,
    errors: old && isEqual(old.errors, visibleErrors) ? old.errors : visibleErrors,
  }
  const untouched = isSame && old.label === label && old.values === next.values && old.errors === next.errors
  return untouched ? old : next
}

function ofFields(fields: Field[], all: Values): Values {
  const names = fields.map((f) => f.name).filter((name) => all[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, all[name]]))
}

function sameItems(a: unknown[], b: unknown[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i])
}

function sameValues(a: Values, b: Values): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}
