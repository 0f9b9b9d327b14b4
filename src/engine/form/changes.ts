import { isEqual } from '../../contract/applyChanges.ts'
import { withoutBlanks } from '../../contract/validateAnswers.ts'
import type { Values } from '../../contract/when.ts'
import { isPlainObject } from '../../contract/when.ts'
import { leadsTo } from './mergeAt.ts'
import { join } from './paths.ts'

/**
 * The changed keys with their new values, null for none. Objects on the way to a place in `places` are compared key by
 * key.
 */
export function changesOf(before: Values, after: Values, places: string[] = [], at = ''): Values {
  const changed: Values = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]]
    if (leadsTo(join(at, key), places)) {
      const inside = changesOf(valuesIn(old), valuesIn(now), places, join(at, key))
      if (Object.keys(inside).length > 0) changed[key] = inside
    } else if (!isSameAnswer(old, now)) changed[key] = withoutBlankValue(now) ?? null
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
 * changed too are conflicts.
 */
export function rebase(base: Values, mine: Values, theirs: Values, places: string[], at = ''): Rebased {
  const rebased: Rebased = { merge: {}, base: { ...base }, conflicts: [] }
  for (const key of new Set([...Object.keys(base), ...Object.keys(theirs)])) {
    const path = join(at, key)
    if (leadsTo(path, places)) {
      const inside = rebase(valuesIn(base[key]), valuesIn(mine[key]), valuesIn(theirs[key]), places, path)
      rebased.merge[key] = inside.merge
      rebased.base[key] = inside.base
      rebased.conflicts.push(...inside.conflicts)
    } else if (isSameAnswer(mine[key], base[key]) || isSameAnswer(mine[key], theirs[key])) {
      if (!isSameAnswer(mine[key], theirs[key])) rebased.merge[key] = theirs[key] ?? null
      rebased.base[key] = theirs[key]
    } else if (!isSameAnswer(base[key], theirs[key])) rebased.conflicts.push(path)
  }
  return rebased
}

/** True if two values are equal, treating unset, blank and empty as the same. */
export function isSameAnswer(a: unknown, b: unknown): boolean {
  return a === b || isEqual(withoutBlankValue(a), withoutBlankValue(b))
}

function withoutBlankValue(value: unknown): unknown {
  return withoutBlanks({ value }).value
}

function valuesIn(value: unknown): Values {
  return isPlainObject(value) ? value : {}
}
