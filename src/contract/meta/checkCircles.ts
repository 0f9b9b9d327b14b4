import { computedDefault, sourcesOf } from '../computedDefault.ts'
import type { Field, Group } from '../generated.ts'
import { parentOf } from '../subgroups.ts'
import { isRowsTest, pathsOf, type When } from '../when.ts'
import { testsOf } from './conditionTests.ts'
import type { Report } from './metaTypes.ts'
import { DEEPEST } from './places.ts'

type Path = (string | number)[]
/**
 * A node of the dependency graph; `dependsOn` are the fields that it depends on, each with the path of the condition or
 * calculation.
 */
interface Node {
  label: string
  field: string
  isCalculated: boolean
  dependsOn: { name: string; path: Path }[]
}

/** Most steps of a cycle in its message. */
const MAX_STEPS = 12

/** Reports each cycle of fields whose visibility or calculation depends on each other, on each of its fields. */
export function checkCircles(groups: Group[], report: Report): void {
  const nodes = new Map<string, Node>()
  for (const [g, group] of groups.entries()) {
    const parent = parentOf(groups, group)
    const ofGroup = [
      ...edges(group.attrs?.when, [g, 'attrs', 'when']),
      ...edges(parent?.attrs?.when, [parent ? groups.indexOf(parent) : g, 'attrs', 'when']),
    ]
    for (const [f, field] of group.fields.entries()) {
      // A field that depends on nothing is part of no cycle; most are such.
      if (ofGroup.length === 0 && !mayDepend(field)) continue
      const path = [g, 'fields', f]
      nodes.set(field.name, nodeOf(field, path, field.name, ofGroup))
      nodes.set(rowsOf(field.name), checkRows(field, path, field.name, report))
    }
  }
  reportCircles(nodes, report)
}

function mayDepend({ attrs = {}, fields }: Field): boolean {
  return [attrs.when, attrs.calc, attrs.default, fields].some((one) => one !== undefined)
}

/**
 * Reports the cycles within the rows of a field; returns a node with the dependencies of its rows on fields outside
 * them.
 */
function checkRows(repeat: Field, path: Path, field: string, report: Report, depth = 1): Node {
  const columns = new Map<string, Node>()
  for (const [c, column] of (depth > DEEPEST ? [] : (repeat.fields ?? [])).entries()) {
    const at = [...path, 'fields', c]
    columns.set(column.name, nodeOf(column, at, field))
    columns.set(rowsOf(column.name), checkRows(column, at, field, report, depth + 1))
  }
  reportCircles(columns, report)
  return rowsNode(repeat, path, field, columns)
}

function nodeOf(item: Field, path: Path, field: string, more: Node['dependsOn'] = []): Node {
  const { label, attrs } = item
  if (attrs?.calc === 'choose') {
    const rows = attrs.choose ?? []
    const sources = rows.flatMap((row, i) => {
      const at = [...path, 'attrs', 'choose', i]
      const then = typeof row.then === 'string' ? [{ name: row.then, path: [...at, 'then'] }] : []
      return [...then, ...edges(row.when, [...at, 'when'])]
    })
    const dependsOn = [...edges(attrs.when, [...path, 'attrs', 'when']), ...sources, ...more]
    return { label, field, isCalculated: true, dependsOn }
  }
  const at = attrs?.calc ? ['of'] : ['default', ...(computedDefault(item)?.calc ? ['of'] : [])]
  const sources = sourcesOf(item).flatMap((one, i) => {
    // checkDefault reports a default whose path is its own field.
    if (typeof one !== 'string' || (at.join('.') === 'default' && one === item.name)) return []
    const [head, column] = one.split('.')
    const place = at.includes('of') ? Math.min(i, (attrs?.of?.length ?? 1) - 1) : 'from'
    return { name: column === undefined ? head : rowsOf(head), path: [...path, 'attrs', ...at, place] }
  })
  const dependsOn = [...edges(attrs?.when, [...path, 'attrs', 'when']), ...sources, ...more]
  return { label, field, isCalculated: sources.length > 0, dependsOn }
}

/** Name of the node for the values in the rows of a repeat, on which only calculations over all rows depend. */
function rowsOf(name: string): string {
  return `${name}.*`
}

function rowsNode({ name, label }: Field, path: Path, field: string, columns: Map<string, Node>): Node {
  const outside = [...columns.values()].flatMap(({ dependsOn }) =>
    dependsOn.filter((one) => !columns.has(one.name)),
  )
  return { label, field, isCalculated: false, dependsOn: [...outside, { name, path }] }
}

function edges(when: When | undefined, path: Path): Node['dependsOn'] {
  const heads = pathsOf(when).map((p) => p.split('.')[0])
  // A condition on rows depends on what their columns depend on.
  const ofRows = [...testsOf(when)].flatMap(([p, test]) => (isRowsTest(test) ? [rowsOf(p)] : []))
  return [...heads, ...ofRows].map((name) => ({ name, path }))
}

function reportCircles(nodes: Map<string, Node>, report: Report) {
  const done = new Set<string>()
  /** Names of the nodes on the way, each with the path of what made it follow the one before. */
  const trail: { name: string; path?: Path }[] = []
  const places = new Map<string, number>()
  const follow = (name: string, path?: Path) => {
    const node = nodes.get(name)
    if (!node || done.has(name)) return
    const start = places.get(name)
    if (start !== undefined) return reportCircle([...trail.slice(start), { name, path }])
    places.set(name, trail.length)
    trail.push({ name, path })
    for (const dependency of node.dependsOn) follow(dependency.name, dependency.path)
    trail.pop()
    places.delete(name)
    done.add(name)
  }
  /** Reports a cycle, whose last node is its first one again, on each of its fields. */
  const reportCircle = (circle: typeof trail) => {
    const words = sentence(circle.slice(0, -1).map(({ name }) => nodes.get(name)!))
    for (const [i, { path }] of circle.entries()) {
      const field = i > 0 && nodes.get(circle[i - 1].name)!.field
      if (field) report(path!, words, field)
    }
  }
  for (const name of nodes.keys()) follow(name)
}

function sentence(circle: Node[]): string {
  // The rows of a repeat have its label, so that it may stand twice in a row.
  const labels = circle.map((node) => node.label).filter((label, i, all) => label !== all[i - 1])
  const isCalculated = circle.some((node) => node.isCalculated)
  if (labels.length === 1) {
    const what = isCalculated ? 'calculated from' : 'shown depending on'
    return `'${labels[0]}' is ${what} itself; change its ${isCalculated ? 'calculation' : 'condition'}`
  }
  const what = isCalculated ? 'conditions or calculations' : 'conditions'
  if (labels.length === 2)
    return `'${labels[0]}' and '${labels[1]}' depend on each other's answers: remove one of the ${what}`
  const steps = labels
    .slice(0, MAX_STEPS)
    .map((label, i) => `'${label}' on '${labels[(i + 1) % labels.length]}'`)
  if (labels.length > MAX_STEPS) steps.push(`${labels.length - MAX_STEPS} more`)
  const list = `${steps.slice(0, -1).join(', ')} and ${steps.at(-1)}`
  return `These depend on each other's answers in a circle, ${list}: remove one of the ${what}`
}
