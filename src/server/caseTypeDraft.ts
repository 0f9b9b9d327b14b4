import { sql } from 'kysely'
import type { Call } from './call.ts'
import type { Row } from './db.ts'
import { type Problem, problem } from './problems.ts'
import { CHANNEL } from './versionEvents.ts'

/**
 * The unpublished changes of the path's case type, with who made the last of them and when; `rev` 0 where there are
 * none, then with who published or discarded them. `version` numbers what was done, also where nothing is left.
 */
export async function draftOf({ db, params }: Call): Promise<Row> {
  const { rows } =
    await sql<Row>`select d.rev, d.rev as version, d.base_version, d.label, d.case_meta, d.issue_meta,
      coalesce(d.tests, t.tests) as tests,
      trim(s.first_name || ' ' || s.last_name) as by, d.updated_at as at
    from case_type_drafts d join case_types t on t.id = d.case_type left join staff s on s.id = d.author where d.case_type = ${params.id}`.execute(
      db,
    )
  const [row] = rows
  if (row?.case_meta) return row
  return { rev: 0, version: row?.version ?? 0, ...(row && { by: row.by, at: row.at }) }
}

/** Leaves nothing of the draft but the number of its last change; open pages hear of that. */
export async function emptyDraft({ db, me, params }: Call): Promise<void> {
  await sql`insert into case_type_drafts (case_type, base_version, label, author)
    select id, version, label, ${me.id} from case_types where id = ${params.id}
    on conflict (case_type) do update set rev = case_type_drafts.rev + 1, case_meta = null, issue_meta = null,
      tests = null,      author = excluded.author, updated_at = now()`.execute(db)
  await sql`select pg_notify(${CHANNEL}, '')`.execute(db)
}

/** That others changed the draft meanwhile; shows it as it is. */
export function draftConflict(current: Row): Problem {
  return problem('conflict', { about: 'draft', current, by: current.by, at: current.at })
}

/** That others published meanwhile; shows what, and the draft that they went on with, so that one answer is enough. */
export function publishedConflict(current: Row, draft: Row, last: Row | undefined): Problem {
  return problem('conflict', { fields: {}, current, draft, ...last })
}

/** Who made the newest version, and when. */
export async function lastAuthor({ db, params }: Call): Promise<Row | undefined> {
  const { rows } = await sql<{
    by: string
    at: Date
  }>`select trim(s.first_name || ' ' || s.last_name) as by, v.at
    from case_type_versions v left join staff s on s.id = v.author where v.case_type = ${params.id} order by v.version desc limit 1`.execute(
    db,
  )
  return rows[0] && { by: rows[0].by, at: rows[0].at.toISOString() }
}
