import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Field, Group } from '../../contract/generated.ts'
import type { MetaName, Metas } from '../../contract/meta/metaTypes.ts'
import { outsideFields } from '../../contract/meta/outsideFields.ts'
import { fieldsByName, withinReach } from '../../contract/meta/places.ts'
import { quoted } from '../../contract/quoted.ts'
import { alignItems, type Pair } from './alignItems.ts'
import { type Part, partsOf } from './diffParts.ts'

/** The change of one group, field or column; 'moved' if nothing but its place changed. */
export interface Difference {
  meta: MetaName
  /** Labels from the group down to the item itself, as they are now; those of a removed item as they were. */
  path: string[]
  change: 'added' | 'removed' | 'moved' | 'changed'
  /** Lines of a text are separated by '\n'. An added or removed item has a part for every setting. */
  parts: Part[]
}
interface Version {
  groups: Group[]
  all: Map<string, Field>
  groupOf: Map<string, Group>
}
type Item = Group | Field

/**
 * Differences between two versions of a case type's forms, in the order of the later one; removed items stay in place.
 */
export function differences(before: Metas, after: Metas, itemLabel?: ItemLabel): Difference[] {
  return (['case_meta', 'issue_meta'] as const).flatMap((meta) => {
    const differencesFound = differencesOfForm(versionOf(before, meta), versionOf(after, meta), itemLabel)
    return differencesFound.map((one) => ({ meta, ...one }))
  })
}

/** Without the entities, the fields of the client are described by their names. */
const NO_ENTITIES = {}

function versionOf(metas: Metas, meta: MetaName): Version {
  const groups = metas[meta]
  const groupOf = new Map(groups.flatMap((g) => g.fields.map((f) => [f.name, g] as const)))
  const outside = outsideFields(meta, metas, NO_ENTITIES)
  return { groups, all: new Map([...outside, ...fieldsByName(groups)]), groupOf }
}

function differencesOfForm(
  before: Version,
  after: Version,
  itemLabel?: ItemLabel,
): Omit<Difference, 'meta'>[] {
  const differencesFound: Omit<Difference, 'meta'>[] = []
  const addDifference = (
    pair: Pair<Item>,
    around: string[],
    place?: Part,
    reach = [before.all, after.all],
  ) => {
    const { was, is } = pair
    const parts = partsOf(was, is, reach[0], reach[1], itemLabel)
    const change = !was ? 'added' : !is ? 'removed' : parts.length === 0 ? 'moved' : 'changed'
    if (change === 'moved' && !place) return
    differencesFound.push({
      path: [...around, (is ?? was)!.label],
      change,
      parts: place ? [place, ...parts] : parts,
    })
  }
  const addFieldDifference = (
    pair: Pair<Field>,
    around: string[],
    place: Part | undefined,
    [repeatsBefore, repeatsAfter]: Field[][] = [[], []],
  ) => {
    const reach = [withinReach(before.all, repeatsBefore), withinReach(after.all, repeatsAfter)]
    addDifference(pair, around, place, reach)
    const [was, is] = [pair.was?.fields ?? [], pair.is?.fields ?? []]
    if (was.length + is.length === 0) return
    const path = [...around, (pair.is ?? pair.was)!.label]
    const placeOf = placesIn(was, is)
    const repeats = [
      [...repeatsBefore, ...(pair.was ? [pair.was] : [])],
      [...repeatsAfter, ...(pair.is ? [pair.is] : [])],
    ]
    for (const column of alignItems(was, is)) addFieldDifference(column, path, placeOf(column), repeats)
  }
  const placeOfGroup = placesIn(before.groups, after.groups)
  for (const pair of alignItems(before.groups, after.groups)) {
    addDifference(pair, [], placeOfGroup(pair))
    const path = [(pair.is ?? pair.was)!.label]
    const [was, is] = [pair.was?.fields ?? [], pair.is?.fields ?? []]
    const placeOf = placesIn(was, is)
    for (const one of alignItems(was, is)) {
      if (one.was && one.is) addFieldDifference(one, path, placeOf(one))
      // It moved to another group, where it is reported.
      else if (one.was && after.all.has(one.was.name)) continue
      else addFieldDifference(...fromElsewhere(one, before, after, path))
    }
  }
  return differencesFound
}

/** A field that is new in its group, with its previous version and group if it moved. */
function fromElsewhere(
  pair: Pair<Field>,
  before: Version,
  after: Version,
  path: string[],
): [Pair<Field>, string[], Part | undefined] {
  const was = pair.is && before.all.get(pair.is.name)
  const [from, to] = [before, after].map((v) => pair.is && v.groupOf.get(pair.is.name))
  if (!was || !from || !to || from.name === to.name) return [pair, path, undefined]
  const words = (group: Group) => `In ${quoted(group.label, group.name)}`
  return [{ ...pair, was }, path, { name: 'Place', before: words(from), after: words(to) }]
}

/** Describes the former and present place of a moved item by the label of the item before it. */
function placesIn(before: Item[], after: Item[]): (pair: Pair<Item>) => Part | undefined {
  const [was, is] = [before, after].map((items) => {
    const words = items.map((_, i) =>
      i === 0 ? 'First' : `After ${quoted(items[i - 1].label, items[i - 1].name)}`,
    )
    return new Map(items.map((item, i) => [item, words[i]]))
  })
  return (pair) =>
    pair.isMoved
      ? { name: 'Place', before: was.get(pair.was!) ?? '', after: is.get(pair.is!) ?? '' }
      : undefined
}
