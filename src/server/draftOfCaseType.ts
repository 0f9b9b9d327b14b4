import { sql } from 'kysely'
import type { Call } from './call.ts'
import type { Row } from './db.ts'
import { type Problem, problem } from './problems.ts'

/** The unpublished changes of the path's case type, with who made the last of them; undefined where there are none. */
export async function draftOf({ db, params }: Call): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select d.rev, d.base_version, d.label, d.case_meta, d.issue_meta,
      trim(s.first_name || ' ' || s.last_name) as by, d.updated_at as at
    from case_type_drafts d left join staff s on s.id = d.author where d.case_type = ${params.id}`.execute(db)
  return rows[0]
}

/** That others changed the draft meanwhile; shows it as it is. */
export function draftConflict(current: Row): Problem {
  return problem('conflict', { about: 'draft', current, by: current.by, at: current.at })
}
