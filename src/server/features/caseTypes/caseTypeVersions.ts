import { sql } from 'kysely'
import { MAX_INTEGER } from '../../../contract/limits.ts'
import type { CaseTypeVersion } from '../../../contract/types/entities.ts'
import type { Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'

/** The published versions of a case type, newest first, without their forms. */
export const list: Handler = async ({ db, params }) => {
  const { rows } = await sql<
    Omit<CaseTypeVersion, 'case_meta' | 'issue_meta' | 'tests' | 'automations' | 'deadlines'>
  >`select v.version, v.label, v.note, v.published_anyway, v.at,
      coalesce(trim(s.first_name || ' ' || s.last_name), '') as by
    from case_type_versions v left join staff s on s.id = v.author
    where v.case_type = ${params.id} order by v.version desc`.execute(db)
  return rows
}

/** One published version with its forms. */
export const read: Handler = async ({ db, params }) => {
  const version = Number(params.version)
  if (!Number.isInteger(version) || version < 1 || version > MAX_INTEGER) throw problem('notFound')
  const { rows } = await sql<
    Omit<CaseTypeVersion, 'by'>
  >`select version, label, note, published_anyway, at, case_meta, issue_meta, tests, automations, deadlines
    from case_type_versions where case_type = ${params.id} and version = ${version}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}
