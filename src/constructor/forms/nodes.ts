import type { Check, Field, Group } from '../../contract/generated.ts'
import { DEEPEST } from '../../contract/meta/places.ts'
import type { When } from '../../contract/when.ts'

export type Item = Group | Field
/** Finds the field of a condition's path; undefined if it is ambiguous, as with a duplicate name. */
export type FieldLookup = (path: string) => Field | undefined
/** A group, field or column with its parent and the field lookup of its conditions. */
export interface Node {
  item: Item
  path: (string | number)[]
  /** The group of a field, the repeat of a column. */
  around?: Node
  /** It or one of its ancestors is switched off. */
  isOff: boolean
  when?: When
  requiredWhen?: When
  checks?: Check[]
  lookUp: FieldLookup
}

/** Every group, field and column of a meta in its order; conditions for which `isSound` is false are left out. */
export function nodesOf(groups: Group[], isSound: (path: (string | number)[]) => boolean): Node[] {
  const all = once(groups.flatMap((g) => g.fields))
  const lookUp: FieldLookup = (path) => all.get(headOf(path))
  const nodes: Node[] = []
  const add = (item: Item, path: (string | number)[], see: FieldLookup, around?: Node): Node => {
    const attrs: Field['attrs'] = item.attrs ?? {}
    const sound = <Key extends 'when' | 'required_when' | 'checks'>(key: Key) =>
      attrs[key] && isSound([...path, 'attrs', key]) ? attrs[key] : undefined
    const isOff = attrs.is_on === false || around?.isOff === true
    const conditions = { when: sound('when'), requiredWhen: sound('required_when'), checks: sound('checks') }
    const node: Node = { item, path, around, isOff, lookUp: see, ...conditions }
    nodes.push(node)
    return node
  }
  const addColumns = (ofRepeat: Node, around: Set<string>, depth: number) => {
    const { fields: columns = [] } = ofRepeat.item
    if (columns.length === 0 || depth > DEEPEST) return
    const inRow = lookUpInRow(columns, around, ofRepeat.lookUp)
    const seen = new Set([...around, ...columns.map(({ name }) => name)])
    for (const [c, column] of columns.entries())
      addColumns(add(column, [...ofRepeat.path, 'fields', c], inRow, ofRepeat), seen, depth + 1)
  }
  for (const [g, group] of groups.entries()) {
    const ofGroup = add(group, [g], lookUp)
    for (const [f, field] of group.fields.entries()) {
      addColumns(add(field, [g, 'fields', f], lookUp, ofGroup), new Set(all.keys()), 1)
    }
  }
  return nodes
}

/**
 * Field lookup in a row. For a column without a value a row falls back to the field of that name around it, so a name
 * of both is ambiguous.
 */
function lookUpInRow(columns: Field[], around: Set<string>, outside: FieldLookup): FieldLookup {
  const own = once(columns)
  return (path) => {
    const head = headOf(path)
    if (!own.has(head)) return outside(path)
    return around.has(head) ? undefined : own.get(head)
  }
}

function once(fields: Field[]): Map<string, Field | undefined> {
  const found = new Map<string, Field | undefined>()
  for (const field of fields) found.set(field.name, found.has(field.name) ? undefined : field)
  return found
}

function headOf(path: string): string {
  return path.split('.', 1)[0]
}
