import { sql } from 'kysely'
import type { Values } from '../../contract/when.ts'
import { type Changes, note } from '../audit.ts'
import type { Call, Handler } from '../call.ts'
import { assignments } from '../columns.ts'
import type { Row } from '../db.ts'
import { judgeBody } from '../judgeBody.ts'
import { fieldProblem } from '../problems.ts'
import { today } from '../today.ts'
import { fetch, fetchAny } from '../verbs/read.ts'

/** Closes an issue with its reasons, today unless a day is given; not before it began, not twice. */
export const close: Handler = async (call) => {
  const issue = await fetch(call, call.contract.entities.issue, call.params.id)
  const { reasons, close_date = today(call.settings.TIME_ZONE) } = await judgeBody(
    call,
    call.contract.bodies.closeIssue,
    call.body,
    '',
    { record: issue },
  )
  if (!issue.is_opened) throw fieldProblem({ reasons: ['This issue is closed already'] })
  if (String(close_date) < String(issue.start_date))
    throw fieldProblem({ close_date: ['Closed on must not be before start date'] })
  return change(call, issue, 'close', { is_opened: false, close_date, close_reasons: reasons })
}

/** Gives an issue to an advocate, of those that the list of the body offers: at work, in a role with cases. */
export const assign: Handler = async (call) => {
  const issue = await fetch(call, call.contract.entities.issue, call.params.id)
  const { advocate } = await judgeBody(call, call.contract.bodies.assign, call.body)
  return change(call, issue, 'assign', { advocate })
}

/** Answers the issue also where the change took it out of the caller's scope. */
async function change(call: Call, issue: Row, action: string, columns: Values) {
  const { rows } = await sql<{
    version: number
  }>`update issues set ${assignments(columns)}, version = version + 1, updated_at = now()
    where id = ${issue.id} returning version`.execute(call.db)
  const changes: Changes = Object.fromEntries(
    Object.entries(columns).map(([name, to]) => [name, { from: issue[name] ?? null, to }]),
  )
  await note(call, { action, entity: 'issue', record: Number(issue.id), version: rows[0].version, changes })
  return fetchAny(call, call.contract.entities.issue, issue.id)
}
