import { deadlineUsesField } from '../../contract/deadlines/deadlineUses.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Deadline } from '../../contract/generated.ts'
import { recordFields } from '../../contract/meta/recordFields.ts'
import type { ItemStatus } from '../../contract/meta/unavailableItems.ts'
import { quoted } from '../../contract/quoted.ts'
import { isSimple, neverHolds } from '../forms/neverHolds.ts'
import type { Draft } from '../state/caseType.ts'
import { offWarnings, switchedOffFields, unfilledWarnings } from './automationAdvice.ts'

/** Warnings about deadlines that may be published but are likely wrong: what is never due, and what can never be met. */
export function deadlineAdvice(
  draft: Draft,
  itemLabel: ItemLabel,
  itemStatus: ItemStatus = () => undefined,
): string[] {
  const off = switchedOffFields(draft)
  return draft.deadlines
    .filter(({ is_on }) => is_on !== false)
    .flatMap((one) => {
      const label = quoted(one.label, one.name)
      return [
        ...offWarnings(
          `The deadline ${label}`,
          off.filter(([meta, { name }]) => deadlineUsesField(one, meta, name)),
        ),
        ...unfilledWarnings(`The deadline ${label}`, one.label, 'it has one name in all records'),
        neverWords(one, draft, itemLabel),
        nothingMeets(one, itemStatus) && `No action that meets the deadline ${label} can be chosen any more`,
        !one.at &&
          !one.met_by &&
          `Nothing meets the deadline ${label}, so it stays late until its ${one.of} is closed`,
        one.met_by?.field !== undefined &&
          one.met_by.field === (one.at ?? one.from) &&
          `The deadline ${label} is met on the day from which it is counted, so it is never due`,
      ].filter((words): words is string => typeof words === 'string')
    })
}

/** Says that a condition of a deadline contradicts itself. */
function neverWords(one: Deadline, draft: Draft, itemLabel: ItemLabel): string | false {
  if (!one.when || !isSimple(one.when)) return false
  const fields = recordFields(one.of, draft)
  const facts = { isOff: () => false, isNever: () => false, conditionsOf: () => [], itemLabel }
  const why = neverHolds([{ when: one.when, lookUp: (path) => fields.get(path) }], facts)
  return why !== undefined && `The deadline ${quoted(one.label, one.name)} is never due: ${why}`
}

/** True if actions alone meet a deadline, and all their types are retired or gone. */
function nothingMeets({ met_by }: Deadline, itemStatus: ItemStatus): boolean {
  const types = met_by?.actions ?? []
  if (types.length === 0 || met_by?.field !== undefined) return false
  return types.every((type) => ['retired', 'gone'].includes(itemStatus('action_type', type) ?? ''))
}
