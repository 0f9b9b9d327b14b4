import { sql } from 'kysely'
import type { Group } from '../../contract/generated.ts'
import type { Handler } from '../call.ts'
import { draftConflict, draftOf, emptyDraft, lastAuthor, publishedConflict } from '../caseTypeDraft.ts'
import { missingPictures } from '../files/notePictures.ts'
import { problem } from '../problems.ts'
import { validateDraftShape, validateTestsShape } from '../validate/metaShape.ts'
import { validateBody } from '../validate/validateBody.ts'
import { fetch } from '../verbs/read.ts'
import { CHANNEL } from '../versionEvents.ts'

/** The unpublished changes of a case type, with who made the last one and when; `rev` 0 where there are none. */
export const read: Handler = async (call) => {
  await fetch(call, call.contract.entities.caseType, call.params.id)
  return draftOf(call)
}

/**
 * Keeps changes for all administrators, also unfinished ones; a `rev` that is not the last is a conflict that shows
 * what is kept, a `base_version` that is not shows what is published.
 */
export const save: Handler = async (call) => {
  const { db, me, params, contract } = call
  // Waits for a concurrent publication.
  await sql`select 1 from case_types where id = ${params.id} for share`.execute(db)
  const type = await fetch(call, contract.entities.caseType, params.id)
  const { case_meta, issue_meta, tests, ...rest } = call.body
  const { rev, base_version, label } = await validateBody(call, contract.bodies.caseTypeDraft, rest)
  const errors = {
    ...validateDraftShape(contract, { case_meta, issue_meta }),
    ...(tests !== undefined && validateTestsShape(contract, tests)),
  }
  if (Object.keys(errors).length > 0)
    throw problem('badRequest', { ...errors, message: 'The draft holds something that cannot be kept' })
  if (base_version !== type.version)
    throw publishedConflict(type, await draftOf(call), await lastAuthor(call))
  const [cases, issues] = [JSON.stringify(case_meta), JSON.stringify(issue_meta)]
  // Without tests it has those that it had.
  const testsOrNone = tests === undefined ? null : JSON.stringify(tests)
  const { rows } =
    rev === 0
      ? await sql<{
          rev: number
        }>`insert into case_type_drafts (case_type, base_version, label, case_meta, issue_meta, tests, author)
          values (${params.id}, ${base_version}, ${label ?? ''}, ${cases}, ${issues}, ${testsOrNone}, ${me.id})
          on conflict (case_type) do update set rev = case_type_drafts.rev + 1, base_version = excluded.base_version,
            label = excluded.label, case_meta = excluded.case_meta, issue_meta = excluded.issue_meta,
            tests = excluded.tests, author = excluded.author, updated_at = now()
          where case_type_drafts.case_meta is null returning rev`.execute(db)
      : await sql<{
          rev: number
        }>`update case_type_drafts set rev = rev + 1, base_version = ${base_version}, label = ${label ?? ''},
          case_meta = ${cases}, issue_meta = ${issues},
          tests = coalesce(${testsOrNone}::jsonb, tests), author = ${me.id}, updated_at = now()
          where case_type = ${params.id} and rev = ${rev} and case_meta is not null returning rev`.execute(db)
  if (!rows[0]) throw draftConflict(await draftOf(call))
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db)
  return rows[0]
}

/** Gives the unpublished changes up. */
export const remove: Handler = async (call) => {
  if ((await draftOf(call)).rev !== 0) await emptyDraft(call)
  call.reply.code(204)
}

/**
 * What keeps forms from being a draft, by dotted path: `errors`, empty where they have its shape. Pictures that are not
 * here are in `missing`; they keep it only from being published.
 */
export const checkShape: Handler = async (call) => {
  const { body, contract } = call
  const { case_meta, issue_meta, tests, label } = body
  const isName = typeof label === 'string' && label.length <= 200
  const errors = {
    ...(!isName && { label: ['must be a text of at most 200 characters'] }),
    ...validateDraftShape(contract, { case_meta, issue_meta }),
    ...(tests !== undefined && validateTestsShape(contract, tests)),
  }
  if (Object.keys(errors).length > 0) return { errors, missing: {} }
  const forms = { case_meta: case_meta as Group[], issue_meta: issue_meta as Group[] }
  return { errors, missing: await missingPictures(call, forms) }
}
