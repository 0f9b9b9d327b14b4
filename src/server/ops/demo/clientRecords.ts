import { STATUS } from '../../../contract/status.ts'
import type { Row } from '../../core/db.ts'
import { writtenOn } from './actions.ts'
import { createdEvent } from './auditRows.ts'
import { addCase, type Rows } from './caseRecords.ts'
import { clientMaker } from './client.ts'
import type { DemoContext } from './context.ts'
import { AFTERNOON, dateOf, MORNING, timeOf } from './days.ts'
import { reasonDied } from './issues.ts'
import { isAudited } from './present.ts'

const OFTEN = 0.06
const BOTH = 0.4
const REVIEWED = 0.7
// A review date is between OVERDUE days ago and AHEAD days from now.
const OVERDUE = 40
const AHEAD = 150

// Numbers of cases per client, to pick from.
const COUNTS = [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3]
const DIED = 0.12
const RETIRED = 0.08

/** Returns a function that adds a client to rows, with its cases and everything that belongs to them. */
export function clientRecordMaker(context: DemoContext): (rows: Rows) => void {
  const { random, today, staffing, ids } = context
  const nextClient = clientMaker(context)
  return (rows) => {
    const { client, place } = nextClient(++ids.clients)
    const slots = Array.from({ length: random.pick(COUNTS) })
    const cases = slots.flatMap(() => addCase(client, place, rows, context) ?? [])
    const known = today - random.between(1, 700)
    const first = cases.reduce((day, { story }) => Math.min(day, story.began), known)
    const latest = cases.reduce((day, { story }) => Math.max(day, story.touched), first)
    client.created_by = cases[0]?.row.created_by ?? staffing.adviser(1).id
    client.created_at = timeOf(first, MORNING[0])
    client.updated_at = timeOf(latest, AFTERNOON[1])
    if (cases.every(({ row }) => row.open_issues === 0)) {
      if (random.chance(RETIRED)) client.status = STATUS.retired
      else if (cases.length > 0 && random.chance(DIED)) {
        const issues = cases.flatMap((one) => one.issues)
        client.dod = endByDeath(dateOf(latest - random.between(0, 10)), issues, context)
      }
    }
    rows.clients.push(client)
    const { risks, issues } = risksAndIssuesOf(client, first, context)
    rows.risks.push(...risks)
    rows.communication_issues.push(...issues)
    if (!isAudited(client.id, first, context)) return
    const own = { client: client.id, case: null, issue: null }
    rows.audit.push(createdEvent(client, 'client', own))
    rows.audit.push(...risks.map((risk) => createdEvent(risk, 'risk', own)))
    rows.audit.push(...issues.map((one) => createdEvent(one, 'communicationIssue', own)))
  }
}

/** Returns the day of death, not before any issue starts; issues that closed on it or later have the reason for it. */
function endByDeath(guess: string, issues: Row[], context: DemoContext): string {
  const dod = issues.reduce(
    (day, { start_date }) => (String(start_date) > day ? String(start_date) : day),
    guess,
  )
  for (const issue of issues) {
    if (String(issue.close_date) >= dod) issue.close_reasons = reasonDied(context)
  }
  return dod
}

/** Risks and communication issues of some clients; `since` is the day of their first record. */
function risksAndIssuesOf(client: Row, since: number, context: DemoContext): { risks: Row[]; issues: Row[] } {
  const { work, casework } = context
  if (!work.chance(OFTEN)) return { risks: [], issues: [] }
  const [risk, communication] = work.chance(BOTH)
    ? [true, true]
    : work.chance(0.5)
      ? [true, false]
      : [false, true]
  return {
    risks: risk ? one('risks', 'risk_type', casework.risks, client, since, context) : [],
    issues: communication
      ? one('communication_issues', 'comms_issue_type', casework.communication, client, since, context)
      : [],
  }
}

function one(
  table: 'risks' | 'communication_issues',
  kind: string,
  words: string[],
  client: Row,
  since: number,
  context: DemoContext,
): Row[] {
  const { work, lookups, today, ids } = context
  const types = lookups(kind)
  if (types.length === 0) return []
  return [
    {
      id: ++ids[table],
      client: client.id,
      type: work.pick(types).value,
      details: work.pick(words),
      review_date: work.chance(REVIEWED) ? dateOf(today + work.between(-OVERDUE, AHEAD)) : null,
      created_by: client.created_by,
      ...writtenOn(work.between(since, today - 1), context),
    },
  ]
}
