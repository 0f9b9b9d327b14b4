import type { ItemLabel } from '../../contract/describeAnswer.ts'
import { quoted } from '../../contract/quoted.ts'
import { pathsOf, type When } from '../../contract/when.ts'
import { type Facts, isSimple, neverHolds, type Source } from './neverHolds.ts'
import type { Item, Node } from './nodes.ts'

/** Why an item can never be visible, in words that follow a colon, and whether its own condition is the reason. */
export interface Never {
  why: string
  isOwn: boolean
}
export interface NeverVisible {
  never: Map<Item, Never>
  /** Why a node's required_when can never hold while it is visible. */
  neverRequired: (node: Node) => string | false | undefined
  /** Why a check of a node can never hold while it is visible and answered. */
  neverRefused: (node: Node, when: When) => string | false | undefined
}

/** Items of a meta that are switched on but can never be visible, computed to a fixpoint. */
export function neverVisible(nodes: Node[], itemLabel?: ItemLabel): NeverVisible {
  const byItem = new Map(nodes.map((node) => [node.item, node]))
  const never = new Map<Item, Never>()
  const facts: Facts = {
    isOff: (item) => byItem.get(item)?.isOff === true,
    isNever: (item) => never.has(item),
    conditionsOf: (field) => conditionsOf(byItem.get(field)),
    itemLabel,
  }
  const dependents = dependentsOf(nodes)
  const queue = nodes.filter((node) => !node.isOff)
  const queued = new Set(queue)
  // The queue grows while iterating: dependents of an item that is never visible are checked again.
  for (const node of queue) {
    queued.delete(node)
    if (never.has(node.item)) continue
    const reason = whyNever(node, never, facts)
    if (!reason) continue
    never.set(node.item, reason)
    for (const one of dependents.get(node.item) ?? []) {
      if (one.isOff || queued.has(one)) continue
      queue.push(one)
      queued.add(one)
    }
  }
  const neverRequired = (node: Node) =>
    node.requiredWhen &&
    isSimple(node.requiredWhen) &&
    neverHolds([{ when: node.requiredWhen, lookUp: node.lookUp }, ...conditionsOf(node)], facts)
  const neverRefused = (node: Node, when: When) => {
    const answered = { when: { [node.item.name]: { set: true } }, lookUp: node.lookUp }
    return (
      isSimple(when) && neverHolds([{ when, lookUp: node.lookUp }, answered, ...conditionsOf(node)], facts)
    )
  }
  return { never, neverRequired, neverRefused }
}

function whyNever(node: Node, never: Map<Item, Never>, facts: Facts): Never | undefined {
  const { around, when } = node
  if (around && never.has(around.item)) {
    const { label, name } = around.item
    return { why: `${around.around ? '' : 'its group '}${quoted(label, name)} never is`, isOwn: false }
  }
  const why = when && neverHolds(conditionsOf(node), facts)
  return why ? { why, isOwn: true } : undefined
}

/** The conditions of a node and of its ancestors. */
function conditionsOf(node: Node | undefined): Source[] {
  if (!node) return []
  const own = node.when && isSimple(node.when) ? [{ when: node.when, lookUp: node.lookUp }] : []
  return [...own, ...conditionsOf(node.around)]
}

/** The nodes whose visibility depends on an item: those inside it, and those whose conditions refer to it. */
function dependentsOf(nodes: Node[]): Map<Item, Node[]> {
  const dependents = new Map<Item, Node[]>()
  const addDependent = (item: Item | undefined, node: Node) => {
    if (!item) return
    const list = dependents.get(item)
    if (list) list.push(node)
    else dependents.set(item, [node])
  }
  for (const node of nodes) {
    addDependent(node.around?.item, node)
    for (const path of pathsOf(node.when)) addDependent(node.lookUp(path), node)
  }
  return dependents
}
