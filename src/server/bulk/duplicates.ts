import { sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { visibleTo } from '../scope.ts'
import { paginationOf, requestedPage } from '../verbs/list.ts'
import type { Upload } from './upload.ts'

/** A page of rows whose person may be an existing client; of clients out of scope, only their existence is revealed. */
export async function duplicatesOf(call: Call, { id }: Upload) {
  const { db, me } = call
  const { p, size } = requestedPage(call)
  const visible = visibleTo('client', me, 'c')
  const { rows } = await sql<Row & { count: number }>`
    with pairs as (
      select distinct r.id, r.row, r.person, r.matched_by, r.decision, r.chosen,
        case when ${visible} then c.id end as client,
        case when ${visible} then c.first_name || ' ' || c.last_name else 'Known elsewhere' end as client_name,
        case when ${visible} then c.dob end as dob,
        case when ${visible} then c.dod end as dod
      from bulk_rows r cross join unnest(r.matches) as m(client) join clients c on c.id = m.client
      where r.upload = ${id} and (r.state = 'duplicate' or (r.decision is not null and r.state in ('ready', 'skipped')))
    )
    select id, row, person, client_name, client, dob, dod, matched_by,
      case when decision <> 'use' or chosen = client then decision end as decision, count(*) over ()::int as count
    from pairs order by row, client limit ${size} offset ${(p - 1) * size}`.execute(db)
  return {
    data: rows.map(({ count: _, ...row }) => row),
    pagination: paginationOf(call, rows[0]?.count ?? 0, p, size),
  }
}
