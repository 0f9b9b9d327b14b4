import { compareKey, normaliseValue } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { withoutBlanks } from '../../../contract/validateAnswers.ts'
import type { Values } from '../../../contract/when.ts'
import { isPlainObject } from '../../../contract/when.ts'
import { leadsTo, placesOf } from './mergeAt.ts'
import { join } from './paths.ts'
import type { FormSection } from './sections.ts'

/** Sections of a form as far as changes depend on them: their places and fields. */
type Places = Pick<FormSection, 'at' | 'groups'>[]

/**
 * The changed keys with their new values, null for none; another spelling of the same value is no change. Objects on
 * the way to the place of a section are compared key by key.
 */
export function changesOf(before: Values, after: Values, sections: Places = [], at = ''): Values {
  const places = placesOf(sections)
  const changed: Values = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]]
    if (leadsTo(join(at, key), places)) {
      const inside = changesOf(valuesIn(old), valuesIn(now), sections, join(at, key))
      if (Object.keys(inside).length > 0) changed[key] = inside
    } else if (!isSameValue(fieldAt(sections, join(at, key)), old, now))
      changed[key] = withoutBlankValue(now) ?? null
  }
  return changed
}

/** The result of a rebase: values to merge into the form, the new base to compare with, and conflicting paths. */
interface Rebased {
  merge: Values
  base: Values
  conflicts: string[]
}

/**
 * Rebases a form onto a newer record: unchanged values are updated, changed ones stay, and those that others
 * changed too are conflicts, unless they only spelt the value in another way.
 */
export function rebase(base: Values, mine: Values, theirs: Values, sections: Places, at = ''): Rebased {
  const places = placesOf(sections)
  const rebased: Rebased = { merge: {}, base: { ...base }, conflicts: [] }
  for (const key of new Set([...Object.keys(base), ...Object.keys(theirs)])) {
    const path = join(at, key)
    const field = fieldAt(sections, path)
    if (leadsTo(path, places)) {
      const inside = rebase(valuesIn(base[key]), valuesIn(mine[key]), valuesIn(theirs[key]), sections, path)
      rebased.merge[key] = inside.merge
      rebased.base[key] = inside.base
      rebased.conflicts.push(...inside.conflicts)
    } else if (isSameValue(field, mine[key], base[key]) || isSameValue(field, mine[key], theirs[key])) {
      if (!isSameAnswer(mine[key], theirs[key])) rebased.merge[key] = theirs[key] ?? null
      rebased.base[key] = theirs[key]
    } else if (hasSameKey(field, base[key], theirs[key]) || hasSameKey(field, mine[key], theirs[key]))
      rebased.base[key] = theirs[key]
    else rebased.conflicts.push(path)
  }
  return rebased
}

/** True if two values are equal, treating unset, blank and empty as the same. */
function isSameAnswer(a: unknown, b: unknown): boolean {
  return a === b || isEqual(withoutBlankValue(a), withoutBlankValue(b))
}

/** True if two values are stored the same. */
export function isSameValue(field: Field | undefined, a: unknown, b: unknown): boolean {
  if (isSameAnswer(a, b)) return true
  return field !== undefined && isSameAnswer(normaliseValue(field, a), normaliseValue(field, b))
}

function hasSameKey(field: Field | undefined, a: unknown, b: unknown): boolean {
  if (isSameAnswer(a, b)) return true
  return field !== undefined && isSameAnswer(compareKey(field, a), compareKey(field, b))
}

const fields = new WeakMap<FormSection['groups'], Map<string, Field>>()

/** The field at a path of the document; undefined for a value without one. */
export function fieldAt(sections: Places, path: string): Field | undefined {
  for (const { at, groups } of sections) {
    const known =
      fields.get(groups) ?? new Map(groups.flatMap((group) => group.fields.map((f) => [f.name, f])))
    fields.set(groups, known)
    const name = at === '' ? path : path.startsWith(`${at}.`) ? path.slice(at.length + 1) : undefined
    const field = name === undefined ? undefined : known.get(name)
    if (field) return field
  }
  return undefined
}

function withoutBlankValue(value: unknown): unknown {
  return withoutBlanks({ value }).value
}

function valuesIn(value: unknown): Values {
  return isPlainObject(value) ? value : {}
}
