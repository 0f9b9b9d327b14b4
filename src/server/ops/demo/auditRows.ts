import type { Row } from '../../core/db.ts'

/** The client, case and issue of an audit event. */
export interface Place {
  client: unknown
  case: unknown
  issue: unknown
}

/** The audit event that the call of a new row would have written; `entity` is its name in the contract. */
export function createdEvent({ id, created_at, created_by }: Row, entity: string, place: Place): Row {
  const event = { at: created_at, staff: created_by, action: 'create', entity, record: id }
  return { ...event, version: 1, changes: null, ...place }
}

/** The audit events that the calls on an issue would have written. */
export function auditEventsOf(issue: Row, place: Place): Row[] {
  const create = createdEvent(issue, 'issue', place)
  const events = [create]
  const outcomeChanges = outcomes(issue)
  const closed = issue.is_opened === false
  const assigned = Number(issue.version) - (closed ? 1 : 0) - (outcomeChanges ? 1 : 0) === 2
  if (assigned) {
    const changes = { advocate: { from: null, to: issue.advocate } }
    events.push({ ...create, action: 'assign', version: 2, changes })
  }
  const { advocate, created_by, updated_at, version } = issue
  const last = { ...create, at: updated_at, staff: advocate ?? created_by }
  if (outcomeChanges)
    events.push({ ...last, action: 'update', version: Number(version) - 1, changes: outcomeChanges })
  if (closed) {
    const changes = {
      is_opened: { from: true, to: false },
      close_date: { from: null, to: issue.close_date },
      close_reasons: { from: [], to: issue.close_reasons },
    }
    events.push({ ...last, action: 'close', version, changes })
  }
  return events
}

/** The changes of the outcomes before an issue was closed; undefined if it has none. */
function outcomes({ actual_outcomes, ndti_outcomes }: Row): Row | undefined {
  if ((actual_outcomes as Row[]).length === 0) return undefined
  return {
    actual_outcomes: { from: [], to: actual_outcomes },
    ndti_outcomes: { from: [], to: ndti_outcomes },
  }
}
