import { sql } from 'kysely'
import { isSet } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import { callerById } from '../../access/session.ts'
import type { Call, Caller } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'

/** The record that a task is on: its issue, else its case, else its client. */
interface Place {
  issue?: number | null
  case?: number | null
  client?: number | null
}

/**
 * Refuses an assignee who has left, whom the caller does not manage, or who does not see the task's issue, case or
 * client. Everybody may assign a task to themselves.
 */
export async function refuseAssignee(
  { db, me }: Call,
  { assignee, ...place }: Place & { assignee?: number | null },
): Promise<void> {
  if (!isSet(assignee) || assignee === me.id) return
  const { rows } =
    await sql`select 1 from staff s where s.id = ${assignee} and ${visibleTo('staff', me, 's')}`.execute(db)
  const person = rows[0] ? await callerById(db, assignee!) : undefined
  if (!person) throw fieldProblem({ assignee: ['Assigned to must be somebody at work whom you manage'] })
  if (!(await seesPlace(db, person, place)))
    throw fieldProblem({ assignee: ['Assigned to must be somebody who sees its record'] })
}

export async function seesPlace(db: Call['db'], person: Caller, place: Place): Promise<boolean> {
  const places = [
    { table: 'issues', scope: 'issue', id: place.issue },
    { table: 'cases', scope: 'case', id: place.case },
    { table: 'clients', scope: 'client', id: place.client },
  ]
  const first = places.find(({ id }) => isSet(id))
  if (!first) return true
  const { table, scope, id } = first
  const { rows } = await sql`select 1 from ${sql.table(table)} r
    where r.id = ${id} and ${visibleTo(scope, person, 'r')}`.execute(db)
  return rows.length > 0
}
