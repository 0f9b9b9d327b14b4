import { sql } from 'kysely'
import type { BulkDuplicate } from '../../../contract/types/entities.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import { remainingId } from '../../records/merged/mergedRecords.ts'
import { paginationOf, requestedPage } from '../../records/verbs/list.ts'
import type { Upload } from './upload.ts'

/**
 * The clients who were found for a row r, each once. A client who was merged since is replaced by the one who remains,
 * until the merge is undone.
 */
export const matchesOfRow = sql`(select distinct on (n.client) n.client, found.place
  from unnest(r.matches) with ordinality as found(number, place)
    cross join lateral (select coalesce(${remainingId('client', sql`found.number`)}, found.number) as client) n
  order by n.client, found.place)`

/**
 * A page of rows whose person may be an existing client or is in an earlier row; of clients out of scope, only their
 * existence is revealed. A row whose client was purged since stays, to be decided.
 */
export async function duplicatesOf(call: Call, { id }: Upload) {
  const { db, me } = call
  const { p, size } = requestedPage(call)
  const isOpen = sql`(r.state = 'duplicate' or (r.decision is not null and r.state in ('ready', 'skipped')))`
  const visible = visibleTo('client', me, 'c')
  const { rows } = await sql<BulkDuplicate & { count: number }>`
    with pairs as (
      select distinct r.id, r.row, r.person,
        coalesce(nullif(split_part(r.matched_by, E'\n', m.place::int), ''), r.matched_by) as matched_by, r.decision, r.chosen,
        case when ${visible} then c.id end as client,
        case when c.id is null then 'Not there any more'
          when ${visible} then c.first_name || ' ' || c.last_name else 'Known elsewhere' end as client_name,
        case when ${visible} then c.dob end as dob, case when ${visible} then c.dod end as dod, null::int as same_row
      from bulk_rows r cross join lateral ${matchesOfRow} m left join clients c on c.id = m.client
      where r.upload = ${id} and ${isOpen}
      union all
      select r.id, r.row, r.person, 'NHS number, or name and date of birth', r.decision, r.chosen,
        null, 'Row ' || f.row || ': ' || f.person, null, null, f.row
      from bulk_rows r join bulk_rows f on f.id = r.same_as
      where r.upload = ${id} and ${isOpen}
    )
    select id, row, person, client_name, client, dob, dod, matched_by, same_row,
      case when decision = 'use' and chosen is distinct from client or decision = 'same' and same_row is null then null
        else decision end as decision, count(*) over ()::int as count
    from pairs order by row, client limit ${size} offset ${(p - 1) * size}`.execute(db)
  return {
    data: rows.map(({ count: _, ...row }) => row),
    pagination: paginationOf(call, rows[0]?.count ?? 0, p, size),
  }
}
