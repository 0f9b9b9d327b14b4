import { sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { visibleTo } from '../scope.ts'
import type { Upload } from './upload.ts'

const DEFAULT_SIZE = 10
const LARGEST = 500

/** A page of rows of people who may be clients already; of clients outside the caller's scope nothing is told but that there is one. */
export async function duplicatesOf({ db, me, query }: Call, { id }: Upload) {
  const p = Math.max(1, Number(query.p ?? query.page ?? 1))
  const size = Math.min(LARGEST, Math.max(1, Number(query.page_size ?? DEFAULT_SIZE)))
  const visible = visibleTo('client', me, 'c')
  const { rows } = await sql<Row & { count: number }>`
    with pairs as (
      select distinct r.id, r.row, r.person, r.matched_by, r.decision, r.chosen,
        case when ${visible} then c.id end as client,
        case when ${visible} then c.first_name || ' ' || c.last_name else 'Known elsewhere' end as client_name,
        case when ${visible} then c.dob end as dob
      from bulk_rows r cross join unnest(r.matches) as m(client) join clients c on c.id = m.client
      where r.upload = ${id} and (r.state = 'duplicate' or (r.decision is not null and r.state in ('ready', 'skipped')))
    )
    select id, row, person, client_name, client, dob, matched_by,
      case when decision <> 'use' or chosen = client then decision end as decision, count(*) over ()::int as count
    from pairs order by row, client limit ${size} offset ${(p - 1) * size}`.execute(db)
  const count = rows[0]?.count ?? 0
  return {
    data: rows.map(({ count: _, ...row }) => row),
    pagination: { p, page_size: size, count, more: false, num_pages: Math.max(1, Math.ceil(count / size)) },
  }
}
