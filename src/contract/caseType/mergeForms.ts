import type { Automation, Deadline, Field, FormTest, Group, Option } from '../generated.ts'
import { isEqual } from '../isEqual.ts'
import type { MetaName, Metas } from '../meta/metaTypes.ts'
import { mergeOrder } from './mergeOrder.ts'

/** The parts of a case type that are merged: its name, its forms, their tests, the automations and the deadlines. */
export interface Mergeable extends Metas {
  label: string
  tests: FormTest[]
  automations: Automation[]
  deadlines: Deadline[]
}
export type Side = 'mine' | 'theirs'
export type MergedItem = Group | Field
/** Versions of a part that both sides changed differently; without a value where a side removed it. */
interface Sides<T> {
  theirs: T | undefined
  mine: T | undefined
}
/** A part that both sides changed differently: its key, and labels from the group down to the item. */
export type Conflict = { key: string; path: string[] } & (
  | { of: 'label'; theirs: string; mine: string }
  | ({ of: MetaName } & Sides<MergedItem>)
  | ({ of: 'tests' } & Sides<FormTest>)
  | ({ of: 'automations' } & Sides<Automation>)
  | ({ of: 'deadlines' } & Sides<Deadline>)
)
type Decide = (conflict: Conflict) => Side
type Item = MergedItem
export type Versions<T> = { base: T; mine: T; theirs: T }

/**
 * Three-way merge of the forms: settings, choices, places, tests, automations and deadlines that only one side changed
 * are taken from it; `decide` chooses of what both changed differently.
 */
export function mergeForms(versions: Versions<Mergeable>, decide: Decide): Mergeable {
  const of = <Key extends keyof Mergeable>(key: Key) => mapVersions(versions, (one) => one[key])
  return {
    ...versions.theirs,
    label: mergeValue(of('label'), () =>
      decide({
        key: 'label',
        of: 'label',
        path: [],
        theirs: versions.theirs.label,
        mine: versions.mine.label,
      }),
    ),
    case_meta: mergeGroups('case_meta', of('case_meta'), decide),
    issue_meta: mergeGroups('issue_meta', of('issue_meta'), decide),
    tests: mergeNamed(of('tests'), ({ key, ...sides }) =>
      decide({ key: `tests/${key}`, of: 'tests', path: [key], ...sides }),
    ),
    automations: mergeNamed(of('automations'), ({ key, ...sides }) =>
      decide({ key: `automations/${key}`, of: 'automations', path: [labelOf(sides)], ...sides }),
    ),
    deadlines: mergeNamed(of('deadlines'), ({ key, ...sides }) =>
      decide({ key: `deadlines/${key}`, of: 'deadlines', path: [labelOf(sides)], ...sides }),
    ),
  }
}

const labelOf = ({ mine, theirs }: Sides<{ label: string }>) => (mine ?? theirs)!.label

/** Merges a list of items that are matched by name, each as one value. */
function mergeNamed<T extends { name: string }>(
  lists: Versions<T[]>,
  decide: (conflict: { key: string } & Sides<T>) => Side,
): T[] {
  const found = mapVersions(lists, (list) => new Map(list.map((one) => [one.name, one])))
  const names = mergeOrder(mapVersions(lists, (list) => list.map(({ name }) => name)))
  return names.flatMap((key) => {
    const versions = mapVersions(found, (all) => all.get(key))
    const { theirs, mine } = versions
    return mergeValue(versions, () => decide({ key, theirs, mine })) ?? []
  })
}

/** A group, field or column with its key and that of its parent. */
interface Entry {
  key: string
  parent: string
  item: Item
}

const ROOT = ''

function mergeGroups(meta: MetaName, forms: Versions<Group[]>, decide: Decide): Group[] {
  const conflictOf = (key: string, path: string[], sides: Sides<Item>): Conflict => ({
    key: `${meta}/${key}`,
    of: meta,
    path,
    ...sides,
  })
  const entries = withRemovals(mapVersions(forms, entriesOf), (key, { theirs, mine }) =>
    decide(conflictOf(key, [(mine ?? theirs)!.item.label], { theirs: theirs?.item, mine: mine?.item })),
  )
  const merged = new Map<string, Entry>()
  for (const key of new Set([...entries.theirs.keys(), ...entries.mine.keys()])) {
    const versions = mapVersions(entries, (all) => all.get(key))
    const { base, mine, theirs } = versions
    if (base && !(mine && theirs)) continue
    if (!mine || !theirs) {
      merged.set(key, (mine ?? theirs)!)
      continue
    }
    const label = mine.item.label
    const around = merged.get(mine.parent)?.item.label
    const path = around ? [around, label] : [label]
    merged.set(key, {
      key,
      // If both moved it, mine wins.
      parent: mergeValue(
        { base: base?.parent ?? '', mine: mine.parent, theirs: theirs.parent },
        () => 'mine',
      ),
      item: mergeItem({ base: base?.item, mine: mine.item, theirs: theirs.item }, (sides) =>
        decide(conflictOf(key, path, sides)),
      ),
    })
  }
  for (const [key, entry] of merged) {
    const places = [entry, entries.mine.get(key), entries.base.get(key)].map((one) => one?.parent)
    const parent =
      places.find((place) => place === ROOT || merged.has(place ?? '')) ?? merged.keys().next().value!
    if (parent !== entry.parent) merged.set(key, { ...entry, parent })
  }
  const childrenOf = (all: Map<string, Entry>, parent: string) =>
    [...all.values()].filter((one) => one.parent === parent).map(({ key }) => key)
  const build = (parent: string): Item[] => {
    const order = mergeOrder(mapVersions(entries, (all) => childrenOf(all, parent)))
    const own = childrenOf(merged, parent)
    const ordered = [
      ...order.filter((key) => own.includes(key)),
      ...own.filter((key) => !order.includes(key)),
    ]
    return ordered.map((key) => {
      const { item } = merged.get(key)!
      return item.fields ? ({ ...item, fields: build(key) } as Item) : item
    })
  }
  return build(ROOT) as Group[]
}

