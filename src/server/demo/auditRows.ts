import type { Row } from '../db.ts'

/** Whose file an entry belongs to. */
export interface Place {
  client: unknown
  case: unknown
  issue: unknown
}

/** That a row was added, as its call would have noted it; `entity` is its name in the contract. */
export function createdEvent({ id, created_at, created_by }: Row, entity: string, place: Place): Row {
  const event = { at: created_at, staff: created_by, action: 'create', entity, record: id }
  return { ...event, version: 1, changes: null, ...place }
}

/** Who did what to an issue, as the calls would have noted it. */
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

/** The change that wrote an issue's results down before it was closed; undefined where there are none. */
function outcomes({ actual_outcomes, ndti_outcomes }: Row): Row | undefined {
  if ((actual_outcomes as Row[]).length === 0) return undefined
  return {
    actual_outcomes: { from: [], to: actual_outcomes },
    ndti_outcomes: { from: [], to: ndti_outcomes },
  }
}
