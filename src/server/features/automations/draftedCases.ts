import { sql } from 'kysely'
import type { Automation, Deadline } from '../../../contract/generated.ts'
import { MAX_INTEGER } from '../../../contract/limits.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { problem, refuse } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { readCalendars } from '../../records/lookups/bankHolidays.ts'
import { validateAutomationsDraft, validateDeadlinesDraft } from '../../records/validate/metaShape.ts'
import {
  countDeadlines,
  type DeadlineImpact,
  type DeadlineMove,
  type DraftedDeadlines,
} from '../deadlines/deadlineImpact.ts'
import { loadDeadlines } from '../deadlines/loadDeadlines.ts'
import { type LoadedCase, loadCases } from './loadCases.ts'

/** The automations and deadlines of a draft, with the number of cases of its case type. */
export interface AutomationDraft {
  cases: number
  automations: Automation[]
  deadlines: DraftedDeadlines
}

/** The newest cases are evaluated; more would take longer than anybody waits. */
const MAX_CASES = 10_000
const BATCH = 500

/** The draft in a body. Without `deadlines`, those that are published are taken. */
export async function readDraft({
  db,
  params,
  body,
  contract,
  settings,
}: Pick<Call, 'db' | 'params' | 'body' | 'contract' | 'settings'>): Promise<AutomationDraft> {
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
  return {
    cases,
    automations: body.automations as Automation[],
    deadlines: {
      today: today(settings.TIME_ZONE),
      calendars: await readCalendars(db, settings.BANK_HOLIDAYS),
      deadlines: (body.deadlines ?? published) as Deadline[],
      version: version + 1,
    },
  }
}

/**
 * A batch of cases, the newest last, with the states of their deadlines by a draft, and what the draft changes of
 * deadlines.
 */
interface DraftedCases {
  loaded: LoadedCase[]
  moves: DeadlineMove[]
}

/**
 * Evaluates the deadlines of a draft for the newest cases of its case type, from the case `from` on, the newest first,
 * and adds the results to the impacts.
 */
export async function* draftedCases(
  { db, params }: Pick<Call, 'db' | 'params'>,
  { deadlines }: AutomationDraft,
  impacts: Map<string, DeadlineImpact>,
  from: number = MAX_INTEGER,
): AsyncGenerator<DraftedCases> {
  const ofType = sql`select id from cases where case_type = ${params.id}`
  const { rows } = await sql<{ oldest: number | null }>`select min(id) as oldest
    from (${ofType} order by id desc limit ${MAX_CASES}) n`.execute(db)
  const oldest = rows[0].oldest ?? MAX_INTEGER
  for (let newest = from; ; ) {
    const loaded = await loadCases(
      db,
      sql`${ofType} and id between ${oldest} and ${newest} order by id desc limit ${BATCH}`,
    )
    if (loaded.length === 0) return
    newest = loaded[0].id - 1
    const stored = await loadDeadlines(db, idsOf(loaded), actionsThatMeet(deadlines.deadlines))
    const { states, moves } = countDeadlines(deadlines, loaded, stored, impacts)
    yield { loaded: loaded.map((one) => ({ ...one, deadlineStates: states.get(one.id) })), moves }
  }
}

function idsOf(cases: LoadedCase[]): Sql {
  return sql`select unnest(${cases.map(({ id }) => id)}::int[])`
}

/** The types of actions that the deadlines of a draft are met by. */
function actionsThatMeet(deadlines: Deadline[]): number[] {
  return [...new Set(deadlines.flatMap(({ met_by }) => met_by?.actions ?? []))]
}
