import { computedDefault, sourcesOf } from '../computedDefault.ts'
import type { Field, Group } from '../generated.ts'
import { pathsOf, type When } from '../when.ts'
import type { Report } from './metaTypes.ts'
import { DEEPEST } from './places.ts'

type Path = (string | number)[]
/** A field whose showing waits for others: each with the place of the condition that says so. */
interface Node {
  label: string
  field: string
  isCalculated: boolean
  waits: { name: string; path: Path }[]
}

/** Steps of a circle that its sentence names. */
const MOST_STEPS = 12

/** Circles, each once: fields that are shown or calculated depending on each other. */
export function checkCircles(groups: Group[], report: Report): void {
  const nodes = new Map<string, Node>()
  for (const [g, group] of groups.entries()) {
    const ofGroup = edges(group.attrs?.when, [g, 'attrs', 'when'])
    for (const [f, field] of group.fields.entries()) {
      const path = [g, 'fields', f]
      nodes.set(field.name, nodeOf(field, path, field.name, ofGroup))
      nodes.set(rowsOf(field.name), checkRows(field, path, field.name, report))
    }
  }
  reportCircles(nodes, report)
}

/** Reports the circles within the rows of a field; answers with what its rows wait for outside of them. */
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

function nodeOf(item: Field, path: Path, field: string, more: Node['waits'] = []): Node {
  const { label, attrs } = item
  const at = attrs?.calc ? ['of'] : ['default', ...(computedDefault(item)?.calc ? ['of'] : [])]
  const sources = sourcesOf(item).flatMap((one, i) => {
    // That a field begins as itself is said of its default.
    if (typeof one !== 'string' || (at[0] === 'default' && one === item.name)) return []
    const [head, column] = one.split('.')
    const place = at.includes('of') ? i : 'from'
    return { name: column === undefined ? head : rowsOf(head), path: [...path, 'attrs', ...at, place] }
  })
  const waits = [...edges(attrs?.when, [...path, 'attrs', 'when']), ...sources, ...more]
  return { label, field, isCalculated: sources.length > 0, waits }
}

/** What the values in the rows of a repeat wait for, besides each other: only a calculation over all rows waits for them. */
function rowsOf(name: string): string {
  return `${name}.*`
}

function rowsNode({ name, label }: Field, path: Path, field: string, columns: Map<string, Node>): Node {
  const outside = [...columns.values()].flatMap(({ waits }) => waits.filter((one) => !columns.has(one.name)))
  return { label, field, isCalculated: false, waits: [...outside, { name, path }] }
}

function edges(when: When | undefined, path: Path): Node['waits'] {
  return pathsOf(when).map((p) => ({ name: p.split('.')[0], path }))
}

function reportCircles(nodes: Map<string, Node>, report: Report) {
  const done = new Set<string>()
  const trail: string[] = []
  const places = new Map<string, number>()
  const follow = (name: string, path?: Path) => {
    const node = nodes.get(name)
    if (!node || done.has(name)) return
    const start = places.get(name)
    if (start !== undefined) {
      const circle = trail.slice(start).map((n) => nodes.get(n)!)
      return report(path!, sentence(circle), nodes.get(trail.at(-1)!)!.field)
    }
    places.set(name, trail.length)
    trail.push(name)
    for (const wait of node.waits) follow(wait.name, wait.path)
    trail.pop()
    places.delete(name)
    done.add(name)
  }
  for (const name of nodes.keys()) follow(name)
}

function sentence(circle: Node[]): string {
  const labels = circle.map((node) => node.label)
  const isCalculated = circle.some((node) => node.isCalculated)
  if (labels.length === 1) {
    const what = isCalculated ? 'calculated from' : 'shown depending on'
    return `'${labels[0]}' is ${what} itself; change its ${isCalculated ? 'calculation' : 'condition'}`
  }
  const steps = labels
    .slice(0, MOST_STEPS)
    .map((label, i) => `'${label}' on '${labels[(i + 1) % labels.length]}'`)
  if (labels.length > MOST_STEPS) steps.push(`${labels.length - MOST_STEPS} more`)
  const list = `${steps.slice(0, -1).join(', ')} and ${steps.at(-1)}`
  return `These conditions${isCalculated ? ' and calculations' : ''} go in a circle: ${list}; change one of them`
}