/**
 * Entries by key: 'group:name' for a group, the name for a field of any group, preceded by those of its repeats for a
 * column.
 */
function entriesOf(groups: Group[]): Map<string, Entry> {
  const found = new Map<string, Entry>()
  const add = (item: Item, key: string, parent: string, at: string) => {
    found.set(key, { key, parent, item })
    for (const field of item.fields ?? []) add(field, at + field.name, key, `${at}${field.name}.`)
  }
  for (const group of groups) add(group, `group:${group.name}`, ROOT, '')
  return found
}

/**
 * Resolves entries that one side removed and the other changed: they are restored on both sides or removed from both,
 * with all descendants.
 */
function withRemovals(
  entries: Versions<Map<string, Entry>>,
  decideRemoval: (key: string, versions: Versions<Entry | undefined>) => Side,
): Versions<Map<string, Entry>> {
  const next = mapVersions(entries, (all) => new Map(all))
  for (const [key, was] of entries.base) {
    const [remover, other]: Side[] = entries.mine.has(key) ? ['theirs', 'mine'] : ['mine', 'theirs']
    const remaining = next[other].get(key)
    // No conflict: removed from both, present on both, or unchanged by the other side.
    if (next[remover].has(key) || !remaining || isEqual(was.item, remaining.item)) continue
    const side = decideRemoval(
      key,
      mapVersions(next, (all) => all.get(key)),
    )
    // Descendants that the remover moved elsewhere before stay there.
    const isGone = (one: string) => !next[remover].has(one)
    if (side === remover)
      for (const one of subtreeOf(next[other], key).filter(isGone)) next[other].delete(one)
    else
      for (const one of subtreeOf(entries.base, key).filter(isGone))
        next[remover].set(one, entries.base.get(one)!)
  }
  return next
}

function subtreeOf(entries: Map<string, Entry>, key: string): string[] {
  const below = [...entries.values()].filter(({ parent }) => parent === key)
  return [key, ...below.flatMap((one) => subtreeOf(entries, one.key))]
}

/** Merges an item's own settings; its children are merged separately. */
function mergeItem(items: Versions<Item | undefined>, decideItem: (sides: Sides<Item>) => Side): Item {
  const mine = items.mine!
  const theirs = items.theirs!
  if (typeOf(mine) !== typeOf(theirs)) {
    // Settings depend on the type, so they are taken together with it.
    const whole = mapVersions(items, (item) => item && { ...settingsOf(item), type: typeOf(item) })
    return mergeValue(whole, () => decideItem({ theirs, mine })) === whole.mine ? mine : theirs
  }
  const settings = mapVersions(items, (item) => (item ? settingsOf(item) : {}))
  const conflicting = new Set<string>()
  const choose = (side: Side) => {
    const chosen: Record<string, unknown> = {}
    for (const name of new Set([...Object.keys(settings.theirs), ...Object.keys(settings.mine)])) {
      const versions = mapVersions(settings, (one) => one[name])
      const value = mergeSetting(name, versions, () => {
        conflicting.add(name)
        return side
      })
      if (value !== undefined) chosen[name] = value
    }
    const { label, ...attrs } = chosen
    const fields = mine.fields && { fields: mine.fields }
    const hasAttrs = Object.keys(attrs).length > 0 || (mine.attrs !== undefined && theirs.attrs !== undefined)
    const { attrs: _, ...rest } = mine
    return { ...rest, label, ...(hasAttrs && { attrs }), ...fields } as Item
  }
  const asMine = choose('mine')
  if (conflicting.size === 0) return asMine
  const asTheirs = choose('theirs')
  return decideItem({ theirs: asTheirs, mine: asMine }) === 'mine' ? asMine : asTheirs
}

function typeOf(item: Item): Field['type'] | undefined {
  return 'type' in item ? item.type : undefined
}

function settingsOf({ label, attrs }: Item): Record<string, unknown> {
  return { ...attrs, label }
}

function mergeSetting(name: string, versions: Versions<unknown>, decide: () => Side): unknown {
  if (name !== 'options') return mergeValue(versions, decide)
  const lists = mapVersions(versions, (list) => (list ?? []) as Option[])
  let hasConflict = false
  const found = mapVersions(lists, (list) => new Map(list.map((option) => [option.value, option])))
  const values = mergeOrder(mapVersions(lists, (list) => list.map(({ value }) => value)))
  const options = values.flatMap((value) => {
    const option = mergeValue(
      mapVersions(found, (all) => all.get(value)),
      () => {
        hasConflict = true
        return 'mine'
      },
    )
    return option ?? []
  })
  if (hasConflict) return versions[decide()]
  return versions.mine === undefined && versions.theirs === undefined ? undefined : options
}

/** The value of the side that changed it; `decide` chooses the side if both changed it differently. */
function mergeValue<T>({ base, mine, theirs }: Versions<T>, decide: () => Side): T {
  if (isEqual(mine, theirs) || isEqual(theirs, base)) return mine
  if (isEqual(mine, base)) return theirs
  return decide() === 'mine' ? mine : theirs
}

function mapVersions<T, U>({ base, mine, theirs }: Versions<T>, how: (version: T) => U): Versions<U> {
  return { base: how(base), mine: how(mine), theirs: how(theirs) }
}
