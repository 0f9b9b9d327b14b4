import { sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import type { Issue, Staff } from '../../../contract/types/entities.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import type { Call } from '../../core/call.ts'
import { refuse } from '../../core/problems.ts'

/** An issue and its assignee; a new issue has no id yet. */
export interface Assignment {
  issue: Pick<Issue, 'service' | 'contract'> & { id?: number }
  advocate: number
  /** Path of the advocate in the body, for errors. */
  path: string
}
interface Requirements {
  /** A person who must not be an assignee. */
  except?: number
  /** People on leave are refused too. */
  atWork?: boolean
}
type Assignee = Pick<Staff, 'id' | 'name' | 'status' | 'services' | 'contracts'>

/**
 * Refuses assignees who do not have a role with cases, or do not work on the service and contract of their issue. Every
 * operation that sets the advocate of an issue calls it: assigning, handing over, a new issue and a new case.
 */
export async function refuseAssignees(
  { db }: Pick<Call, 'db'>,
  assignments: Assignment[],
  { except, atWork = false }: Requirements = {},
): Promise<void> {
  if (assignments.length === 0) return
  const ids = assignments.map(({ advocate }) => advocate)
  const { rows } = await sql<Assignee>`select id, name, status, services, contracts from caseworkers
    where id = any(${ids}::int[])`.execute(db)
  const isFree = ({ id, status }: Assignee) => id !== except && (!atWork || status === STATUS.active)
  const caseworkers = new Map(rows.filter(isFree).map((row) => [row.id, row]))
  const who = `somebody ${except === undefined ? '' : 'else '}at work in a role with cases`
  const errors: FieldErrors = {}
  for (const { issue, advocate, path } of assignments) {
    const assignee = caseworkers.get(advocate)
    if (!assignee) errors[path] = [`Advocate must be ${who}`]
    else if (!has(assignee.services, issue.service) || !has(assignee.contracts, issue.contract)) {
      const which = issue.id === undefined ? 'this issue' : `issue ${issue.id}`
      errors[path] = [`${assignee.name} does not work on the service and contract of ${which}`]
    }
  }
  refuse(errors)
}

function has(ids: number[], id: number | null): boolean {
  return id !== null && ids.includes(id)
}
