import { becauseOf } from '../../../contract/automations/describeAutomation.ts'
import { filledOutcomes, groupsOf, outcomesOf } from '../../../contract/automations/evaluateAutomations.ts'
import type { ItemLabel } from '../../../contract/describeAnswer.ts'
import type { AlertOutcome, Automation, Outcome } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import type { AutomatedType } from './automatedTypes.ts'
import { holdsOf, isStateOf } from './holdingRecords.ts'
import {
  type LoadedCase,
  type LoadedRecord,
  recordsOf,
  type StoredHold,
  type StoredState,
} from './loadCases.ts'

/** A state to insert or update: the automation that holds for a record. */
export interface HoldingState {
  /** Id of the stored state; undefined for a new one. */
  id?: number
  automation: Automation
  record: LoadedRecord
  caseId: number
  client: number
  type: number
  version: number
  label: string
  level: string | null
  text: string | null
  because: string
  holds: StoredHold[]
  /** Ids of the groups that it notifies. */
  groups: number[]
  /** True if it fires no events when it begins, because its record is retired or its automation threw. */
  isQuiet: boolean
}
export interface StateChanges {
  added: HoldingState[]
  changed: HoldingState[]
  /** Ids of states that hold no longer. */
  ended: number[]
  /** Automations that threw: their states stay as they are, and their holds refuse. */
  failed: Failure[]
}
export interface Failure {
  caseId: number
  client: number
  type: number
  version: number
  record: LoadedRecord
  automation: Automation
  error: unknown
}

interface Names {
  itemLabel?: ItemLabel
  roleId: (name: string) => number | undefined
}

/** What differs between the stored states of a case and those that hold now. */
export function stateChanges(loaded: LoadedCase, type: AutomatedType, names: Names): StateChanges {
  const stored = new Map(loaded.states.map((state) => [keyOf(state.issue, state.name), state]))
  const changes: StateChanges = { added: [], changed: [], ended: [], failed: [] }
  for (const record of recordsOf(loaded)) {
    for (const automation of type.automations) {
      const key = keyOf(record.issue, automation.name)
      try {
        if (!isStateOf(automation, record)) continue
        const now = stateOf(loaded, type, { automation, record }, names)
        const before = stored.get(key)
        if (!before) changes.added.push(now)
        else if (!isSame(before, now)) changes.changed.push({ ...now, id: before.id })
      } catch (error) {
        const { id: caseId, client } = loaded
        changes.failed.push({
          caseId,
          client,
          type: type.id,
          version: type.version,
          record,
          automation,
          error,
        })
        if (!stored.has(key)) changes.added.push(...failedState(loaded, type, { automation, record }, names))
      }
      stored.delete(key)
    }
  }
  changes.ended = [...stored.values()].map(({ id }) => id)
  return changes
}

function stateOf(
  loaded: LoadedCase,
  type: AutomatedType,
  { automation, record }: Pick<HoldingState, 'automation' | 'record'>,
  names: Names,
): HoldingState {
  const { itemLabel } = names
  const groups = automation.of === 'case' ? type.case_meta : type.issue_meta
  const then = filledOutcomes(automation, groups, record.answers, itemLabel)
  const holding = holdingState(loaded, type, { automation, record }, then, names)
  const because = becauseOf(automation, type, itemLabel)
  // Retired records show no alerts.
  if (record.isRetired) return { ...holding, because, isQuiet: true }
  const [alert] = outcomesOf<AlertOutcome>(then, 'alert')
  return {
    ...holding,
    level: alert?.level ?? null,
    text: alert?.alert ?? null,
    because,
    groups: groupsOf(automation).flatMap((code) => loaded.groupIds[code] ?? []),
  }
}

/** A state that holds calls, and nothing else. */
function holdingState(
  { id: caseId, client }: LoadedCase,
  { id: type, version }: AutomatedType,
  { automation, record }: Pick<HoldingState, 'automation' | 'record'>,
  then: Outcome[],
  { roleId }: Names,
): HoldingState {
  return {
    automation,
    record,
    caseId,
    client,
    type,
    version,
    label: automation.label,
    level: null,
    text: null,
    because: 'it could not be evaluated',
    holds: holdsOf({ then }, record).map(({ hold, text, pass = [] }) => ({
      call: hold,
      text,
      pass: pass.flatMap((name) => roleId(name) ?? []),
    })),
    groups: [],
    isQuiet: false,
  }
}

/** The state of an automation that threw: its holds refuse, because they cannot be evaluated. */
function failedState(
  loaded: LoadedCase,
  type: AutomatedType,
  { automation, record }: Pick<HoldingState, 'automation' | 'record'>,
  names: Names,
): HoldingState[] {
  if (holdsOf(automation, record).length === 0) return []
  return [{ ...holdingState(loaded, type, { automation, record }, automation.then, names), isQuiet: true }]
}

/** The version alone is no difference, so that a publication does not write the states that stay as they are. */
function isSame(before: StoredState, now: HoldingState): boolean {
  return (['client', 'label', 'level', 'text', 'holds', 'groups'] as const).every((key) =>
    isEqual(before[key], now[key]),
  )
}

function keyOf(issue: number | null, name: string): string {
  return `${issue ?? ''}/${name}`
}
