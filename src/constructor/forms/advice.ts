import { computedDefault } from '../../contract/computedDefault.ts'
import { describeAnswer, type ItemLabel } from '../../contract/describeAnswer.ts'
import { hasChoices, holdsRows } from '../../contract/fieldTypes.ts'
import type { Field, Group, Option } from '../../contract/generated.ts'
import { checkConditions } from '../../contract/meta/checkConditions.ts'
import { testsOf } from '../../contract/meta/conditionTests.ts'
import { costProblems } from '../../contract/meta/formCost.ts'
import type { MetaName, MetaProblem, Metas, Report } from '../../contract/meta/metaTypes.ts'
import { type ItemStatus, unavailableDefault, unavailableItem } from '../../contract/meta/unavailableItems.ts'
import { quoted, quotedAll, shortened } from '../../contract/quoted.ts'
import { isOtherPath, type Literal, otherPathsOf, type Test, type When } from '../../contract/when.ts'
import { bandAdvice } from './bandAdvice.ts'
import { type NeverVisible, neverVisible } from './neverVisible.ts'
import { type Node, nodesOf } from './nodes.ts'

type Path = (string | number)[]
/** Labels and status of lookup items. */
interface Items {
  itemLabel?: ItemLabel
  itemStatus: ItemStatus
}

/**
 * Warnings about a case type that may be published but is likely wrong, one sentence each. Errors of checkMeta and
 * their consequences are left out.
 */
export function adviceOn(
  meta: Metas,
  itemLabel?: ItemLabel,
  itemStatus: ItemStatus = () => undefined,
): MetaProblem[] {
  const items = { itemLabel, itemStatus }
  return (['case_meta', 'issue_meta'] as const).flatMap((name) => adviceOnForm(name, meta[name], items))
}

function adviceOnForm(meta: MetaName, groups: Group[], items: Items): MetaProblem[] {
  const refused = new Set<string>()
  checkConditions(groups, (path) => refused.add(keyOf(path)))
  const nodes = nodesOf(groups, (path) => !refused.has(keyOf(path)))
  const neverVisibleItems = neverVisible(nodes, items.itemLabel)
  const isOff = new Map(nodes.map((node) => [node.item, node.isOff]))
  const advice: MetaProblem[] = costProblems(groups).map(({ message }) => ({ meta, path: [], message }))
  for (const node of nodes) {
    // Switched-off fields are not visible, so they get no warning.
    if (node.isOff) continue
    const field = fieldOf(node)
    const report: Report = (path, message) =>
      advice.push({ meta, path: [...node.path, ...path], ...(field && { field }), message })
    const isReported = adviseOnShowing(node, neverVisibleItems, report)
    if (!isReported) {
      adviseOnRequired(node, neverVisibleItems, report)
      adviseOnChecks(node, neverVisibleItems, report)
      for (const test of conditionsOf(node)) adviseOnTests(node, test, isOff, items, report)
    }
    if (node.around) adviseOnChoices(node.item as Field, items, report)
    if (node.around)
      for (const message of bandAdvice(node.item as Field, node.lookUp)) report(['attrs', 'choose'], message)
    if (node.around) adviseOnFilling(node, neverVisibleItems, isOff, report)
    else adviseOnGroup(node.item as Group, report)
    adviseOnColumns(node, report)
  }
  return advice
}

/** Key of the condition that a path lies in: the path up to the name of its attribute. */
function keyOf(path: Path): string {
  return path.slice(0, path.indexOf('attrs') + 2).join('/')
}

/** A column is reported under the name of the form's field that it lies in. */
function fieldOf({ item, around }: Node): string | undefined {
  return around?.around ? fieldOf(around) : around && item.name
}

/** Returns true if the item can never be visible. */
function adviseOnShowing(node: Node, { never }: NeverVisible, report: Report): boolean {
  const advice = never.get(node.item)
  if (!advice) return false
  // The columns of a repeat that is never visible are not reported again.
  if (!advice.isOwn && node.around?.around) return true
  const attrs: Field['attrs'] = node.item.attrs ?? {}
  const isRequired = attrs.required || attrs.required_when
  const what = isRequired ? 'is required, but can never be shown' : 'can never be shown'
  report(advice.isOwn ? ['attrs', 'when'] : [], `${nameOf(node)} ${what}: ${advice.why}`)
  return true
}

function adviseOnRequired(node: Node, { neverRequired }: NeverVisible, report: Report) {
  const why = (node.item as Field).attrs?.required ? undefined : neverRequired(node)
  if (why) report(['attrs', 'required_when'], `${nameOf(node)} is never required: ${why}`)
}

function adviseOnChecks(node: Node, { neverRefused }: NeverVisible, report: Report) {
  for (const [i, { when, message }] of (node.checks ?? []).entries()) {
    const why = neverRefused(node, when)
    if (why)
      report(['attrs', 'checks', i], `${nameOf(node)} is never refused with “${shortened(message)}”: ${why}`)
  }
}

/** A condition of an item, its place, and what depends on it. */
interface Condition {
  when: When | undefined
  path: Path
  does: string
}

function conditionsOf({ when, requiredWhen, checks = [] }: Node): Condition[] {
  return [
    { when, path: ['attrs', 'when'], does: 'shown' },
    { when: requiredWhen, path: ['attrs', 'required_when'], does: 'required' },
    ...checks.map((check, i) => ({ when: check.when, path: ['attrs', 'checks', i], does: 'checked' })),
  ]
}

