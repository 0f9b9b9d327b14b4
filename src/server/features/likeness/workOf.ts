import { sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import { seesOwnOnly } from '../../access/callerRights.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Work } from './findAlike.ts'

/** The open cases of some clients, the newest first, and the day of their last contact, as far as the caller sees them. */
export async function workOf({ db, me }: Call, ids: number[]): Promise<Map<number, Work>> {
  const contact = seesOwnOnly(me)
    ? sql`null`
    : sql`(select max(i.last_contact) from issues i where i.client = c.id and ${visibleTo('issue', me, 'i')})`
  const { rows } = await sql<Work & { id: number }>`select c.id, ${contact} as last_contact,
      (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'case_type_label', t.label) order by k.id desc), '[]')
        from cases k join case_types t on t.id = k.case_type
        where k.client = c.id and k.status = ${sql.lit(STATUS.active)} and (k.open_issues > 0 or k.issue_count = 0)
          and ${visibleTo('case', me, 'k')}) as open_cases
    from unnest(${ids}::int[]) c(id)`.execute(db)
  return new Map(rows.map(({ id, ...work }) => [id, work]))
}
