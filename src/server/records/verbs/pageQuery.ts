import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import { scoped, seesEveryRow, seesOwnRows } from '../../access/scope.ts'
import { accessIds } from '../../access/visibleParents.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { NO_PREPARE } from '../../core/namedStatements.ts'
import { keyOf, readFrom } from '../query/columns.ts'
import { type Order, orderBy } from '../query/order.ts'

/** Maximum number of rows that lists count. */
export const COUNT_LIMIT = 10_000
/** Rows that are read to count them: one more shows that there are more. */
const COUNTED = COUNT_LIMIT + 1

interface PageRequest {
  /** Conditions on the alias r, besides the scope. */
  conditions: Sql[]
  order: Order[]
  offset: number
  size: number
  /** Columns to sum over all rows. */
  totals: string[]
}

/**
 * The query of a page: `with` has the keys of all visible rows that meet the conditions as `found`, at most COUNT_LIMIT + 1
 * unless they are summed; `count` is their number and `page` the array of those on the page. `hint` is the comment
 * NO_PREPARE or nothing.
 */
export function pageQuery(
  call: Call,
  entity: Entity,
  { conditions, order, offset, size, totals }: PageRequest,
): { with: Sql; count: Sql; page: Sql; hint: Sql } {
  const { me, exporting, endpoint } = call
  const where = [scoped(entity, me), ...conditions]
  const ordered = sql`order by ${orderBy(entity, order)} limit ${size} offset ${offset}`
  const count = sql`(select count(*) from found)`
  const page = sql`array(${idsWhere(entity, where)} ${ordered})`
  const pageOf = (rows: Sql) => sql`array(select r.id from ${rows} r ${ordered})`
  const isPlannedOnce = endpoint.by !== undefined || seesEveryRow(entity, me) || seesOwnRows(entity)
  // Otherwise the plan for one person could be far too slow for another, who may see many more rows.
  const hint = isPlannedOnce ? sql`` : sql.raw(NO_PREPARE)
  if (conditions.length === 0 && totals.length === 0 && !exporting) {
    // Without further conditions the access rows have the keys, and for a page in another order an index may have it.
    const keys = accessIds(entity, me)
    if (keys && order[0].name === 'id') {
      const first = sql`${keys} order by id ${sql.raw(order[0].isDescending ? 'desc' : 'asc')}
        limit ${Math.max(COUNTED, offset + size)}`
      return { with: found(first), count, page: pageOf(sql`found`), hint }
    }
    if (keys) return { with: found(sql`${keys} limit ${COUNTED}`), count, page, hint }
    if (seesEveryRow(entity, me))
      return { with: found(sql`${idsWhere(entity, where)} limit ${COUNTED}`), count, page, hint }
  }
  const columns = new Set([...order.map(({ name }) => name), ...totals])
  columns.delete('id')
  const matches = idsWhere(entity, where, [...columns])
  const pageOfFound = pageOf(sql`found`)
  if (totals.length > 0) return { with: found(matches), count, page: pageOfFound, hint }
  // An export of more than COUNT_LIMIT rows is refused, so none of them is read.
  const pageOfMore = exporting ? sql`'{}'` : page
  return {
    with: found(sql`${matches} limit ${COUNTED}`),
    count,
    page: sql`case when ${count} <= ${COUNT_LIMIT} then ${pageOfFound} else ${pageOfMore} end`,
    hint,
  }
}

function found(query: Sql): Sql {
  return sql`with found as materialized (${query})`
}

/** A query for the keys of the rows that meet all conditions on the alias r, with further columns. */
function idsWhere(entity: Entity, conditions: Sql[], columns: string[] = []): Sql {
  const further = columns.map((name) => sql`, ${sql.ref(`r.${name}`)}`)
  return sql`select ${sql.ref(`r.${keyOf(entity)}`)} as id ${sql.join(further, sql``)}
    from ${readFrom(entity)} r where ${sql.join(conditions, sql` and `)}`
}

/** The condition that the key of r is in an array. */
export function keyIn(entity: Entity, ids: Sql): Sql {
  return sql`${sql.ref(`r.${keyOf(entity)}`)} = any(${ids})`
}
