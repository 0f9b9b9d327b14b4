import type { Row } from '../db.ts'
import { writtenOn } from './actions.ts'
import type { DemoContext } from './context.ts'
import { dateOf } from './days.ts'

const OFTEN = 0.06
const BOTH = 0.4
const REVIEWED = 0.7
// A review falls between so many days ago and so many ahead.
const OVERDUE = 40
const AHEAD = 150

/** What must be known before getting in touch, for some clients; `since` is the day they became known. */
export function alertsOf(client: Row, since: number, context: DemoContext): { risks: Row[]; issues: Row[] } {
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
