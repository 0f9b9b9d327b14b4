import type { ErrorSchema } from '@rjsf/utils'
import { hasAutomaticDefault } from '../../../contract/computedDefault.ts'
import { revealedDefaults } from '../../../contract/evaluateChange.ts'
import { isEditable } from '../../../contract/fieldTypes.ts'
import type { Field, Group, GroupAttrs } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { isRequired } from '../../../contract/schema.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { evaluate, withVisibleRows } from '../../../contract/visible.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { getAt, isWithin, join, setAt } from './paths.ts'
import type { FormSection } from './sections.ts'
import { keyOf, slicesOf } from './slices.ts'
import { errorSchemaOf } from './validateSchema.ts'

/** A group as rendered; unchanged parts keep their identity between renders. */
export interface RenderedGroup {
  key: string
  at: string
  label: string
  layout?: GroupAttrs['layout']
  /** Key of the group under whose heading it stands. */
  under?: string
  /** Begins folded. */
  folded?: boolean
  /** Shows Why? buttons, which explain the conditions, calculations and checks of its fields. */
  explains?: boolean
  /** Names of the fields that conditions hide; only if `explains` is set. */
  hiddenFields?: string[]
  /** Has buttons that choose everything or nothing. */
  allOrNone?: boolean
  fields: Field[]
  /** Names of the required fields. */
  required: Set<string>
  values: Values
  errors: ErrorSchema
}

/**
 * The groups to render, in the order of the sections; unchanged groups of `before` are reused. `stored` is the saved
 * document of an existing record.
 */
export function renderedGroups(
  sections: FormSection[],
  document: Values,
  conditionContext: ConditionContext,
  errors: FieldErrors,
  before: RenderedGroup[],
  stored?: Values,
): RenderedGroup[] {
  const messages = errorSchemaOf(errors)
  const groupsOf = (some: FormSection[]) => new Set(some.flatMap((s) => s.groups.map((g) => keyOf(s, g))))
  const explaining = groupsOf(sections.filter((s) => s.explains))
  const allOrNone = groupsOf(sections.filter((s) => s.allOrNone))
  const byName = new Map<string, (old?: RenderedGroup) => RenderedGroup>()
  for (const { at, groups, conditionContext: placeContext } of slicesOf(
    sections,
    document,
    conditionContext,
  )) {
    const groupContext = stored
      ? {
          ...placeContext,
          withDefaults: revealedDefaults(groups, (getAt(stored, at) ?? {}) as Values, placeContext),
        }
      : placeContext
    const evaluated = evaluate(groups, groupContext)
    const visibleContext = { ...withVisibleRows(groups, groupContext), answers: evaluated.answers }
    for (const group of evaluated.groups) {
      const whole = explaining.has(group.name) ? groups.find(({ name }) => name === group.name) : undefined
      byName.set(group.name, (old) =>
        renderedGroup(group, visibleContext, {
          at,
          errors: getAt(messages, at),
          old,
          whole,
          allOrNone: allOrNone.has(group.name),
        }),
      )
    }
  }
  const old = new Map(before.map((g) => [g.key, g]))
  const keys = sections.flatMap((s) => s.groups.map((g) => keyOf(s, g)))
  const after = keys.flatMap((key) => byName.get(key)?.(old.get(key)) ?? [])
  return sameItems(after, before) ? before : after
}

/** Adds the calculated values and automatic defaults of the groups at a place to its condition context. */
export function withCalculated(
  conditionContext: ConditionContext,
  groups: RenderedGroup[],
  at: string,
): ConditionContext {
  const calculated = groups.flatMap((group) =>
    group.at === at
      ? group.fields
          .filter((f) => f.attrs?.calc || hasAutomaticDefault(f))
          .map(({ name }) => [name, group.values[name]])
      : [],
  )
  if (calculated.length === 0) return conditionContext
  return { ...conditionContext, answers: { ...conditionContext.answers, ...Object.fromEntries(calculated) } }
}

/** A field on the page, by its path from the root of the document. */
export interface RenderedField {
  path: string
  field: Field
  group: RenderedGroup
}

/** The field at a path, or the one that contains it; undefined if none of the groups has it, or several have. */
export function fieldAt(groups: RenderedGroup[], path: string): RenderedField | undefined {
  let found: RenderedField | undefined
  let at: string | undefined
  let name = ''
  for (const group of groups) {
    if (group.at !== at) {
      at = group.at
      name = isWithin(path, at) ? path.slice(at ? at.length + 1 : 0).split('.')[0] : ''
    }
    if (!name) continue
    for (const field of group.fields) {
      if (field.name !== name) continue
      if (found) return undefined
      found = { path: join(at, name), field, group }
    }
  }
  return found
}

/** The groups with one field's value updated from the document. */
export function withValue(groups: RenderedGroup[], { path, field, group }: RenderedField, document: Values) {
  const value = getAt(document, path)
  if (Object.is(group.values[field.name], value)) return groups
  return withGroup(groups, { ...group, values: setAt(group.values, field.name, value) })
}

/** The groups with one field's errors updated. */
export function withErrors(
  groups: RenderedGroup[],
  { path, field, group }: RenderedField,
  errors: FieldErrors,
) {
  const own = getAt(errorSchemaOf(errors), path) as ErrorSchema | undefined
  const now = groups.find(({ key }) => key === group.key)!
  if (isEqual(now.errors[field.name], own)) return groups
  return withGroup(groups, { ...now, errors: setAt(now.errors, field.name, own) })
}

function withGroup(groups: RenderedGroup[], next: RenderedGroup): RenderedGroup[] {
  return groups.map((one) => (one.key === next.key ? next : one))
}

interface Place {
  at: string
  /** Errors of all fields at this place. */
  errors: unknown
  old?: RenderedGroup
  /** The group with its hidden fields; only for a section with `explains`. */
  whole?: Group
  allOrNone: boolean
}

function renderedGroup(
  group: Group,
  conditionContext: ConditionContext,
  { at, errors, old, whole, allOrNone }: Place,
): RenderedGroup {
  const { name: key, label, attrs } = group
  const { layout, under, folded } = attrs ?? {}
  const required = new Set(group.fields.filter((f) => isRequired(f, conditionContext)).map((f) => f.name))
  const values = ofFields(group.fields, conditionContext.answers ?? {})
  const visibleErrors = ofFields(group.fields, (errors ?? {}) as Values) as ErrorSchema
  const isSame = old && sameItems(old.fields, group.fields) && sameItems([...old.required], [...required])
  const next: RenderedGroup = {
    key,
    at,
    label,
    layout,
    ...(under && { under }),
    ...(folded && { folded }),
    ...(whole && {
      explains: true,
      hiddenFields: isSame ? old.hiddenFields : hiddenFieldsOf(whole, group.fields),
    }),
    ...(allOrNone && { allOrNone }),
    fields: isSame ? old.fields : group.fields,
    required: isSame ? old.required : required,
    values: old && sameValues(old.values, values) ? old.values : values,
    errors: old && isEqual(old.errors, visibleErrors) ? old.errors : visibleErrors,
  }
  const untouched =
    isSame &&
    old.label === label &&
    old.layout === layout &&
    old.under === under &&
    old.folded === folded &&
    old.explains === next.explains &&
    old.values === next.values &&
    old.errors === next.errors
  return untouched ? old : next
}

function hiddenFieldsOf(whole: Group, visibleFields: Field[]): string[] {
  const visibleNames = new Set(visibleFields.map(({ name }) => name))
  return whole.fields
    .filter((field) => isEditable(field) && field.attrs?.is_on !== false && !visibleNames.has(field.name))
    .map(({ name }) => name)
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
