import { sql } from 'kysely'
import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import type { Db } from '../../core/db.ts'
import { evaluateDeadlines } from '../deadlines/evaluateDeadlines.ts'
import { loadDeadlines } from '../deadlines/loadDeadlines.ts'
import { automatedTypes } from './automatedTypes.ts'
import { holdingRecords } from './holdingRecords.ts'
import { loadCases } from './loadCases.ts'

interface Context {
  /** Reads what is committed, outside of the transaction that changes the cases. */
  committed: Db
  /** YYYY-MM-DD where the service works. */
  today: string
  calendars: Calendars
}

/**
 * The keys of the states that hold for cases by their published version, without the changes of the transaction. These
 * were begun by a publication or an edited calendar, not by this transaction. `isQuiet` picks the automations of a
 * case.
 */
export async function heldBefore(
  { committed, today, calendars }: Context,
  caseIds: number[],
  isQuiet: (caseId: number, automation: string) => boolean,
): Promise<Set<string>> {
  if (caseIds.length === 0) return new Set()
  const ids = sql`select unnest(${caseIds}::int[])`
  const [cases, rows] = await Promise.all([loadCases(committed, ids), loadDeadlines(committed, ids)])
  const types = await automatedTypes(committed, cases)
  const due = cases.map((one) => ({ ...one, deadlines: types.get(one.type)?.deadlines ?? [] }))
  const { states } = evaluateDeadlines({ today, rows, calendars }, due)
  return new Set(
    cases.flatMap((one) => {
      const before = { ...one, deadlineStates: states.get(one.id) }
      const automations = types.get(one.type)?.automations ?? []
      const quiet = automations.filter(({ name }) => isQuiet(one.id, name))
      return quiet.flatMap((automation) =>
        holdingRecords(before, automation).map(({ issue }) =>
          beganKey({ caseId: one.id, record: { issue }, automation }),
        ),
      )
    }),
  )
}

interface Began {
  caseId: number
  record: { issue: number | null }
  automation: { name: string }
}

/** The key of a state that begins: its record and its automation. */
export function beganKey({ caseId, record, automation }: Began): string {
  return `${caseId} ${record.issue ?? ''} ${automation.name}`
}
