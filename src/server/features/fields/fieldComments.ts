import { sql } from 'kysely'
import { plainLabel } from '../../../contract/filledTexts.ts'
import { normaliseLong } from '../../../contract/normalise.ts'
import { inFull } from '../../../contract/pluralise.ts'
import type { FieldComment, FieldCommentCounts } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { addRecords } from '../../records/verbs/addRecords.ts'
import { pageOf } from '../../records/verbs/list.ts'
import { fetch } from '../../records/verbs/read.ts'
import { notifyOfRecords } from '../../records/workNotices/notifyOfChanges.ts'
import { findField } from './findField.ts'

/** Maximum number of comments of a case type. */
const MAX_COMMENTS = 2000

/** The comments on a field, newest first. */
export const ofField: Handler = async (call) => {
  const { contract, params } = call
  await fetch(call, contract.entities.caseType, params.id)
  const isOfField = sql`r.case_type = ${params.id} and r.form = ${params.form} and r.field = ${params.field}`
  return pageOf(call, contract.entities.fieldComment, [isOfField])
}

/** Adds a comment to the thread of a field, and notifies the others who have written in it. */
export const create: Handler = async (call) => {
  const { contract, db, me } = call
  const { text } = await validateBody(call, contract.bodies.fieldCommentText, call.body)
  const { type, form, key, field } = await findField(call)
  // Comments that are added at the same time are counted one after the other.
  await sql`select from case_types where id = ${type.id} for no key update`.execute(db)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from field_comments
    where case_type = ${type.id}`.execute(db)
  if (rows[0].count >= MAX_COMMENTS)
    throw fieldProblem({
      text: [
        `Comment is one too many: a case type has at most ${inFull(MAX_COMMENTS)}. Remove some that are resolved`,
      ],
    })
  const label = plainLabel(field.label)
  const comment = {
    case_type: type.id,
    form,
    field: key,
    label,
    text: normaliseLong(text),
    created_by: me.id,
  }
  const [id] = await addRecords(call, 'fieldComment', [comment])
  await notifyOfRecords({ ...call, by: me.id }, 'fieldComment', [id])
  call.reply.code(201)
  return fetch(call, contract.entities.fieldComment, id)
}

/** Number of open comments of a case type, by field. */
export const counts: Handler = async (call): Promise<FieldCommentCounts> => {
  const { contract, db, params } = call
  await fetch(call, contract.entities.caseType, params.id)
  const { rows } = await sql<Pick<FieldComment, 'form' | 'field'> & { n: number }>`
    select form, field, count(*)::int as n from field_comments
    where case_type = ${params.id} and resolved_at is null group by form, field`.execute(db)
  const of = (form: FieldComment['form']) =>
    Object.fromEntries(rows.filter((row) => row.form === form).map(({ field, n }) => [field, n]))
  return { open: rows.reduce((sum, { n }) => sum + n, 0), case: of('case'), issue: of('issue') }
}

/** Resolves a comment and the open ones before it on the same field; a repeat changes nothing. */
export const resolve: Handler = async (call) => {
  const { db, me, params } = call
  const changed = await sql`update field_comments c
    set resolved_at = now(), resolved_by = ${me.id}, version = c.version + 1
    from field_comments o where o.id = ${params.id} and o.resolved_at is null
      and (c.case_type, c.form, c.field) = (o.case_type, o.form, o.field) and c.id <= o.id and c.resolved_at is null`.execute(
    db,
  )
  return changedComment(call, 'resolve', changed.numAffectedRows)
}

/** Opens a comment again, with those that were resolved together with it. */
export const reopen: Handler = async (call) => {
  const { db, params } = call
  const changed =
    await sql`update field_comments c set resolved_at = null, resolved_by = null, version = c.version + 1
    from field_comments o where o.id = ${params.id}
      and (c.case_type, c.form, c.field, c.resolved_at) = (o.case_type, o.form, o.field, o.resolved_at)`.execute(
      db,
    )
  return changedComment(call, 'reopen', changed.numAffectedRows)
}

async function changedComment(call: Call, action: string, changed = 0n) {
  const comment = await fetch(call, call.contract.entities.fieldComment, call.params.id)
  if (changed > 0n)
    await writeAuditEvent(call, {
      action,
      entity: 'fieldComment',
      record: comment.id,
      version: comment.version,
    })
  return comment
}
