import { sql } from 'kysely'
import { sharesNhsNumber, visibleTo } from '../../access/scope.ts'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'

/**
 * The newest issues that a person sees with invalid fields, or with an NHS number of two clients, as SQL with the columns
 * id and case. Those of either kind are found off an index of their own.
 */
export function newestInvalid(me: Caller, limit: number): Sql {
  const newest = (condition: Sql) => sql`(select r.id, r."case" from issues r
    where ${visibleTo('issue', me, 'r')} and ${condition} order by r.id desc limit ${limit})`
  return sql`select r.id, r."case" from (
      ${newest(sql`r.is_invalid`)} union all ${newest(sql`not r.is_invalid and ${sharesNhsNumber(me, 'r')}`)}
    ) r order by r.id desc limit ${limit}`
}
