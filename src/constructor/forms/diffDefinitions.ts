import { describeAutomation } from '../../contract/automations/describeAutomation.ts'
import { describeDeadline } from '../../contract/deadlines/describeDeadline.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Automation, Deadline } from '../../contract/generated.ts'
import { isEqual } from '../../contract/isEqual.ts'
import type { Metas } from '../../contract/meta/metaTypes.ts'
import type { Difference } from './diff.ts'
import type { Part } from './diffParts.ts'

/** The forms of a version with what follows from their records. */
export type WithDefinitions = Metas & { automations?: Automation[] | null; deadlines?: Deadline[] | null }
type DefinitionDifference = Omit<Difference, 'meta'>

/**
 * Differences between the automations of two versions, which are matched by name, in the order of the later one;
 * removed ones come last.
 */
export function automationDifferences(
  before: WithDefinitions,
  after: WithDefinitions,
  itemLabel?: ItemLabel,
): DefinitionDifference[] {
  return listDifferences(before.automations ?? [], after.automations ?? [], (was, is) =>
    automationParts({ of: before, one: was }, { of: after, one: is }, itemLabel),
  )
}

/** The same of their deadlines. */
export function deadlineDifferences(
  before: WithDefinitions,
  after: WithDefinitions,
  itemLabel?: ItemLabel,
): DefinitionDifference[] {
  return listDifferences(before.deadlines ?? [], after.deadlines ?? [], (was, is) =>
    deadlineParts({ of: before, one: was }, { of: after, one: is }, itemLabel),
  )
}

interface Version<T> {
  of: WithDefinitions
  one: T | undefined
}

/** What differs between two versions of an automation, in words; '' where there is none. */
export function automationParts(
  before: Version<Automation>,
  after: Version<Automation>,
  itemLabel?: ItemLabel,
): Part[] {
  return partsOf(AUTOMATION_WORDS, before, after, itemLabel)
}

/** What differs between two versions of a deadline, in words; '' where there is none. */
export function deadlineParts(
  before: Version<Deadline>,
  after: Version<Deadline>,
  itemLabel?: ItemLabel,
): Part[] {
  return partsOf(DEADLINE_WORDS, before, after, itemLabel)
}

type Words<T> = Record<string, (one: T, of: WithDefinitions, itemLabel?: ItemLabel) => string>

const AUTOMATION_WORDS: Words<Automation> = {
  Name: ({ label }) => label,
  'What follows': (one, { deadlines, ...metas }, itemLabel) =>
    describeAutomation(one, { ...metas, deadlines: deadlines ?? [] }, itemLabel),
  'In use': inUse,
  // Two sentences may read the same, such as those of holds that other roles may pass.
  'May be passed by': ({ then }) => then.flatMap((one) => ('hold' in one ? (one.pass ?? []) : [])).join(', '),
}
const DEADLINE_WORDS: Words<Deadline> = {
  Name: ({ label }) => label,
  'When it is due': ({ is_on: _, ...one }, metas, itemLabel) => describeDeadline(one, { metas }, itemLabel),
  'In use': inUse,
}

function inUse({ is_on }: { is_on?: boolean }): string {
  return is_on === false ? 'No' : 'Yes'
}

function partsOf<T>(words: Words<T>, before: Version<T>, after: Version<T>, itemLabel?: ItemLabel): Part[] {
  return Object.entries(words).flatMap(([name, wordsOf]) => {
    const [was, is] = [before, after].map(({ of, one }) => (one ? wordsOf(one, of, itemLabel) : ''))
    return was === is ? [] : [{ name, before: was, after: is }]
  })
}

interface Named {
  name: string
  label: string
}

function listDifferences<T extends Named>(
  was: T[],
  is: T[],
  parts: (was: T | undefined, is: T | undefined) => Part[],
): DefinitionDifference[] {
  const old = new Map(was.map((one) => [one.name, one]))
  const now = new Map(is.map((one) => [one.name, one]))
  const found = is.flatMap((one): DefinitionDifference[] => {
    const other = old.get(one.name)
    if (other && isEqual(other, one)) return []
    return [{ path: [one.label], change: other ? 'changed' : 'added', parts: parts(other, one) }]
  })
  const removed = was
    .filter(({ name }) => !now.has(name))
    .map(
      (one): DefinitionDifference => ({
        path: [one.label],
        change: 'removed',
        parts: parts(one, undefined),
      }),
    )
  return [...found, ...moved(was, is), ...removed]
}

/** The order of those that both versions have, if it differs. */
function moved(was: Named[], is: Named[]): DefinitionDifference[] {
  const orderIn = (list: Named[], others: Named[]) =>
    list.filter(({ name }) => others.some((one) => one.name === name))
  const [before, after] = [orderIn(was, is), orderIn(is, was)]
  if (before.every(({ name }, i) => name === after[i].name)) return []
  const words = (list: Named[]) => list.map(({ label }) => label).join(', ')
  return [
    {
      path: ['Order'],
      change: 'moved',
      parts: [{ name: 'Order', before: words(before), after: words(after) }],
    },
  ]
}
