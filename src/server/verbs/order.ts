import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import type { Call } from '../call.ts'
import { keyOf } from '../columns.ts'
import type { Sql } from '../db.ts'
import { fieldProblem } from '../problems.ts'

/** A field that rows are sorted by, and whether from the largest down. */
export interface Order {
  name: string
  down: boolean
}

/** order_by names a field ('-field', or sort_order=desc, turns it; a trailing _str is dropped); ties go by key, newest first. */
export function requestedOrder({ query, endpoint }: Call, entity: Entity): Order[] {
  const isRequested = query.order_by !== undefined
  const fields = isRequested ? [String(query.order_by)] : (endpoint.order ?? [entity.order ?? '-id'])
  const turned = isRequested && query.sort_order === 'desc'
  const orders = fields.map((field) => {
    const requested = field.replace(/_str$/, '')
    const name = requested.replace(/^-/, '')
    if (!Object.hasOwn(entity.properties, name) || entity.properties[name].computed)
      throw fieldProblem({ order_by: [`no field '${name}'`] })
    return { name, down: requested.startsWith('-') !== turned }
  })
  // No two rows have the same key: nothing is ordered after it.
  const at = orders.findIndex(({ name }) => name === keyOf(entity))
  return at < 0 ? [...orders, { name: keyOf(entity), down: true }] : orders.slice(0, at + 1)
}

/** The columns of an `order by`, of the alias r. */
export function orderBy(entity: Entity, order: Order[]): Sql {
  const parts = order.map(({ name, down }) => {
    // Omit NULLS LAST on the primary key: the index is only used without it.
    const nulls = name === keyOf(entity) ? '' : ' nulls last'
    return sql`${sql.ref(`r.${name}`)} ${sql.raw((down ? 'desc' : 'asc') + nulls)}`
  })
  return sql.join(parts)
}
