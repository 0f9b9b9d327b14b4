import { isEqual } from '../../contract/applyChanges.ts'
import { describeAutomation } from '../../contract/automations/describeAutomation.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Automation } from '../../contract/generated.ts'
import type { Metas } from '../../contract/meta/metaTypes.ts'
import type { Difference } from './diff.ts'
import type { Part } from './diffParts.ts'

export type WithAutomations = Metas & { automations?: Automation[] | null }
type AutomationDifference = Omit<Difference, 'meta'>

/**
 * Differences between the automations of two versions, which are matched by name, in the order of the later one;
 * removed ones come last.
 */
export function automationDifferences(
  before: WithAutomations,
  after: WithAutomations,
  itemLabel?: ItemLabel,
): AutomationDifference[] {
  const [was, is] = [before.automations ?? [], after.automations ?? []]
  const old = new Map(was.map((one) => [one.name, one]))
  const now = new Map(is.map((one) => [one.name, one]))
  const found = is.flatMap((one): AutomationDifference[] => {
    const other = old.get(one.name)
    if (other && isEqual(other, one)) return []
    const parts = automationParts({ of: before, one: other }, { of: after, one }, itemLabel)
    return [{ path: [one.label], change: other ? 'changed' : 'added', parts }]
  })
  const removed = was
    .filter(({ name }) => !now.has(name))
    .map(
      (one): AutomationDifference => ({
        path: [one.label],
        change: 'removed',
        parts: automationParts({ of: before, one }, { of: after, one: undefined }, itemLabel),
      }),
    )
  return [...found, ...moved(was, is), ...removed]
}

interface Version {
  of: Metas
  one: Automation | undefined
}

/** What differs between two versions of an automation, in words; '' where there is none. */
export function automationParts(before: Version, after: Version, itemLabel?: ItemLabel): Part[] {
  const [was, is] = [before, after].map(({ of, one }) => wordsOf(one, of, itemLabel))
  return Object.keys(WORDS).flatMap((name) =>
    was[name] === is[name] ? [] : [{ name, before: was[name], after: is[name] }],
  )
}

const WORDS: Record<string, (one: Automation, metas: Metas, itemLabel?: ItemLabel) => string> = {
  Name: ({ label }) => label,
  'What follows': describeAutomation,
  'In use': ({ is_on }) => (is_on === false ? 'No' : 'Yes'),
  // Two sentences may read the same, such as those of holds that other roles may pass.
  'May be passed by': ({ then }) => then.flatMap((one) => ('hold' in one ? (one.pass ?? []) : [])).join(', '),
}

function wordsOf(one: Automation | undefined, metas: Metas, itemLabel?: ItemLabel): Record<string, string> {
  return Object.fromEntries(
    Object.entries(WORDS).map(([name, words]) => [name, one ? words(one, metas, itemLabel) : '']),
  )
}

/** The order of those that both versions have, if it differs. */
function moved(was: Automation[], is: Automation[]): AutomationDifference[] {
  const orderIn = (list: Automation[], others: Automation[]) =>
    list.filter(({ name }) => others.some((one) => one.name === name))
  const [before, after] = [orderIn(was, is), orderIn(is, was)]
  if (before.every(({ name }, i) => name === after[i].name)) return []
  const words = (list: Automation[]) => list.map(({ label }) => label).join(', ')
  return [
    {
      path: ['Order'],
      change: 'moved',
      parts: [{ name: 'Order', before: words(before), after: words(after) }],
    },
  ]
}
