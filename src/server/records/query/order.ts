import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { fieldProblem } from '../../core/problems.ts'
import { keyOf } from './columns.ts'
import { isOfOthersWork } from './computed.ts'

/** A field to sort by, and its direction. */
export interface Order {
  name: string
  isDescending: boolean
}

/**
 * The order of `order_by`, which '-field' or sort_order=desc reverses and whose suffix _str is ignored; then by key,
 * newest first.
 */
export function requestedOrder({ query, endpoint, me }: Call, entity: Entity): Order[] {
  const isRequested = query.order_by !== undefined
  const fields = isRequested ? [String(query.order_by)] : (endpoint.order ?? [entity.order ?? '-id'])
  const isReversed = isRequested && query.sort_order === 'desc'
  const orders = fields.map((field) => {
    const requested = field.replace(/_str$/, '')
    const name = requested.replace(/^-/, '')
    const isKnown = Object.hasOwn(entity.properties, name) && !entity.properties[name].computed
    if (!isKnown || (isRequested && isOfOthersWork(entity, name, me)))
      throw fieldProblem({ order_by: [`no field '${name}'`] })
    return {
      name: entity.properties[name].sortBy ?? name,
      isDescending: requested.startsWith('-') !== isReversed,
    }
  })
  // The key is unique, so columns after it are dropped.
  const at = orders.findIndex(({ name }) => name === keyOf(entity))
  return at < 0 ? [...orders, { name: keyOf(entity), isDescending: true }] : orders.slice(0, at + 1)
}

/** The columns of an `order by`, of the alias r. */
export function orderBy(entity: Entity, order: Order[]): Sql {
  const parts = order.map(({ name, isDescending }) => {
    // Omit NULLS LAST on the primary key: the index is only used without it.
    const nulls = name === keyOf(entity) ? '' : ' nulls last'
    return sql`${sql.ref(`r.${name}`)} ${sql.raw((isDescending ? 'desc' : 'asc') + nulls)}`
  })
  return sql.join(parts)
}
