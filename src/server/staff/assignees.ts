import { sql } from 'kysely'
import { STATUS } from '../../contract/status.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import type { Call } from '../call.ts'
import { refuse } from '../problems.ts'

/** An issue and the person who is to work on it; a new issue has no id yet. */
export interface Assignment {
  issue: { id?: number; service: number; contract: number }
  advocate: number
  /** Where the body names the advocate, for messages. */
  path: string
}
/** What the caller asks of every assignee besides. */
interface Limits {
  /** Somebody who must not be among them. */
  except?: number
  /** People on leave are refused too. */
  atWork?: boolean
}
interface Caseworker {
  id: number
  name: string
  status: number
  services: number[]
  contracts: number[]
}

/**
 * Refuses assignees who are not in a role with cases or do not work on the service and contract of their issue. Every
 * way to set the advocate of an issue calls it: assigning, handing over, a new issue and a new case.
 */
export async function refuseAssignees(
  { db }: Pick<Call, 'db'>,
  assignments: Assignment[],
  { except, atWork = false }: Limits = {},
): Promise<void> {
  if (assignments.length === 0) return
  const ids = assignments.map(({ advocate }) => advocate)
  const { rows } = await sql<Caseworker>`select id, name, status, services, contracts from caseworkers
    where id = any(${ids}::int[])`.execute(db)
  const isFree = ({ id, status }: Caseworker) => id !== except && (!atWork || status === STATUS.active)
  const caseworkers = new Map(rows.filter(isFree).map((row) => [row.id, row]))
  const who = `somebody ${except === undefined ? '' : 'else '}at work in a role with cases`
  const errors: FieldErrors = {}
  for (const { issue, advocate, path } of assignments) {
    const assignee = caseworkers.get(advocate)
    if (!assignee) errors[path] = [`Advocate must be ${who}`]
    else if (!assignee.services.includes(issue.service) || !assignee.contracts.includes(issue.contract)) {
      const which = issue.id === undefined ? 'this issue' : `issue ${issue.id}`
      errors[path] = [`${assignee.name} does not work on the service and contract of ${which}`]
    }
  }
  refuse(errors)
}
