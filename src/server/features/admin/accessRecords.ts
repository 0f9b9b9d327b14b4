import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { conditionsOf } from '../../records/query/query.ts'
import { pageOf } from '../../records/verbs/list.ts'
import { fetchAny } from '../../records/verbs/read.ts'
import { fieldsOf, formOf, type ModelRow, modelRow } from './shapes.ts'

const APP = 'axes'
/** The entities by type, with the names of django-axes. */
const TYPES: Record<string, string> = {
  accessattempt: 'accessAttempt',
  accesslog: 'accessLog',
  accessfailurelog: 'accessFailure',
}

/** Fields that are no columns of a list: it has them elsewhere, or only the record has them. */
const NOT_IN_LIST = ['id', 'attempt_time', 'user_agent', 'locked_until']

/** The types with their numbers of records. */
export async function models({ contract, db }: Call): Promise<ModelRow[]> {
  const rows = Object.entries(TYPES).map(async ([type, name]) => {
    const entity = contract.entities[name]
    const { rows: counted } = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(entity.table!)}`.execute(db)
    return modelRow(APP, type, entity, { count: counted[0].n, canAdd: false })
  })
  return Promise.all(rows)
}

/** A page of a type, newest first; `ordering` names a field as Django's admin does ('-attempt_time'). */
export async function listAttempts(call: Call) {
  const { type, entity } = requestedType(call)
  const { ordering, locked_out, ...rest } = call.query
  // Successful sign-ins have no `locked_out`.
  const isKnown = locked_out !== undefined && entity.properties.locked_out
  const query: Call['query'] = isKnown ? { ...rest, locked_out } : rest
  const order_by = query.order_by ?? ordering
  const page = { ...call, query: { ...query, ...(order_by !== undefined && { order_by }) } }
  const { data, pagination } = await pageOf(page, entity, conditionsOf(page))
  const fields = fieldsOf(entity, true).filter(({ name }) => !NOT_IN_LIST.includes(name))
  return {
    data: data.map((row) => ({
      ...(type === 'accessattempt' ? withWho(row) : row),
      app_label: APP,
      object_name: type,
      label: labelOf(row),
    })),
    pagination,
    fields,
    ...(call.exporting && { entity }),
  }
}

/** The fields of a type, all read-only: nothing can be added here. */
export async function blank(call: Call) {
  const { type, entity } = requestedType(call)
  return formOf(APP, type, entity, undefined, true)
}

/** The read-only form of one record. */
export async function form(call: Call) {
  const { type, entity } = requestedType(call)
  const record = await fetchAny(call, entity, call.params.id)
  return { ...formOf(APP, type, entity, record, true), label: labelOf(record) }
}

/** Refuses changes: only attempts to sign in write these records. */
export async function refuseWrite(): Promise<never> {
  throw problem('shownOnly')
}

function requestedType({ contract, params }: Call): { type: string; entity: Entity } {
  const type = String(params.type)
  if (!Object.hasOwn(TYPES, type)) throw problem('notFound')
  return { type, entity: contract.entities[TYPES[type]] }
}

/** The user name, or the address if a record has only that. */
function labelOf({ username, ip_address }: Row): unknown {
  return username ?? `the address ${ip_address}`
}

/** In a list, an attempt that counts for a whole address says so in place of a user name. */
function withWho(row: Row): Row {
  return { ...row, username: row.username ?? 'From this address' }
}
