import { sql } from 'kysely'
import { holdsFor } from '../../../contract/automations/evaluateAutomations.ts'
import type { Automation, Deadline } from '../../../contract/generated.ts'
import { LARGEST_INTEGER } from '../../../contract/limits.ts'
import type { Handler } from '../../core/call.ts'
import type { Db, Sql } from '../../core/db.ts'
import { problem, refuse } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { readCalendars } from '../../records/lookups/bankHolidays.ts'
import { validateAutomationsDraft, validateDeadlinesDraft } from '../../records/validate/metaShape.ts'
import { countDeadlines, type DeadlineImpact } from '../deadlines/deadlineImpact.ts'
import { loadDeadlines } from '../deadlines/loadDeadlines.ts'
import { type LoadedCase, type LoadedRecord, loadCases, recordsOf } from './loadCases.ts'

/** What publishing an automation would bring: numbers of records. */
interface Impact {
  name: string
  /** It would hold for so many, of which so many are closed. */
  holds: number
  closed: number
  /** It would begin to hold for so many. */
  begins: number
  /** It would cease to hold for so many. */
  ends: number
  /** It holds for so many now, by the published version, in cases that are not counted too. */
  now: number
}

/** The newest cases are evaluated; more would take longer than anybody waits. */
const MAX_CASES = 10_000
const BATCH = 500

/**
 * Evaluates the automations and deadlines of a draft for the cases of its case type, and changes nothing. `counted` is the
 * number of cases that were evaluated, of `cases`. Without `deadlines`, those that are published are evaluated.
 */
export const count: Handler = async ({ db, params, body, contract, settings }) => {
  refuse({
    ...validateAutomationsDraft(contract, body.automations),
    ...(body.deadlines !== undefined && validateDeadlinesDraft(contract, body.deadlines)),
  })
  const { rows } = await sql<{
    cases: number
    version: number
    published: Deadline[]
  }>`select count(k.id)::int as cases, t.version, t.deadlines as published from case_types t
    left join cases k on k.case_type = t.id where t.id = ${params.id} group by t.id`.execute(db)
  if (!rows[0]) throw problem('notFound')
  const [{ cases, version, published }] = rows
  const automations = body.automations as Automation[]
  const deadlines = (body.deadlines ?? published) as Deadline[]
  const impacts = await currentStates(db, params.id, automations)
  const due = new Map<string, DeadlineImpact>()
  const calendars = await readCalendars(db, settings.BANK_HOLIDAYS)
  const context = { today: today(settings.TIME_ZONE), calendars, deadlines, version: version + 1 }
  let counted = 0
  for await (const loaded of newestCases(db, params.id)) {
    counted += loaded.length
    const rows = await loadDeadlines(db, idsOf(loaded), actionsThatMeet(deadlines))
    const states = countDeadlines(context, loaded, rows, due)
    for (const one of loaded) countCase({ ...one, deadlineStates: states.get(one.id) }, automations, impacts)
  }
  return { cases, counted, automations: [...impacts.values()], deadlines: [...due.values()] }
}

function idsOf(cases: LoadedCase[]): Sql {
  return sql`select unnest(${cases.map(({ id }) => id)}::int[])`
}

/** The types of actions that the deadlines of a draft are met by. */
function actionsThatMeet(deadlines: Deadline[]): number[] {
  return [...new Set(deadlines.flatMap(({ met_by }) => met_by?.actions ?? []))]
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

async function* newestCases(db: Db, caseType: unknown): AsyncGenerator<LoadedCase[]> {
  let before = LARGEST_INTEGER
  for (let left = MAX_CASES; left > 0; left -= BATCH) {
    const loaded = await loadCases(
      db,
      sql`select id from cases where case_type = ${caseType} and id <= ${before} order by id desc limit ${BATCH}`,
    )
    if (loaded.length === 0) return
    before = loaded[0].id - 1
    yield loaded
  }
}

function countCase(loaded: LoadedCase, automations: Automation[], impacts: Map<string, Impact>): void {
  const stored = new Map(loaded.states.map(({ issue, name }) => [`${issue ?? ''}/${name}`, name]))
  for (const record of recordsOf(loaded)) {
    for (const automation of automations) {
      if (!isHolding(automation, record)) continue
      const impact = impacts.get(automation.name)!
      impact.holds++
      if (!record.isOpen) impact.closed++
      if (!stored.delete(`${record.issue ?? ''}/${automation.name}`)) impact.begins++
    }
  }
  for (const name of stored.values()) {
    // Undefined for one that was published since the states were counted.
    const impact = impacts.get(name)
    if (impact) impact.ends++
  }
}

/** An automation that throws, such as an unfinished one, holds for nothing. */
function isHolding(automation: Automation, record: LoadedRecord): boolean {
  try {
    return holdsFor(automation, record)
  } catch {
    return false
  }
}
