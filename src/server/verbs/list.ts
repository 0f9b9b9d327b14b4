import { sql } from 'kysely'
import type { Entity } from '../../contract/types.ts'
import type { Call } from '../call.ts'
import { columnsOf, keyOf, readFrom } from '../columns.ts'
import type { Row, Sql } from '../db.ts'
import { fieldProblem, problem } from '../problems.ts'
import { conditionsOf } from '../query.ts'
import { scoped, seenIds } from '../scope.ts'
import { parentOf } from './parentOf.ts'

const COUNTED = 10_000
const LARGEST_PAGE = 500

/** A page of the rows this person may see: `{data, pagination}`; counts are exact up to 10,000. */
export async function list(call: Call, entity: Entity) {
  await parentOf(call, entity)
  return pageOf(call, entity, [...fixed(call), ...conditionsOf(call)])
}

/**
 * A page of the rows that this person may see, under conditions on the alias r. Ids are limited first and joined after;
 * page and count are one query, so that what may be seen is found once for both.
 */
export async function pageOf(call: Call, entity: Entity, conditions: Sql[]) {
  const { p, size } = pageAsked(call)
  const from = readFrom(entity)
  const key = sql.ref(`r.${keyOf(entity)}`)
  const { seen, scope } = scopeOf(call, entity)
  const where = sql.join([scope, ...conditions], sql` and `)
  const order = orderOf(call, entity)
  const { rows } = await sql<Row>`with ${seen} page as (
      select ${key} as id from ${from} r where ${where} order by ${order} limit ${size} offset ${(p - 1) * size}
    ), counted as (
      select count(*) as n from (select 1 from ${from} r where ${where} limit ${COUNTED + 1}) capped
    )
    select counted.n as "#count", page.id as "#id", ${columnsOf(entity)}
    from counted left join (page join ${from} r on ${key} = page.id) on true order by ${order}`.execute(
    call.db,
  )
  const found = Number(rows[0]['#count'])
  const more = found > COUNTED
  if (more && call.exporting) throw problem('tooMany')
  const count = Math.min(found, COUNTED)
  return {
    data: rows.filter((row) => row['#id'] !== null).map(({ '#count': _, '#id': __, ...row }) => row),
    pagination: { p, page_size: size, count, more, num_pages: Math.max(1, Math.ceil(count / size)) },
  }
}

/** What a parent narrows down is few rows, each judged by itself; else all that may be seen is found first. */
function scopeOf({ endpoint, me }: Call, entity: Entity): { seen: Sql; scope: Sql } {
  const ids = endpoint.by ? undefined : seenIds(entity, me)
  if (!ids) return { seen: sql``, scope: scoped(entity, me) }
  return {
    seen: sql`seen as materialized (select array(${ids}) as ids),`,
    scope: sql`${sql.ref(`r.${keyOf(entity)}`)} = any((select ids from seen)::int[])`,
  }
}

function pageAsked({ query, endpoint, exporting }: Call): { p: number; size: number } {
  if (exporting) return { p: 1, size: COUNTED }
  const p = Number(query.p ?? query.page ?? 1)
  const size = Number(query.page_size ?? endpoint.pageSize ?? 10)
  if (p < 1) throw fieldProblem({ p: ['must be 1 or more'] })
  if (size < 1) throw fieldProblem({ page_size: ['must be 1 or more'] })
  return { p, size: Math.min(size, LARGEST_PAGE) }
}

/** Conditions that the descriptor fixes: `where`, and the parent that the path names. */
function fixed({ endpoint, me, params }: Call): Sql[] {
  const where = { ...endpoint.where, ...(endpoint.by && { [endpoint.by]: '{id}' }) }
  return Object.entries(where).map(([name, value]) => {
    const column = sql.ref(`r.${name}`)
    if (value === null) return sql`${column} is null`
    return sql`${column} = ${value === 'me' ? me.id : value === '{id}' ? params.id : value}`
  })
}

/** order_by names a field ('-field', or sort_order=desc, turns it; a trailing _str is dropped); ties go by key, newest first. */
function orderOf({ query, endpoint }: Call, entity: Entity): Sql {
  const isAsked = query.order_by !== undefined
  const fields = isAsked ? [String(query.order_by)] : (endpoint.order ?? [entity.order ?? '-id'])
  const turned = isAsked && query.sort_order === 'desc'
  const orders = fields.map((field) => orderBy(entity, field.replace(/_str$/, ''), turned))
  const byKey = fields.some((field) => field.replace(/^-/, '') === keyOf(entity))
  return sql.join(byKey ? orders : [...orders, sql`${sql.ref(`r.${keyOf(entity)}`)} desc`])
}

function orderBy(entity: Entity, asked: string, turned: boolean): Sql {
  const name = asked.replace(/^-/, '')
  if (!Object.hasOwn(entity.properties, name)) throw fieldProblem({ order_by: [`no field '${name}'`] })
  const down = asked.startsWith('-') !== turned
  // A key is never null, and only without a word on nulls does its index serve.
  const nulls = name === keyOf(entity) ? '' : ' nulls last'
  return sql`${sql.ref(`r.${name}`)} ${sql.raw((down ? 'desc' : 'asc') + nulls)}`
}
