import { sql } from 'kysely'
import { textKey } from '../../../contract/compareKey.ts'
import { fieldOf } from '../../../contract/entity.ts'
import type { Entity } from '../../../contract/generated.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { fieldProblem } from '../../core/problems.ts'
import { containsKey } from '../../records/query/query.ts'
import { requestedPage } from '../../records/verbs/list.ts'
import { allItems, itemFrom, ownOf } from './items.ts'
import { modelOf } from './models.ts'

const COLUMNS: Record<string, string> = {
  id: 'value',
  version: 'version',
  label: 'label',
  order: 'position',
}

/** A page of a list's items, by default in their order, with its own columns as fields. */
export async function listItems(call: Call) {
  const { contract, params, query, exporting } = call
  const kind = String(params.type)
  const model = modelOf(contract, kind)
  const { p, size } = requestedPage(call)
  const where = sql.join(conditions(kind, query), sql` and `)
  const { rows } = await sql<Parameters<typeof itemFrom>[1]>`select * from lookup where ${where}
    order by ${orderOf(model, query)}, position, value limit ${size} offset ${(p - 1) * size}`.execute(
    call.db,
  )
  const { rows: counted } = await sql<{
    n: number
  }>`select count(*) as n from lookup where ${where}`.execute(call.db)
  const count = counted[0].n
  return {
    data: rows.map((row) => ({ ...itemFrom(model, row), app_label: 'core', object_name: kind })),
    pagination: { p, page_size: size, count, more: false, num_pages: Math.max(1, Math.ceil(count / size)) },
    fields: ownOf(model).map(([name, property]) => fieldOf(name, property, false)),
    ...(exporting && { entity: model }),
  }
}

/** The ids of a list in their order. */
export async function idsOf(call: Call, kind: string): Promise<number[]> {
  const items = await allItems(call, kind, modelOf(call.contract, kind))
  return items.map(({ id }) => Number(id))
}

function conditions(kind: string, { term, status }: Call['query']): Sql[] {
  const like = containsKey(sql`text_key(label)`, textKey(String(term)))
  const isId = /^\d{1,9}$/.test(String(term))
  return [
    sql`kind = ${kind}`,
    ...(term ? [isId ? sql`(value = ${Number(term)} or ${like})` : like] : []),
    ...(status ? [sql`active = ${Number(status) === STATUS.active}`] : []),
  ]
}

function orderOf(model: Entity, { order_by, sort_order }: Call['query']): Sql {
  const requested = String(order_by ?? 'order')
  const name = requested.replace(/^-/, '').replace(/_str$/, '')
  if (!Object.hasOwn(model.properties, name)) throw fieldProblem({ order_by: [`no field '${name}'`] })
  const down = requested.startsWith('-') !== (sort_order === 'desc')
  const column = name === 'status' ? sql`not active` : COLUMNS[name] ? sql.ref(COLUMNS[name]) : own(name)
  return sql`${column} ${sql.raw(down ? 'desc' : 'asc')} nulls last`
}

const own = (name: string) => sql`attrs -> ${name}`
