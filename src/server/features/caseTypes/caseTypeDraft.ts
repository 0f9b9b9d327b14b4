import { sql } from 'kysely'
import type { CaseType, CaseTypeDraft } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import { type Problem, problem } from '../../core/problems.ts'
import { CHANNEL } from '../../core/versionEvents.ts'

/** A draft, or without one its numbers and the author and time of the last change, if there was one. */
type Draft = Pick<CaseTypeDraft, 'rev' | 'version'> & Partial<CaseTypeDraft>
interface Author {
  by: string
  at: string
}

/**
 * The draft (unpublished changes) of the path's case type, with the author and time of the last change. Without a draft
 * `rev` is 0, and author and time are those of its publication or discarding. `version` counts all changes, also
 * without a draft.
 */
export async function caseTypeDraftOf({ db, params }: Call): Promise<Draft> {
  const { rows } =
    await sql<CaseTypeDraft>`select d.rev, d.rev as version, d.base_version, d.label, d.case_meta, d.issue_meta,
      coalesce(d.tests, t.tests) as tests, coalesce(d.automations, t.automations) as automations,
      coalesce(d.deadlines, t.deadlines) as deadlines,
      trim(s.first_name || ' ' || s.last_name) as by, d.updated_at as at
    from case_type_drafts d join case_types t on t.id = d.case_type left join staff s on s.id = d.author where d.case_type = ${params.id}`.execute(
      db,
    )
  const [row] = rows
  if (row?.case_meta) return row
  return { rev: 0, version: row?.version ?? 0, ...(row && { by: row.by, at: row.at }) }
}

/** Empties the draft, keeps counting its changes, and notifies open pages. */
export async function emptyDraft({ db, me, params }: Call): Promise<void> {
  await sql`insert into case_type_drafts (case_type, base_version, label, author)
    select id, version, label, ${me.id} from case_types where id = ${params.id}
    on conflict (case_type) do update set rev = case_type_drafts.rev + 1, case_meta = null, issue_meta = null,
      tests = null, automations = null, deadlines = null, author = excluded.author, updated_at = now()`.execute(
    db,
  )
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db)
}

/** The 409 if the draft was changed by others, with its current state. */
export function draftConflict(current: Draft): Problem {
  return problem('conflict', { about: 'draft', current, by: current.by, at: current.at })
}

/** The 409 if others published meanwhile, with both the published version and the present draft. */
export function publishedConflict(current: CaseType, draft: Draft, last: Author | undefined): Problem {
  return problem('conflict', { fields: {}, current, draft, ...last })
}

/** Author and time of the newest version. */
export async function lastAuthor({ db, params }: Call): Promise<Author | undefined> {
  const { rows } = await sql<{
    by: string
    at: Date
  }>`select trim(s.first_name || ' ' || s.last_name) as by, v.at
    from case_type_versions v left join staff s on s.id = v.author where v.case_type = ${params.id} order by v.version desc limit 1`.execute(
    db,
  )
  return rows[0] && { by: rows[0].by, at: rows[0].at.toISOString() }
}
