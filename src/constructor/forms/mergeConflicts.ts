import {
  type Conflict,
  type Mergeable,
  mergeForms,
  type Side,
  type Versions,
} from '../../contract/caseType/mergeForms.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import { fieldsByName } from '../../contract/meta/places.ts'
import { automationParts, deadlineParts } from './diffDefinitions.ts'
import { type Part, partsOf } from './diffParts.ts'

/** A part that both sides changed differently, in words. */
export interface MergeConflict extends Pick<Conflict, 'key' | 'of' | 'path'> {
  /** Theirs before, mine after. */
  parts: Part[]
}

/** The merge of the forms, and what both sides changed differently: `choices` has a side by key, 'mine' by default. */
export function mergeByChoices(
  versions: Versions<Mergeable>,
  choices: Record<string, Side> = {},
  itemLabel?: ItemLabel,
): { merged: Mergeable; conflicts: MergeConflict[] } {
  const conflicts: MergeConflict[] = []
  const merged = mergeForms(versions, (conflict) => {
    const { key, of, path } = conflict
    conflicts.push({ key, of, path, parts: partsOfConflict(conflict, versions, itemLabel) })
    return choices[key] ?? 'mine'
  })
  return { merged, conflicts }
}

function partsOfConflict(
  conflict: Conflict,
  { theirs, mine }: Versions<Mergeable>,
  itemLabel: ItemLabel | undefined,
): Part[] {
  if (conflict.of === 'label') return [{ name: 'Name', before: conflict.theirs, after: conflict.mine }]
  if (conflict.of === 'tests') {
    const wordOf = (test: unknown) => (test ? 'Changed' : 'Removed')
    return [{ name: 'Test', before: wordOf(conflict.theirs), after: wordOf(conflict.mine) }]
  }
  if (conflict.of === 'automations')
    return automationParts({ of: theirs, one: conflict.theirs }, { of: mine, one: conflict.mine }, itemLabel)
  if (conflict.of === 'deadlines')
    return deadlineParts({ of: theirs, one: conflict.theirs }, { of: mine, one: conflict.mine }, itemLabel)
  const { of } = conflict
  const [before, after] = [theirs, mine].map((side) => fieldsByName(side[of]))
  return partsOf(conflict.theirs, conflict.mine, before, after, itemLabel)
}
