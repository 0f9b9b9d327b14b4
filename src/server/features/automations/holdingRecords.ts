import { holdsFor, outcomesOf } from '../../../contract/automations/evaluateAutomations.ts'
import type { Automation, HoldOutcome, Outcome } from '../../../contract/generated.ts'
import { type LoadedCase, type LoadedRecord, recordsOf } from './loadCases.ts'

/** The calls that take retired records away too. */
const OF_RETIRED: HoldOutcome['hold'][] = ['remove', 'purge', 'merge']

/** The records of a case for which an automation holds. */
export function holdingRecords(loaded: LoadedCase, automation: Automation): LoadedRecord[] {
  return recordsOf(loaded).filter((record) => isHolding(loaded, automation, record))
}

/** The states of an automation that throws, such as an unfinished one, stay as they are. */
function isHolding({ states }: LoadedCase, automation: Automation, record: LoadedRecord): boolean {
  try {
    return isStateOf(automation, record)
  } catch {
    return states.some(({ issue, name }) => issue === record.issue && name === automation.name)
  }
}

/** True if a state of an automation is stored for a record: of retired ones, while something holds them. */
export function isStateOf(automation: Automation, record: LoadedRecord): boolean {
  return (!record.isRetired || holdsOf(automation, record).length > 0) && holdsFor(automation, record)
}

/** What an automation refuses of a record while it holds; of a retired one, what would take it away. */
export function holdsOf({ then }: { then: Outcome[] }, { isRetired }: LoadedRecord): HoldOutcome[] {
  const holds = outcomesOf<HoldOutcome>(then, 'hold')
  return isRetired ? holds.filter(({ hold }) => OF_RETIRED.includes(hold)) : holds
}
