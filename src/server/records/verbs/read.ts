import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import { scoped } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import type { ReplyOf, RowOf } from '../../core/typedRows.ts'
import { insertOpenEvents } from '../audit/audit.ts'
import { columnsOf, keyOf, readFrom } from '../query/columns.ts'

/**
 * Returns one record, or throws the 404 if it does not exist or is not visible; audits the opening of an audited
 * entity.
 */
export async function read<E extends Entity>(call: Call, entity: E): Promise<ReplyOf<E>> {
  const { id } = call.params
  const row = await (entity.audited ? open(call, entity, id) : fetch(call, entity, id))
  return withEmbedded(call, entity, row)
}

/** Reads a record and writes the audit event of its opening, in one statement and so in one transaction. */
async function open<E extends Entity>(call: Call, entity: E, id: unknown): Promise<RowOf<E>> {
  const names = sql.join(Object.keys(entity.properties).map((name) => sql.ref(name)))
  const found = recordQuery(call, entity, id, scoped(entity, call.me))
  return oneRow<RowOf<E>>(
    call,
    sql`with found as materialized (${found}), opened as (${insertOpenEvents(call, entity.$id, sql.ref(keyOf(entity)), 'found')})
      select ${names} from found`,
  )
}

/** Records that replace an id in the reply of a single record, by entity and property. */
const EMBEDDED: Record<string, Record<string, (call: Call, row: Row) => Promise<Row> | Row>> = {
  case: {
    service: (_, row) => ({ id: row.service, label: row.service_label }),
    case_type: (call, row) => fetchAny(call, call.contract.entities.caseType, row.case_type),
  },
}

/** Adds the embedded records of EMBEDDED to a fetched record. */
export async function withEmbedded<E extends Entity>(
  call: Call,
  entity: E,
  row: RowOf<E>,
): Promise<ReplyOf<E>> {
  const embedded = Object.entries(EMBEDDED[entity.$id] ?? {}).map(
    async ([name, embed]) => [name, await embed(call, row)] as const,
  )
  return { ...row, ...Object.fromEntries(await Promise.all(embedded)) } as ReplyOf<E>
}

/** Reads a visible record with the columns of a reply; throws the 404. */
export function fetch<E extends Entity>(call: Call, entity: E, id: unknown): Promise<RowOf<E>> {
  return fetchWhere(call, entity, id, scoped(entity, call.me))
}

/** Reads a record without checking its scope, for handlers that have already done so; throws the 404. */
export function fetchAny<E extends Entity>(call: Call, entity: E, id: unknown): Promise<RowOf<E>> {
  return fetchWhere(call, entity, id, sql`true`)
}

function fetchWhere<E extends Entity>(call: Call, entity: E, id: unknown, where: Sql): Promise<RowOf<E>> {
  return oneRow<RowOf<E>>(call, recordQuery(call, entity, id, where))
}

function recordQuery({ me }: Call, entity: Entity, id: unknown, where: Sql): Sql {
  return sql`select ${columnsOf(entity, me)} from ${readFrom(entity)} r
    where ${sql.ref(`r.${keyOf(entity)}`)} = ${id} and ${where}`
}

async function oneRow<T>({ db }: Call, query: Sql): Promise<T> {
  const { rows } = await sql<T>`${query}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}
