import { isSet } from '../../../contract/when.ts'
import type { Handler } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { changeIssue, lockedIssue } from './changeIssue.ts'
import { closeSteps } from './closeSteps.ts'
import { closingFields } from './closingFields.ts'
import { storeDeath } from './dateOfDeath.ts'
import { undoClosing } from './undoClosing.ts'

/**
 * Closes an open issue with its reasons; the date is today by default, and must not be before the start date. The open
 * steps are completed, dropped or moved first, as the body says; outcomes and a date of death are stored if the body
 * has them.
 */
export const close: Handler = async (call) => {
  const issue = await lockedIssue(call)
  const {
    reasons,
    close_date = today(call.settings.TIME_ZONE),
    steps = [],
    date_of_death,
    actual_outcomes,
    ndti_outcomes,
  } = await validateBody(call, call.contract.bodies.closeIssue, call.body, '', { record: issue })
  if (!issue.is_opened) throw fieldProblem({ reasons: ['This issue is closed already'] })
  if (close_date < issue.start_date)
    throw fieldProblem({ close_date: ['Closed on must not be before start date'] })
  await closeSteps(call, issue, steps)
  await storeDeath(call, issue, date_of_death)
  return changeIssue(call, issue, 'close', {
    is_opened: false,
    close_date,
    close_reasons: reasons,
    // In addition to what the issue has: the form asks only for what is missing.
    ...(isSet(actual_outcomes) && { actual_outcomes: [...issue.actual_outcomes, ...actual_outcomes!] }),
    ...(isSet(ndti_outcomes) && { ndti_outcomes: [...issue.ndti_outcomes, ...ndti_outcomes!] }),
  })
}

/** What closing the issue asks for. */
export const form: Handler = async (call) => {
  const issue = await fetch(call, call.contract.entities.issue, call.params.id)
  return {
    id: issue.id,
    name: `Issue ${issue.id} of ${issue.client_name}`,
    ...(await closingFields(call, issue)),
  }
}

/** Reopens a closed issue; its close date and reasons stay in the chronology. */
export const reopen: Handler = async (call) => {
  const issue = await lockedIssue(call)
  const { reason } = await validateBody(call, call.contract.bodies.withReason, call.body)
  if (issue.is_opened) throw fieldProblem({ reason: ['This issue is open already'] })
  const columns = { is_opened: true, close_date: null, close_reasons: [] }
  return changeIssue(call, issue, 'reopen', columns, { reason: { from: null, to: reason } })
}

/** Undoes the caller's own closing, while nothing has been changed since. */
export const undo: Handler = async (call) => undoClosing(call, await lockedIssue(call))
