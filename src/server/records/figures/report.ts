import { sql } from 'kysely'
import { daysBetween } from '../../../contract/days.ts'
import { PERIOD_START } from '../../../contract/limits.ts'
import { relativeDay } from '../../../contract/relativeDay.ts'
import type { Call } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { NO_PREPARE } from '../../core/namedStatements.ts'
import { refuse } from '../../core/problems.ts'
import { type Period, today } from '../../core/today.ts'
import { columnsOf } from '../query/columns.ts'
import { orderBy, requestedOrder } from '../query/order.ts'
import { conditionsOf } from '../query/query.ts'

/** Maximum days of a period: three years. */
const MAX_DAYS = 1096

/** The period of the request; by default the seven days before today, and today. */
export function periodOf({ query, settings }: Call): Period {
  const end = (query.end as string | undefined) ?? today(settings.TIME_ZONE)
  const start = (query.start as string | undefined) ?? relativeDay(PERIOD_START, end)!
  const days = daysBetween(start, end)
  if (days < 0) refuse({ end: ['must not be before the start'] })
  if (days > MAX_DAYS) refuse({ end: ['must be at most three years after the start'] })
  return { start, end }
}

/**
 * All rows of a report on one page: `{data, totals, period, pagination}`, `period` only if it has one. `rows` is a
 * query for all fields of the reply's entity; `totals` holds the sums of those that the entity marks, over the same
 * rows.
 */
export async function reportOf(call: Call, rows: Sql, period?: Period) {
  const entity = call.contract.entities[call.endpoint.reply!]
  const summed = Object.keys(entity.properties).filter((name) => entity.properties[name].total)
  const sums = summed.map((name) => sql`${sql.lit(name)}::text, coalesce(sum(${sql.ref(`r.${name}`)}), 0)`)
  const conditions = [sql`true`, ...conditionsOf(call)]
  const { rows: found } = await sql<Row>`with report as materialized (
      select r.* from (${rows}) r where ${sql.join(conditions, sql` and `)}
    )
    select ${sql.raw(NO_PREPARE)} ${columnsOf(entity, call.me)}, (select json_build_object(${sql.join(sums)}) from report r) as "#totals"
    from report r order by ${orderBy(entity, requestedOrder(call, entity))}`.execute(call.db)
  const count = found.length
  return {
    data: found.map(({ '#totals': _, ...row }) => row),
    totals: found[0]?.['#totals'] ?? Object.fromEntries(summed.map((name) => [name, 0])),
    ...(period && { period }),
    pagination: { p: 1, page_size: Math.max(1, count), count, more: false, num_pages: 1 },
  }
}
