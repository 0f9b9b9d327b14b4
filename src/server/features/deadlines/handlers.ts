import { sql } from 'kysely'
import type { DeadlineRecord } from '../../../contract/types/entities.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { notifyOfChanges } from '../../records/workNotices/notifyOfChanges.ts'

/** Excuses a deadline that was not met: it is no longer due, and counts as neither met nor missed. */
export const excuse: Handler = async (call) => {
  const { db, me, params, contract, settings } = call
  const { reason } = await validateBody(call, contract.bodies.withReason, call.body)
  const before = await lockedDeadline(call)
  if (before.met_on !== null || before.excused_on !== null) throw problem('notFound')
  const day = today(settings.TIME_ZONE)
  await sql`update deadlines set excused_on = ${day}, excused_by = ${me.id}, excused_reason = ${reason},
    excuse_asked_by = null, excuse_asked_on = null, excuse_asked_note = null where id = ${params.id}`.execute(
    db,
  )
  await auditAndEvaluate(call, before, { from: null, to: reason })
  return notifyOfAnswer(call, before)
}

/** Undoes an excuse; refused if a later one of the same deadline was met or excused since, which counts from it. */
export const unexcuse: Handler = async (call) => {
  const { db, params, contract } = call
  const before = await lockedDeadline(call)
  if (before.excused_on === null) throw problem('notFound')
  const later = sql`deadlines own where own.id = ${params.id} and d.name = own.name and d."case" = own."case"
    and d.issue is not distinct from own.issue and d.seq > own.seq`
  const { rows } = await sql`select from deadlines d, ${later} and not d.is_open limit 1`.execute(db)
  if (rows[0]) throw problem('conflict', { message: LATER })
  await sql`delete from deadlines d using ${later} and d.is_open`.execute(db)
  await sql`update deadlines set excused_on = null, excused_by = null, excused_reason = null
    where id = ${params.id}`.execute(db)
  await auditAndEvaluate(call, before, { from: before.excused_reason, to: null })
  return fetch(call, contract.entities.deadline, params.id)
}

const LATER = 'This excuse stays: a later one of the same deadline was met or excused since'

/** The deadline of the path, which no save can meet meanwhile: each locks the client first. */
async function lockedDeadline(call: Call): Promise<DeadlineRecord> {
  const { db, params, contract } = call
  await sql`select from clients where id = (select client from deadlines where id = ${params.id})
    for no key update`.execute(db)
  return fetch(call, contract.entities.deadline, params.id)
}

/** Asks the manager to excuse an open deadline, with a reason; asking again replaces the reason. */
export const askExcuse: Handler = async (call) => {
  const { reason } = await validateBody(call, call.contract.bodies.withReason, call.body)
  const on = today(call.settings.TIME_ZONE)
  const before = await setAsked(call, 'ask to excuse', { by: call.me.id, on, reason })
  const after = await fetch(call, call.contract.entities.deadline, call.params.id)
  await notifyOfChanges({ ...call, by: call.me.id }, 'deadline', [
    { before: { ...before }, after: { ...after } },
  ])
  return after
}

/** Answers that a deadline is not excused: it stays as it is. */
export const declineExcuse: Handler = async (call) =>
  notifyOfAnswer(call, await setAsked(call, 'decline to excuse', null))

/** Notifies the person who asked to excuse a deadline, whom its row no longer names, and returns the row. */
async function notifyOfAnswer(call: Call, before: DeadlineRecord): Promise<DeadlineRecord> {
  const after = await fetch(call, call.contract.entities.deadline, call.params.id)
  const answered = { ...after, excuse_asked_by: before.excuse_asked_by }
  await notifyOfChanges({ ...call, by: call.me.id }, 'deadline', [{ before: { ...before }, after: answered }])
  return after
}

/** Stores who asks to excuse a deadline, or that nobody does any more, and returns the row as it was. */
async function setAsked(
  call: Call,
  action: string,
  asked: { by: number; on: string; reason: string } | null,
): Promise<DeadlineRecord> {
  const { db, params } = call
  const before = await lockedDeadline(call)
  if (!before.is_open || (asked === null && !before.is_excuse_asked)) throw problem('notFound')
  await sql`update deadlines set excuse_asked_by = ${asked?.by ?? null}, excuse_asked_on = ${asked?.on ?? null},
    excuse_asked_note = ${asked?.reason ?? null} where id = ${params.id}`.execute(db)
  await audit(call, action, before, { from: before.excuse_asked_note, to: asked?.reason ?? null })
  return before
}

/** How many deadlines of a record were met in time, in words; null before the first one. */
export const metOfCase: Handler = (call) => metOf(call, sql`d."case" = ${call.params.id}`)

export const metOfIssue: Handler = (call) => metOf(call, sql`d.issue = ${call.params.id}`)

async function metOf({ db, me }: Call, isOfRecord: Sql) {
  const { rows } = await sql<{ words: string | null; last: string | null; is_all: boolean }>`select
      case when count(*) > 0 then concat(count(*) filter (where d.is_in_time), ' of ', count(*)) end as words,
      'Last: ' || (array_agg(d.label || ', ' || to_char(d.met_on, 'FMDD FMMonth YYYY') order by d.met_on desc nulls last, d.id desc)
        filter (where d.met_on is not null))[1] as last,
      coalesce(bool_and(d.is_in_time is true), false) as is_all
    from deadline_record d where ${isOfRecord} and d.deadline_state in ('met', 'missed') and ${visibleTo('deadline', me, 'd')}`.execute(
    db,
  )
  return rows[0]
}

interface Excused {
  case: number
  issue: number | null
  label: string
}

/** Writes the audit event of the record, and notes its case for the evaluation at the end of the call. */
async function auditAndEvaluate(
  call: Call,
  before: Excused,
  excused: { from: unknown; to: unknown },
): Promise<void> {
  await audit(call, excused.to === null ? 'unexcuse' : 'excuse', before, excused)
  await sql`insert into automation_changes ("case") values (${before.case})`.execute(call.db)
}

function audit(
  call: Call,
  action: string,
  { case: caseId, issue, label }: Excused,
  change: { from: unknown; to: unknown },
): Promise<void> {
  return writeAuditEvent(call, {
    action,
    entity: issue === null ? 'case' : 'issue',
    record: issue ?? caseId,
    changes: { [label]: change },
  })
}
