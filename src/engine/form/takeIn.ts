import type { Values } from '../../contract/when.ts'
import { isSameAnswer } from './changes.ts'
import { isGroup, leadsTo } from './layOver.ts'
import { join } from './paths.ts'

/** What a newer record means for a form: what to lay over it, what it is compared with from now on, and what clashes. */
interface TakenIn {
  merge: Values
  base: Values
  clashes: string[]
}

/**
 * Takes in a record that was read anew. A value that the person did not touch becomes the new one; one they changed
 * stays, and clashes where others changed it too.
 */
export function takeIn(base: Values, mine: Values, theirs: Values, places: string[], at = ''): TakenIn {
  const taken: TakenIn = { merge: {}, base: { ...base }, clashes: [] }
  for (const key of new Set([...Object.keys(base), ...Object.keys(theirs)])) {
    const path = join(at, key)
    if (leadsTo(path, places)) {
      const inside = takeIn(groupOf(base[key]), groupOf(mine[key]), groupOf(theirs[key]), places, path)
      taken.merge[key] = inside.merge
      taken.base[key] = inside.base
      taken.clashes.push(...inside.clashes)
    } else if (isSameAnswer(mine[key], base[key]) || isSameAnswer(mine[key], theirs[key])) {
      if (!isSameAnswer(mine[key], theirs[key])) taken.merge[key] = theirs[key] ?? null
      taken.base[key] = theirs[key]
    } else if (!isSameAnswer(base[key], theirs[key])) taken.clashes.push(path)
  }
  return taken
}

function groupOf(value: unknown): Values {
  return isGroup(value) ? value : {}
}
