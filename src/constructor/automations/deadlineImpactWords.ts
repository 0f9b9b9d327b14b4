import type { Deadline } from '../../contract/generated.ts'
import { inFull, pluralise } from '../../contract/pluralise.ts'
import { quoted } from '../../contract/quoted.ts'
import type { DeadlineImpact } from './useImpact.ts'

/** "188 issues have it: 171 keep their date, 13 come later, 4 become late today.", of one deadline if it were published now. */
export function impactOfDeadline({ of }: Deadline, impact: DeadlineImpact): string {
  const { open, added, earlier, later } = impact
  const kept = open - added - earlier - later
  const parts = [
    kept > 0 && `${inFull(kept)} ${kept === 1 ? 'keeps its date' : 'keep their date'}`,
    ...changesOf(impact),
  ].filter(Boolean)
  const has =
    open === 0 ? `No ${of} has it open` : `${pluralise(open, of)} ${open === 1 ? 'has' : 'have'} it open`
  return parts.length > 0 ? `${has}: ${parts.join(', ')}.` : `${has}.`
}

/** What a publication does to the deadlines of records, a sentence each; deadlines for which nothing changes have none. */
export function deadlineSentences(
  before: Deadline[],
  after: Deadline[],
  impacts: DeadlineImpact[],
): string[] {
  return impacts.flatMap((impact) => {
    const { name } = impact
    const one = after.find((other) => other.name === name) ?? before.find((other) => other.name === name)
    const changes = changesOf(impact)
    if (changes.length === 0) return []
    return [`${quoted(one?.label ?? name, name)} on ${one?.of ?? 'issue'}s: ${changes.join(', ')}`]
  })
}

function changesOf({ added, earlier, later, gone, met, turnsLate }: DeadlineImpact): string[] {
  const words: [number, string, string][] = [
    [added, 'is new', 'are new'],
    [later, 'comes later', 'come later'],
    [earlier, 'comes earlier', 'come earlier'],
    [met, 'counts as met', 'count as met'],
    [gone, 'is no longer due', 'are no longer due'],
    [turnsLate, 'becomes late today', 'become late today'],
  ]
  return words
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${inFull(count)} ${count === 1 ? one : many}`)
}
