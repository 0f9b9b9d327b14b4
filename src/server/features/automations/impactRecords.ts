import { sql } from 'kysely'
import type { Automation } from '../../../contract/generated.ts'
import { MAX_INTEGER } from '../../../contract/limits.ts'
import { seesAlertedRecord } from '../../access/alertedRecord.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import type { DeadlineMove } from '../deadlines/deadlineImpact.ts'
import { type AutomationDraft, draftedCases, readDraft } from './draftedCases.ts'
import { holdingRecords } from './holdingRecords.ts'
import type { LoadedCase } from './loadCases.ts'

/** A record that a number of automations.impact counts. */
interface ImpactRecord {
  case: number
  /** Null: the case itself. */
  issue: number | null
  /** For an automation: whether the record is open, and whether the automation begins to hold for it. */
  is_open?: boolean
  begins?: boolean
  /** For a deadline: when it is due now and would be, null where nothing is open, and whether it would be met. */
  was?: string | null
  due?: string | null
  is_met?: boolean
}

/** The number of records after which the others are another page. */
const MAX_LISTED = 100

/**
 * The records for which an automation of a draft would hold (`automation`: its name), or of which a deadline would
 * change (`deadline`), the newest case first, as far as the caller may see them. A page ends with a case; `next` is the
 * case that the following page is `from`, null after the last one.
 */
export const list: Handler = async (call) => {
  const from = fromOf(call)
  const draft = await readDraft(call)
  const recordsIn = recordsNamed(call, draft)
  const found: ImpactRecord[] = []
  for await (const { loaded, moves } of draftedCases(call, draft, new Map(), from)) {
    for (const one of loaded.toReversed()) {
      if (found.length >= MAX_LISTED) return { data: await described(call, found), next: one.id }
      found.push(...recordsIn(one, moves))
    }
  }
  return { data: await described(call, found), next: null }
}

function fromOf({ body: { from } }: Call): number | undefined {
  if (from === undefined) return undefined
  if (Number.isInteger(from) && Math.abs(Number(from)) <= MAX_INTEGER) return Number(from)
  throw fieldProblem({ from: ['must be the number of a case'] })
}

/** Finds the records of a case that the named automation or deadline of the draft is about. */
function recordsNamed(
  { body }: Call,
  { automations, deadlines }: AutomationDraft,
): (loaded: LoadedCase, moves: DeadlineMove[]) => ImpactRecord[] {
  const automation = automations.find(({ name }) => name === body.automation)
  if (automation) return (loaded) => holdingIn(loaded, automation)
  if (!deadlines.deadlines.some(({ name }) => name === body.deadline))
    throw fieldProblem({ automation: ['must be the name of an automation or deadline of the draft'] })
  return ({ id }, moves) =>
    moves
      .filter((move) => move.name === body.deadline && move.case === id)
      .map(({ issue, was, due, isMet }) => ({ case: id, issue, was, due, is_met: isMet }))
}

function holdingIn(loaded: LoadedCase, automation: Automation): ImpactRecord[] {
  const holdsNow = new Set(
    loaded.states.filter(({ name }) => name === automation.name).map(({ issue }) => issue),
  )
  return holdingRecords(loaded, automation).map(({ issue, isOpen }) => ({
    case: loaded.id,
    issue,
    is_open: isOpen,
    begins: !holdsNow.has(issue),
  }))
}

/** The records with their names, without those that the caller may not see. */
async function described({ db, me }: Call, found: ImpactRecord[]) {
  const { rows } = await sql<{ record: ImpactRecord }>`select r.record || jsonb_build_object(
      'client_name', c.first_name || ' ' || c.last_name, 'issue_type_label', y.label) as record
    from (
      select x.record, x.place, (x.record ->> 'case')::int as "case", (x.record ->> 'issue')::int as issue
      from jsonb_array_elements(${JSON.stringify(found)}::jsonb) with ordinality as x(record, place)
    ) r
    join cases k on k.id = r."case"
    join clients c on c.id = k.client
    left join issues i on i.id = r.issue
    left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
    where ${seesAlertedRecord(me, 'r')} order by r.place`.execute(db)
  return rows.map(({ record }) => record)
}
