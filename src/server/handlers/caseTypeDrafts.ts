import { sql } from 'kysely'
import type { Handler } from '../call.ts'
import { draftConflict, draftOf } from '../draftOfCaseType.ts'
import { judgeBody } from '../judgeBody.ts'
import { judgeMetaShape } from '../metaShape.ts'
import { refuse } from '../problems.ts'
import { fetch } from '../verbs/read.ts'

/** The unpublished changes of a case type, with who made the last one and when; `rev` 0 where there are none. */
export const read: Handler = async (call) => {
  await fetch(call, call.contract.entities.caseType, call.params.id)
  return (await draftOf(call)) ?? { rev: 0 }
}

/** Keeps changes for all administrators; a `rev` that is not the last is a conflict that shows what is kept. */
export const keep: Handler = async (call) => {
  const { db, me, params, contract } = call
  await fetch(call, contract.entities.caseType, params.id)
  const { case_meta, issue_meta, ...rest } = call.body
  const { rev, base_version, label } = await judgeBody(call, contract.bodies.caseTypeDraft, rest)
  refuse(judgeMetaShape({ case_meta, issue_meta }))
  const [cases, issues] = [JSON.stringify(case_meta), JSON.stringify(issue_meta)]
  const { rows } =
    rev === 0
      ? await sql<{
          rev: number
        }>`insert into case_type_drafts (case_type, base_version, label, case_meta, issue_meta, author)
          values (${params.id}, ${base_version}, ${label ?? ''}, ${cases}, ${issues}, ${me.id})
          on conflict do nothing returning rev`.execute(db)
      : await sql<{
          rev: number
        }>`update case_type_drafts set rev = rev + 1, base_version = ${base_version}, label = ${label ?? ''},
          case_meta = ${cases}, issue_meta = ${issues}, author = ${me.id}, updated_at = now()
          where case_type = ${params.id} and rev = ${rev} returning rev`.execute(db)
  if (rows[0]) return rows[0]
  throw draftConflict((await draftOf(call)) ?? { rev: 0 })
}

/** Gives the unpublished changes up. */
export const drop: Handler = async ({ db, params, reply }) => {
  await sql`delete from case_type_drafts where case_type = ${params.id}`.execute(db)
  reply.code(204)
}

/** What keeps forms from being a draft, by dotted path: `{errors}`, empty where they have its shape. */
export const checkShape: Handler = async ({ body }) => {
  const { case_meta, issue_meta, label } = body
  const errors = typeof label === 'string' ? {} : { label: ['must be a text'] }
  return { errors: { ...errors, ...judgeMetaShape({ case_meta, issue_meta }) } }
}