/** Reports switched-off fields and retired choices that a condition refers to. */
function adviseOnTests(
  node: Node,
  { when, path, does }: Condition,
  isOff: Map<unknown, boolean>,
  items: Items,
  report: Report,
) {
  const off = new Set<Field>()
  const retired = new Map<Field, Set<string>>()
  for (const [at, test] of testsOf(when)) {
    const field = node.lookUp(at)
    if (!field) continue
    for (const one of [field, ...otherPathsOf(test).map((other) => node.lookUp(other))])
      if (one && isOff.get(one)) off.add(one)
    const gone = at === field.name ? retiredOf(field, test, items) : []
    if (gone.length > 0) retired.set(field, new Set([...(retired.get(field) ?? []), ...gone]))
  }
  const what = `${nameOf(node)} is ${does} depending on`
  if (off.size > 0) {
    const labels = quotedAll([...off].map((f) => f.label))
    report(
      path,
      `${what} ${labels}, which ${off.size > 1 ? 'are' : 'is'} switched off and so never has a value`,
    )
  }
  for (const [field, gone] of retired) {
    const labels = quotedAll([...gone])
    const are = gone.size > 1 ? 'choices that are' : 'a choice that is'
    report(path, `${what} ${labels} of ${quoted(field.label, field.name)}, ${are} retired`)
  }
}

/** Labels of the retired choices that a test requires; excluding one is no mistake. */
function retiredOf(field: Field, test: Test, { itemLabel, itemStatus }: Items): string[] {
  if (test !== null && typeof test === 'object' && !Array.isArray(test)) return []
  const requiredValues = new Set<Literal>([test].flat().filter((one) => !isOtherPath(one)) as Literal[])
  const { options } = field.attrs ?? {}
  if (options)
    return options.filter((o) => o.active === false && requiredValues.has(o.value)).map((o) => o.label)
  return [...requiredValues]
    .filter((value) => unavailableItem(field, value, itemStatus) === 'retired')
    .map((value) => describeAnswer(field, value, itemLabel))
}

function adviseOnChoices(field: Field, { itemLabel, itemStatus }: Items, report: Report) {
  const { label, name, type, attrs = {} } = field
  const { options = [], lookup } = attrs
  const unavailable = itemLabel ? unavailableDefault(field, itemLabel, itemStatus) : []
  for (const message of unavailable) report(['attrs', 'default'], message)
  if (!hasChoices({ type }) || lookup) return
  for (const [i, option] of options.entries()) {
    const same = options.findIndex((one) => one.active !== false && wordsOf(one) === wordsOf(option))
    if (same >= 0 && same < i && option.active !== false && option.label.trim() !== '')
      report(
        ['attrs', 'options', i, 'label'],
        `${quoted(label, name)} offers ${quoted(option.label)} twice, so nobody can tell which is meant`,
      )
  }
  if (options.length === 0 || options.some((o) => o.active !== false)) return
  const although = attrs.required || attrs.required_when ? ', though it is required' : ''
  report(
    ['attrs', 'options'],
    `${quoted(label, name)} cannot be answered${although}: all its choices are retired`,
  )
}

/** The label as people tell choices apart: without regard to case and spaces. */
function wordsOf({ label }: Option): string {
  return label.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** Reports a field that cannot be filled in while another one has no answer, which it may never have. */
function adviseOnFilling(node: Node, { never }: NeverVisible, isOff: Map<unknown, boolean>, report: Report) {
  const { attrs = {} } = node.item as Field
  const isComputed = computedDefault({ attrs }) !== undefined
  if (attrs.read_only && (attrs.required || attrs.required_when) && isComputed)
    report(
      ['attrs', 'default'],
      `${nameOf(node)} must be answered, but is only shown: while what it begins as is empty, no form can be saved`,
    )
  for (const [key, value] of Object.entries(attrs.lookup_params ?? {})) {
    const source =
      typeof value === 'string' && value.startsWith('$') ? node.lookUp(value.slice(1)) : undefined
    if (!source || value !== `$${source.name}`) continue
    const why = isOff.get(source) ? 'is switched off' : never.has(source) && 'can never be shown'
    if (why)
      report(
        ['attrs', 'lookup_params', key],
        `The choices of ${nameOf(node)} depend on ${quoted(source.label, source.name)}, which ${why} and so never has a value`,
      )
  }
}

function adviseOnColumns({ item, around }: Node, report: Report) {
  const { label, name, type, fields = [] } = item as Field
  if (!around || !holdsRows({ type }) || fields.length === 0 || fields.some((f) => f.attrs?.is_on !== false))
    return
  report(
    ['fields'],
    `${quoted(label, name)} has rows without anything to fill in: all its columns are switched off`,
  )
}

function adviseOnGroup({ label, name, fields }: Group, report: Report) {
  if (fields.some((f) => f.attrs?.is_on !== false)) return
  const why = fields.length === 0 ? 'it has no fields' : 'all its fields are switched off'
  report(['fields'], `The group ${quoted(label, name)} is not shown: ${why}`)
}

function nameOf({ item, around }: Node): string {
  const name = quoted(item.label, item.name)
  if (!around) return `The group ${name}`
  return around.around ? `${name} of ${quoted(around.item.label, around.item.name)}` : name
}
