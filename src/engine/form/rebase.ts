import type { Values } from '../../contract/when.ts'
import { isPlainObject } from '../../contract/when.ts'
import { isSameAnswer } from './changes.ts'
import { leadsTo } from './mergeAt.ts'
import { join } from './paths.ts'

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
      const inside = rebase(objectOf(base[key]), objectOf(mine[key]), objectOf(theirs[key]), places, path)
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

function objectOf(value: unknown): Values {
  return isPlainObject(value) ? value : {}
}
