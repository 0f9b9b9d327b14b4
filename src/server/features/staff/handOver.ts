import { sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import type { HandOverBody, Issue, Staff } from '../../../contract/types/entities.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { fieldProblem, refuse } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { notifyOfChanges } from '../../records/workNotices/notifyOfChanges.ts'
import { type Assignment, refuseAssignees } from './assignees.ts'
import { movedWords } from './movedWords.ts'

type OpenIssue = Row & Pick<Issue, 'id' | 'service' | 'contract' | 'allocation_asked'>

/**
 * Assigns open issues of a person to others, all or none: `{to: [{issue, advocate}]}`, `{advocate}` for all visible
 * issues, or both, where `to` takes precedence. Returns their number, words for the notice, and the body for undoing
 * it.
 */
export async function handOverWork(call: Call, person: Staff) {
  const body = await validateBody(call, call.contract.bodies.handOver, call.body)
  const open = await lockOpen(call, person)
  const assignments = assignmentsOf(body, open)
  await refuseAssignees(call, assignments, { except: person.id, atWork: true })
  const advocates = new Map(assignments.map(({ issue, advocate }) => [issue.id, advocate]))
  const { rows } = await sql<Row & Pick<Issue, 'id' | 'version' | 'advocate' | 'client'>>`update issues i
    set advocate = g.advocate, allocation_asked = null, version = version + 1, updated_at = now()
    from unnest(${[...advocates.keys()]}::int[], ${[...advocates.values()]}::int[]) as g(id, advocate)
    where i.id = g.id returning i.*`.execute(call.db)
  for (const { id, version, advocate } of rows) {
    const asked = open.get(id)!.allocation_asked
    const changes = {
      advocate: { from: person.id, to: advocate },
      ...(asked !== null && { allocation_asked: { from: asked, to: null } }),
    }
    await writeAuditEvent(call, { action: 'assign', entity: 'issue', record: id, version, changes })
  }
  const moved = rows.map((after) => ({ before: open.get(after.id), after }))
  await notifyOfChanges({ ...call, by: call.me.id }, 'issue', moved)
  const changes = { open_issues: { from: open.size, to: open.size - rows.length } }
  await writeAuditEvent(call, { action: 'hand over', entity: 'staff', record: person.id, changes })
  const to = await namesOf(call, [...new Set(advocates.values())])
  const words = `${movedWords(rows)} handed over from ${person.first_name} ${person.last_name} to ${to}`
  const undo = { issues: rows.map(({ id }) => id) }
  return { count: rows.length, words, undo }
}

/** 'Ann Lee', 'Ann Lee and Bob Bell', or of many the first two and the number of others. */
async function namesOf({ db }: Call, ids: number[]): Promise<string> {
  const { rows } = await sql<{ name: string }>`select trim(first_name || ' ' || last_name) as name from staff
    where id = any(${ids}::int[]) order by name_key, id`.execute(db)
  const names = rows.map(({ name }) => name)
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} others`
  const last = names.pop()
  return names.length > 0 ? `${names.join(', ')} and ${last}` : (last ?? '')
}

/** Locks the visible open issues of a person, so that others cannot close or assign them meanwhile. */
async function lockOpen(call: Call, { id }: Staff): Promise<Map<number, OpenIssue>> {
  const { rows } = await sql<OpenIssue>`select i.* from issues i
    where i.advocate = ${id} and i.is_opened and i.status = ${sql.lit(STATUS.active)} and ${visibleTo('issue', call.me, 'i')}
    order by i.id for update of i`.execute(call.db)
  return new Map(rows.map((row) => [row.id, row]))
}

function assignmentsOf({ to = [], advocate }: HandOverBody, open: Map<number, OpenIssue>) {
  const errors: FieldErrors = {}
  const assignments = new Map<number, Assignment & { issue: OpenIssue }>()
  for (const [i, row] of to.entries()) {
    const issue = open.get(row.issue!)
    const path = `to.${i}.advocate`
    if (row.advocate === undefined || row.advocate === null) errors[path] = ['Advocate is needed']
    else if (!issue) errors[`to.${i}.issue`] = ['Issue must be open work of this person that you may see']
    else if (assignments.has(issue.id)) errors[`to.${i}.issue`] = ['Issue is named twice']
    else assignments.set(issue.id, { issue, advocate: row.advocate, path })
  }
  refuse(errors)
  if (advocate !== undefined && advocate !== null) {
    for (const issue of open.values())
      if (!assignments.has(issue.id))
        assignments.set(issue.id, { issue, advocate: Number(advocate), path: 'advocate' })
  }
  if (assignments.size === 0) {
    const words = open.size === 0 ? 'There is no open work to hand over' : 'Choose who takes the work over'
    throw fieldProblem({ advocate: [words] })
  }
  return [...assignments.values()]
}
