import { holdsFor } from '../../../contract/automations/evaluateAutomations.ts'
import type { Automation } from '../../../contract/generated.ts'
import { type LoadedCase, type LoadedRecord, recordsOf } from './loadCases.ts'

/** The records of a case for which an automation holds. */
export function holdingRecords(loaded: LoadedCase, automation: Automation): LoadedRecord[] {
  return recordsOf(loaded).filter((record) => isHolding(automation, record))
}

/** An automation that throws, such as an unfinished one, holds for nothing. */
function isHolding(automation: Automation, record: LoadedRecord): boolean {
  try {
    return holdsFor(automation, record)
  } catch {
    return false
  }
}
