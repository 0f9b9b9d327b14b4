import {
  type Clash,
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
export interface MergeConflict extends Pick<Clash, 'key' | 'of' | 'path'> {
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
  const merged = mergeForms(versions, (clash) => {
    const { key, of, path } = clash
    conflicts.push({ key, of, path, parts: partsOfClash(clash, versions, itemLabel) })
    return choices[key] ?? 'mine'
  })
  return { merged, conflicts }
}

function partsOfClash(
  clash: Clash,
  { theirs, mine }: Versions<Mergeable>,
  itemLabel: ItemLabel | undefined,
): Part[] {
  if (clash.of === 'label') return [{ name: 'Name', before: clash.theirs, after: clash.mine }]
  if (clash.of === 'tests') {
    const wordOf = (test: unknown) => (test ? 'Changed' : 'Removed')
    return [{ name: 'Test', before: wordOf(clash.theirs), after: wordOf(clash.mine) }]
  }
  if (clash.of === 'automations')
    return automationParts({ of: theirs, one: clash.theirs }, { of: mine, one: clash.mine }, itemLabel)
  if (clash.of === 'deadlines')
    return deadlineParts({ of: theirs, one: clash.theirs }, { of: mine, one: clash.mine }, itemLabel)
  const { of } = clash
  const [before, after] = [theirs, mine].map((side) => fieldsByName(side[of]))
  return partsOf(clash.theirs, clash.mine, before, after, itemLabel)
}
