import type { ErrorSchema } from '@rjsf/utils'
import type { FieldErrors } from '../../contract/judge.ts'
import { isRequired } from '../../contract/schema.ts'
import { same } from '../../contract/settle.ts'
import type { Field, Group } from '../../contract/types.ts'
import { visible } from '../../contract/visible.ts'
import type { Scope, Values } from '../../contract/when.ts'
import { errorSchemaOf } from './errorSchema.ts'
import { isWithin, join } from './paths.ts'
import type { FormSection } from './sections.ts'
import { keyOf, slicesOf } from './slices.ts'
import { type Structure, structureOf } from './structure.ts'

/** A group as it is on the page now; what did not change since the last time is the same object. */
export interface DrawnGroup extends Structure {
  key: string
  at: string
  label: string
  fields: Field[]
  required: string[]
  values: Values
  errors: ErrorSchema
}

/** The groups to draw, in the order of the sections; whatever is as `before` is taken over from there. */
export function draw(
  sections: FormSection[],
  document: Values,
  scope: Scope,
  errors: FieldErrors,
  before: DrawnGroup[],
): DrawnGroup[] {
  const shown = new Map<string, (old?: DrawnGroup) => DrawnGroup>()
  for (const { at, groups, scope: seen } of slicesOf(sections, document, scope)) {
    for (const group of visible(groups, seen)) {
      shown.set(group.name, (old) => drawOne(group, at, seen, errors, old))
    }
  }
  const old = new Map(before.map((g) => [g.key, g]))
  const keys = sections.flatMap((s) => s.groups.map((g) => keyOf(s, g)))
  const after = keys.flatMap((key) => shown.get(key)?.(old.get(key)) ?? [])
  return sameItems(after, before) ? before : after
}

function drawOne(group: Group, at: string, scope: Scope, errors: FieldErrors, old?: DrawnGroup): DrawnGroup {
  const { name: key, label } = group
  const required = group.fields.filter((f) => isRequired(f, scope)).map((f) => f.name)
  const values = valuesOf(group.fields, scope.answers ?? {})
  const shown = errorSchemaOf(below(errors, at, group.fields))
  const isSame = old && sameItems(old.fields, group.fields) && sameItems(old.required, required)
  const next: DrawnGroup = {
    ...(isSame ? old : { fields: group.fields, required, ...structureOf(group.fields, required) }),
    key,
    at,
    label,
    values: old && sameValues(old.values, values) ? old.values : values,
    errors: old && same(old.errors, shown) ? old.errors : shown,
  }
  const untouched = isSame && old.label === label && old.values === next.values && old.errors === next.errors
  return untouched ? old : next
}

function valuesOf(fields: Field[], answers: Values): Values {
  const names = fields.map((f) => f.name).filter((name) => answers[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, answers[name]]))
}

/** Messages of a group's fields, by path below their place. */
function below(errors: FieldErrors, at: string, fields: Field[]): FieldErrors {
  const paths = fields.map((f) => join(at, f.name))
  const own = Object.entries(errors).filter(([path]) => paths.some((p) => isWithin(path, p)))
  return Object.fromEntries(own.map(([path, messages]) => [at ? path.slice(at.length + 1) : path, messages]))
}

function sameItems(a: unknown[], b: unknown[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i])
}

function sameValues(a: Values, b: Values): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}
