import { sql } from 'kysely'
import type { Issue } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, type Problem, problem } from '../../core/problems.ts'
import { singlePage } from '../../core/singlePage.ts'
import { today } from '../../core/today.ts'
import { auditPurge, purgeIssues, refuseRecent } from '../../records/purge/purge.ts'
import { missingBeforeClose } from '../../records/validate/missingBeforeClose.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { lockRow } from '../../records/verbs/lockRow.ts'
import { fetch } from '../../records/verbs/read.ts'
import { remove as removeRecord } from '../../records/verbs/remove.ts'
import { holdsOfClosing } from '../automations/holdsOfClosing.ts'
import { refuseAssignees } from '../staff/assignees.ts'
import { movedWords } from '../staff/movedWords.ts'
import { undoAssignments } from '../staff/undoAssign.ts'
import { candidatesFor } from './candidates.ts'
import { changeIssue, lockedIssue } from './changeIssue.ts'

const MAX_AT_ONCE = 500
/** Maximum number of rows of a hand-over, which can be undone at once. */
const MAX_UNDONE = 1000
const MAX_ID = 2147483647

/** Undoes assignments that the caller has just made. */
export const undoAssign: Handler = (call) => undoAssignments(call, idsOf(call.body.issues, MAX_UNDONE))

/** Assigns an issue to an advocate who has a role with cases and works on its service and contract. */
export const assign: Handler = async (call) => {
  const issue = await lockedIssue(call)
  const { advocate } = await validateBody(call, call.contract.bodies.assign, call.body, '', { record: issue })
  return assignTo(call, issue, advocate, issue.id)
}

/** Assigns several issues to one advocate, each on its own; returns their number, and the failures with reasons. */
export const assignSeveral: Handler = async (call) => {
  const { issues, ...body } = call.body
  const { assignSeveral: shape } = call.contract.bodies
  const { advocate } = await validateBody(
    call,
    { ...shape, required: ['advocate'], properties: { advocate: shape.properties.advocate } },
    body,
  )
  const failed: { id: number; message: string }[] = []
  const done: Issue[] = []
  // Lock in ascending order, so that two such calls cannot deadlock.
  const ids = idsOf(issues).sort((a, b) => a - b)
  for (const id of ids) {
    const one = { ...call, params: { id } }
    try {
      const issue = await lockedIssue(one)
      if (!issue.is_opened) throw fieldProblem({ issues: ['This issue is closed already'] })
      done.push(await assignTo(one, issue, Number(advocate)))
    } catch (error) {
      // A problem is thrown before anything is written; an error of the database aborts the whole call.
      const { body: reason } = error as Partial<Problem>
      if (!reason) throw error
      failed.push({ id, message: String(reason.message ?? Object.values(reason).flat().join(' ')) })
    }
  }
  const { length: count } = done
  const to = count > 0 ? ` to ${done[0].advocate_name}` : ''
  const words = `${movedWords(done)} assigned${to}`
  return { count, words, failed, undo: { issues: done.map(({ id }) => id) } }
}

/** Candidates for the issues in `issues` (1,2,3), the best first; `at_work` and `nearby` filter them. */
export const candidates: Handler = async (call) => {
  const { issues = '', term = '', at_work, nearby } = call.query
  const ids = String(issues).split(',').filter(Boolean)
  if (!ids.every((id) => /^\d{1,9}$/.test(id)))
    throw fieldProblem({ issues: ['must be whole numbers with commas between'] })
  if (ids.length === 0) return singlePage([])
  const search = { term: String(term), atWork: at_work === true, nearby: nearby === true }
  return singlePage(await candidatesFor(call, ids.map(Number), search))
}

/** Asks the managers to assign the issue; its advocate stays until one does. */
export const askAllocation: Handler = async (call) => {
  const issue = await lockedIssue(call)
  const { note = null } = await validateBody(call, call.contract.bodies.askAllocation, call.body, '', {
    record: issue,
  })
  if (!issue.is_opened) throw fieldProblem({ note: ['This issue is closed already'] })
  const asked = { by: call.me.id, at: today(call.settings.TIME_ZONE), note }
  return changeIssue(call, issue, 'ask for allocation', { allocation_asked: asked })
}

async function assignTo(call: Call, issue: Issue, advocate: number, id?: number) {
  const { service, contract } = issue
  await refuseAssignees(call, [{ issue: { id, service, contract }, advocate, path: 'advocate' }])
  return changeIssue(call, issue, 'assign', {
    advocate,
    ...(issue.allocation_asked != null && { allocation_asked: null }),
  })
}

/** Distinct ids of a body; throws for anything else, and for more than `most`. */
function idsOf(ids: unknown, most = MAX_AT_ONCE): number[] {
  const isId = (id: unknown) => Number.isInteger(id) && Number(id) > 0 && Number(id) <= MAX_ID
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > most || !ids.every(isId))
    throw fieldProblem({ issues: [`Issues must be 1 to ${most} of their numbers`] })
  return [...new Set(ids)]
}

/**
 * A bare list of `{id, label}` to check before an issue is closed: its missing answers and outcomes, open steps and
 * holds.
 */
export const missing: Handler = async (call) => {
  const issue = await fetch(call, call.contract.entities.issue, call.params.id)
  return [...(await missingBeforeClose(call, issue)), ...(await holdsOfClosing(call, issue.id))]
}

/** Deletes an issue without dependent records, unless it is the only one of its case. */
export const remove: Handler = async (call) => {
  const { issue } = call.contract.entities
  await lockRow(call, issue)
  await refuseLast(call, await fetch(call, issue, call.params.id))
  return removeRecord(call, issue)
}

/** Deletes an old closed issue permanently, unless it is the only one of its case; the audit event remains. */
export const purge: Handler = async (call) => {
  await lockRow(call, call.contract.entities.issue)
  const issue = await fetch(call, call.contract.entities.issue, call.params.id)
  if (issue.is_opened) throw problem('notOld')
  await refuseRecent(call, 'issue')
  await refuseLast(call, issue)
  await purgeIssues(call, [issue.id])
  await auditPurge(call, 'issue')
  return { id: issue.id }
}

/** Refuses to delete the last issue of a case: only its creator and administrators see a case without issues. */
async function refuseLast({ db }: Call, issue: Issue): Promise<void> {
  // Two people may delete the last two issues at the same time.
  await sql`select 1 from cases where id = ${issue.case} for update`.execute(db)
  const { rows } =
    await sql`select 1 from issues where "case" = ${issue.case} and id <> ${issue.id} limit 1`.execute(db)
  if (!rows[0]) throw problem('lastIssue')
}
