import { holdsFor, outcomesOf } from '../../../contract/automations/evaluateAutomations.ts'
import type { Automation, HoldOutcome, Outcome } from '../../../contract/generated.ts'
import { type LoadedCase, type LoadedRecord, recordsOf } from './loadCases.ts'

/** The holds that also count for retired records: of calls that delete or merge them. */
const OF_RETIRED: HoldOutcome['hold'][] = ['remove', 'purge', 'merge']

/** The records of a case for which an automation holds. */
export function holdingRecords(loaded: LoadedCase, automation: Automation): LoadedRecord[] {
  return recordsOf(loaded).filter((record) => isHolding(loaded, automation, record))
}

/** An automation that throws, such as an unfinished one, holds where it has a stored state. */
function isHolding({ states }: LoadedCase, automation: Automation, record: LoadedRecord): boolean {
  try {
    return isStateOf(automation, record)
  } catch {
    return states.some(({ issue, name }) => issue === record.issue && name === automation.name)
  }
}

/**
 * True if a state of an automation is stored for a record; for a retired one, only if the automation holds calls on it.
 */
export function isStateOf(automation: Automation, record: LoadedRecord): boolean {
  return (!record.isRetired || holdsOf(automation, record).length > 0) && holdsFor(automation, record)
}

/** The holds of an automation on a record; on a retired one, only those of calls that delete or merge it. */
export function holdsOf({ then }: { then: Outcome[] }, { isRetired }: LoadedRecord): HoldOutcome[] {
  const holds = outcomesOf<HoldOutcome>(then, 'hold')
  return isRetired ? holds.filter(({ hold }) => OF_RETIRED.includes(hold)) : holds
}
