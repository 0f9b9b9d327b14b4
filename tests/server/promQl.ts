import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** A sample of a scrape in Prometheus' text format. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}
/** What expressions are evaluated on: the scrape now, and the one at the beginning of every range. */
export interface Scrapes {
  now: Sample[]
  before: Sample[]
  /** Seconds since 1970. */
  time: number
}
type Series = Omit<Sample, 'name'>

/** The samples of a scrape. */
export function samplesOf(text: string): Sample[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text])),
    value: Number(value.replace('Inf', 'Infinity')),
  }))
}

/** Names of the metrics in an expression; throws if Prometheus' own grammar refuses it. */
export function metricsIn(expression: string): string[] {
  const names: string[] = []
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`PromQL, character ${from}: ${expression}`)
      if (type.name === 'Identifier') names.push(expression.slice(from, to))
    },
  })
  return names
}

/** The series for which an alert's expression holds. */
export function firing(expression: string, scrapes: Scrapes): Series[] {
  metricsIn(expression)
  const result = evaluate(parser.parse(expression).topNode.firstChild!, { ...scrapes, text: expression })
  if (typeof result === 'number') throw new Error(`An alert needs a condition on series: ${expression}`)
  return result
}

type Context = Scrapes & { text: string }
type Value = number | Series[]

const ARITHMETIC: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
}
const COMPARISONS: Record<string, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}
const AGGREGATES: Record<string, (values: number[]) => number> = {
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  sum: (values) => values.reduce((total, value) => total + value, 0),
  count: (values) => values.length,
}
const FUNCTIONS: Record<string, (argument: SyntaxNode | undefined, context: Context) => Value> = {
  time: (_, { time }) => time,
  absent: (argument, context) =>
    seriesOf(argument!, context).length === 0 ? [{ labels: {}, value: 1 }] : [],
  increase: (argument, context) => {
    const selector = argument!.getChild('VectorSelector')!
    const before = select(selector, context.before, context.text)
    // A series that a range does not begin with has no increase, as in Prometheus.
    return select(selector, context.now, context.text).flatMap(({ labels, value }) => {
      const first = before.find((one) => isSame(one.labels, labels))
      return first ? [{ labels, value: value - first.value }] : []
    })
  },
}
const NODES: Record<string, (node: SyntaxNode, context: Context) => Value> = {
  NumberDurationLiteral: (node, context) => Number(textOf(node, context)),
  ParenExpr: (node, context) => evaluate(node.firstChild!, context),
  VectorSelector: (node, { now, text }) => select(node, now, text),
  FunctionCall: (node, context) =>
    FUNCTIONS[textOf(node.firstChild!, context)](
      node.getChild('FunctionCallBody')?.firstChild ?? undefined,
      context,
    ),
  AggregateExpr: aggregate,
  BinaryExpr: binary,
}

function evaluate(node: SyntaxNode, context: Context): Value {
  const evaluator = NODES[node.name]
  if (!evaluator) throw new Error(`The tests do not evaluate ${node.name}: ${context.text}`)
  return evaluator(node, context)
}

function seriesOf(node: SyntaxNode, context: Context): Series[] {
  const value = evaluate(node, context)
  return typeof value === 'number' ? [{ labels: {}, value }] : value
}

function aggregate(node: SyntaxNode, context: Context): Series[] {
  const by = (
    node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? []
  ).map((label) => textOf(label, context))
  const groups = new Map<string, { labels: Record<string, string>; values: number[] }>()
  for (const { labels, value } of seriesOf(node.getChild('FunctionCallBody')!.firstChild!, context)) {
    const kept = Object.fromEntries(by.map((label) => [label, labels[label] ?? '']))
    const group = groups.get(JSON.stringify(kept)) ?? { labels: kept, values: [] }
    groups.set(JSON.stringify(kept), group)
    group.values.push(value)
  }
  const total = AGGREGATES[textOf(node.firstChild!, context)]
  return [...groups.values()].map(({ labels, values }) => ({ labels, value: total(values) }))
}

function binary(node: SyntaxNode, context: Context): Value {
  const [left, right] = [evaluate(node.firstChild!, context), evaluate(node.lastChild!, context)]
  const operator = textOf(node.firstChild!.nextSibling!, context)
  if (operator === 'or') return [...(left as Series[]), ...(right as Series[])]
  if (typeof left === 'number' && typeof right === 'number') return ARITHMETIC[operator](left, right)
  const pairs =
    typeof left === 'number'
      ? (right as Series[]).map(({ labels, value }) => ({ labels, a: left, b: value }))
      : left.flatMap(({ labels, value }) => {
          const same = (one: Series) => isSame(one.labels, labels)
          const other = typeof right === 'number' ? right : right.find(same)?.value
          return other === undefined ? [] : [{ labels, a: value, b: other }]
        })
  const compare = COMPARISONS[operator]
  if (compare) return pairs.filter(({ a, b }) => compare(a, b)).map(({ labels, a }) => ({ labels, value: a }))
  return pairs.map(({ labels, a, b }) => ({ labels, value: ARITHMETIC[operator](a, b) }))
}

function select(node: SyntaxNode, samples: Sample[], text: string): Series[] {
  const name = textOf(node.getChild('Identifier')!, { text })
  const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map(
    (matcher) => {
      const [label, operator, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) =>
        textOf(matcher.getChild(part)!, { text }),
      )
      const wanted = value.slice(1, -1)
      const pattern = new RegExp(`^(?:${wanted})$`)
      const isMatch = (found: string) => (operator.includes('~') ? pattern.test(found) : found === wanted)
      return (labels: Record<string, string>) => isMatch(labels[label] ?? '') === !operator.startsWith('!')
    },
  )
  return samples
    .filter((sample) => sample.name === name && matchers.every((matches) => matches(sample.labels)))
    .map(({ labels, value }) => ({ labels, value }))
}

const textOf = ({ from, to }: SyntaxNode, { text }: { text: string }) => text.slice(from, to)

const isSame = (a: Record<string, string>, b: Record<string, string>) =>
  Object.keys({ ...a, ...b }).every((label) => a[label] === b[label])
