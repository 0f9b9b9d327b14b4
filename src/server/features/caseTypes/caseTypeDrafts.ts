import { sql } from 'kysely'
import type { Group } from '../../../contract/generated.ts'
import type { Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { CHANNEL } from '../../core/versionEvents.ts'
import { missingPictures } from '../../records/files/notePictures.ts'
import {
  validateAutomationsDraft,
  validateDeadlinesDraft,
  validateDraftShape,
  validateTestsShape,
} from '../../records/validate/metaShape.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { caseTypeDraftOf, draftConflict, emptyDraft, lastAuthor, publishedConflict } from './caseTypeDraft.ts'
import { followComments } from './followComments.ts'

/** The draft of a case type, with the author and time of its last change; `rev` is 0 if there is none. */
export const read: Handler = async (call) => {
  await fetch(call, call.contract.entities.caseType, call.params.id)
  return caseTypeDraftOf(call)
}

/**
 * Saves the draft, which all administrators share and which may be incomplete. If `rev` is not the last one, throws a
 * conflict with the saved draft; if `base_version` is not, a conflict with the published version.
 */
export const save: Handler = async (call) => {
  const { db, me, params, contract } = call
  // Waits for a concurrent publication.
  await sql`select 1 from case_types where id = ${params.id} for share`.execute(db)
  const type = await fetch(call, contract.entities.caseType, params.id)
  const { case_meta, issue_meta, tests, automations, deadlines, ...rest } = call.body
  const { rev, base_version, label } = await validateBody(call, contract.bodies.caseTypeDraft, rest)
  const errors = {
    ...validateDraftShape(contract, { case_meta, issue_meta }),
    ...(tests !== undefined && validateTestsShape(contract, tests)),
    ...(automations !== undefined && validateAutomationsDraft(contract, automations)),
    ...(deadlines !== undefined && validateDeadlinesDraft(contract, deadlines)),
  }
  if (Object.keys(errors).length > 0)
    throw problem('badRequest', { ...errors, message: 'The draft holds something that cannot be stored' })
  if (base_version !== type.version)
    throw publishedConflict(type, await caseTypeDraftOf(call), await lastAuthor(call))
  await followComments(call, { case_meta: case_meta as Group[], issue_meta: issue_meta as Group[] })
  const [cases, issues] = [JSON.stringify(case_meta), JSON.stringify(issue_meta)]
  // A body without tests, automations or deadlines leaves those of an existing draft unchanged.
  const [testsOrNone, automationsOrNone, deadlinesOrNone] = [tests, automations, deadlines].map((part) =>
    part === undefined ? null : JSON.stringify(part),
  )
  const { rows } =
    rev === 0
      ? await sql<{
          rev: number
        }>`insert into case_type_drafts (case_type, base_version, label, case_meta, issue_meta, tests, automations, deadlines,
            author)
          values (${params.id}, ${base_version}, ${label ?? ''}, ${cases}, ${issues}, ${testsOrNone}, ${automationsOrNone},
            ${deadlinesOrNone}, ${me.id})
          on conflict (case_type) do update set rev = case_type_drafts.rev + 1, base_version = excluded.base_version,
            label = excluded.label, case_meta = excluded.case_meta, issue_meta = excluded.issue_meta,
            tests = excluded.tests, automations = excluded.automations, deadlines = excluded.deadlines,
            author = excluded.author, updated_at = now()
          where case_type_drafts.case_meta is null returning rev`.execute(db)
      : await sql<{
          rev: number
        }>`update case_type_drafts set rev = rev + 1, base_version = ${base_version}, label = ${label ?? ''},
          case_meta = ${cases}, issue_meta = ${issues},
          tests = coalesce(${testsOrNone}::jsonb, tests),
          automations = coalesce(${automationsOrNone}::jsonb, automations),
          deadlines = coalesce(${deadlinesOrNone}::jsonb, deadlines), author = ${me.id}, updated_at = now()
          where case_type = ${params.id} and rev = ${rev} and case_meta is not null returning rev`.execute(db)
  if (!rows[0]) throw draftConflict(await caseTypeDraftOf(call))
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db)
  return rows[0]
}

export const remove: Handler = async (call) => {
  if ((await caseTypeDraftOf(call)).rev !== 0) {
    await followComments(call, await fetch(call, call.contract.entities.caseType, call.params.id))
    await emptyDraft(call)
  }
  call.reply.code(204)
}

/**
 * Validates the shape of a draft: `errors` by dotted path, empty if it is valid. `missing` are the notes whose pictures
 * this installation does not have; they only prevent publication.
 */
export const checkShape: Handler = async (call) => {
  const { body, contract } = call
  const { case_meta, issue_meta, tests, automations, deadlines, label } = body
  const isName = typeof label === 'string' && label.length <= 200
  const errors = {
    ...(!isName && { label: ['must be a text of at most 200 characters'] }),
    ...validateDraftShape(contract, { case_meta, issue_meta }),
    ...(tests !== undefined && validateTestsShape(contract, tests)),
    ...(automations !== undefined && validateAutomationsDraft(contract, automations)),
    ...(deadlines !== undefined && validateDeadlinesDraft(contract, deadlines)),
  }
  if (Object.keys(errors).length > 0) return { errors, missing: {} }
  const forms = { case_meta: case_meta as Group[], issue_meta: issue_meta as Group[] }
  return { errors, missing: await missingPictures(call, forms) }
}
