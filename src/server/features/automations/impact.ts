import { sql } from 'kysely'
import type { Automation } from '../../../contract/generated.ts'
import type { Handler } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import type { DeadlineImpact } from '../deadlines/deadlineImpact.ts'
import { draftedCases, readDraft } from './draftedCases.ts'
import { holdingRecords } from './holdingRecords.ts'
import type { LoadedCase } from './loadCases.ts'

/** How many records publishing an automation would affect. */
interface Impact {
  name: string
  /** Records for which it would hold, and how many of these are closed. */
  holds: number
  closed: number
  /** Records for which it would begin to hold. */
  begins: number
  /** Records for which it would cease to hold. */
  ends: number
  /** Records for which the published version holds now, also in cases that are not counted. */
  now: number
}

/**
 * Evaluates the automations and deadlines of a draft for the cases of its case type, and changes nothing. `counted` is
 * the number of cases that were evaluated, of `cases`. Without `deadlines`, those that are published are evaluated.
 */
export const count: Handler = async (call) => {
  const draft = await readDraft(call)
  const { cases, automations } = draft
  const impacts = await currentStates(call.db, call.params.id, automations)
  const due = new Map<string, DeadlineImpact>()
  let counted = 0
  for await (const { loaded } of draftedCases(call, draft, due)) {
    counted += loaded.length
    for (const one of loaded) countCase(one, automations, impacts)
  }
  return { cases, counted, automations: [...impacts.values()], deadlines: [...due.values()] }
}

/** The impact of each automation of the draft, and of each that has states and is in the draft no longer, by name. */
async function currentStates(
  db: Db,
  caseType: unknown,
  automations: Automation[],
): Promise<Map<string, Impact>> {
  const none = (name: string): Impact => ({ name, holds: 0, closed: 0, begins: 0, ends: 0, now: 0 })
  const impacts = new Map(automations.map(({ name }) => [name, none(name)]))
  const { rows } = await sql<Pick<Impact, 'name' | 'now'>>`select name, count(*)::int as now
    from automation_states where case_type = ${caseType} group by name order by name`.execute(db)
  for (const { name, now } of rows) impacts.set(name, { ...(impacts.get(name) ?? none(name)), now })
  return impacts
}

function countCase(loaded: LoadedCase, automations: Automation[], impacts: Map<string, Impact>): void {
  const stored = new Map(loaded.states.map((state) => [stateKey(state, state.name), state.name]))
  for (const automation of automations) {
    for (const record of holdingRecords(loaded, automation)) {
      const impact = impacts.get(automation.name)!
      impact.holds++
      if (!record.isOpen) impact.closed++
      if (!stored.delete(stateKey(record, automation.name))) impact.begins++
    }
  }
  for (const name of stored.values()) {
    // Undefined for one that was published since the states were counted.
    const impact = impacts.get(name)
    if (impact) impact.ends++
  }
}

function stateKey({ issue }: { issue: number | null }, name: string): string {
  return `${issue ?? ''}/${name}`
}
