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

export interface PageQuery {
  /** `found`: the keys of all visible rows that meet the conditions, at most COUNT_LIMIT + 1 unless they are summed. */
  with: Sql
  /** Number of rows in `found`. */
  count: Sql
  /** Array of the keys on the page; null if `found` does not have all of them, then `beyond` has. */
  keys: Sql
  beyond: Sql
  /** The comment NO_PREPARE or nothing. */
  hint: Sql
}

/** The parts of the query for the keys of a page. */
export function pageQuery(
  call: Call,
  entity: Entity,
  { conditions, order, offset, size, totals }: PageRequest,
): PageQuery {
  const { me, exporting, endpoint } = call
  const where = [scoped(entity, me), ...conditions]
  const ordered = sql`order by ${orderBy(entity, order)} limit ${size} offset ${offset}`
  const count = sql`(select count(*) from found)`
  const beyond = sql`array(${idsWhere(entity, where)} ${ordered})`
  const ofFound = sql`array(select r.id from found r ${ordered})`
  const isPlannedOnce = endpoint.by !== undefined || seesEveryRow(entity, me) || seesOwnRows(entity)
  // Otherwise the plan for one person could be far too slow for another, who may see many more rows.
  const hint = isPlannedOnce ? sql`` : sql.raw(NO_PREPARE)
  if (conditions.length === 0 && totals.length === 0 && !exporting) {
    // Without further conditions the access rows have the keys, and for a page in another order an index may have it.
    const ids = accessIds(entity, me)
    if (ids && order[0].name === 'id') {
      const first = sql`${ids} order by id ${sql.raw(order[0].isDescending ? 'desc' : 'asc')}
        limit ${Math.max(COUNTED, offset + size)}`
      return { with: found(first), count, keys: ofFound, beyond, hint }
    }
    if (ids) return { with: found(sql`${ids} limit ${COUNTED}`), count, keys: beyond, beyond, hint }
    if (seesEveryRow(entity, me))
      return {
        with: found(sql`${idsWhere(entity, where)} limit ${COUNTED}`),
        count,
        keys: beyond,
        beyond,
        hint,
      }
  }
  const columns = new Set([...order.map(({ name }) => name), ...totals])
  columns.delete('id')
  const matches = idsWhere(entity, where, [...columns])
  if (totals.length > 0) return { with: found(matches), count, keys: ofFound, beyond, hint }
  return {
    with: found(sql`${matches} limit ${COUNTED}`),
    count,
    keys: sql`case when ${count} <= ${COUNT_LIMIT} then ${ofFound} end`,
    beyond,
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

/** The condition that the key of r is one of some. */
export function keyIn(entity: Entity, keys: unknown[]): Sql {
  return sql`${sql.ref(`r.${keyOf(entity)}`)} = any(${keys})`
}
