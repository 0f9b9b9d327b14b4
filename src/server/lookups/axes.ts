import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { problem } from '../problems.ts'
import { conditionsOf } from '../query.ts'
import { pageOf } from '../verbs/list.ts'
import { fetchAny } from '../verbs/read.ts'
import { fieldsOf, formOf, type ModelRow, modelRow } from './shapes.ts'

const APP = 'axes'
/** The entity of each type, as django-axes calls them. */
const TYPES: Record<string, string> = {
  accessattempt: 'accessAttempt',
  accesslog: 'accessLog',
  accessfailurelog: 'accessFailure',
}

/** What a list shows in another place, or only the record itself. */
const ELSEWHERE = ['id', 'attempt_time', 'user_agent', 'locked_until']

/** The types with how many records they have. */
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
  // Whoever got in was not locked out: sign-ins do not say so.
  const isKnown = locked_out !== undefined && entity.properties.locked_out
  const query: Call['query'] = isKnown ? { ...rest, locked_out } : rest
  const order_by = query.order_by ?? ordering
  const page = { ...call, query: { ...query, ...(order_by !== undefined && { order_by }) } }
  const { data, pagination } = await pageOf(page, entity, conditionsOf(page))
  const fields = fieldsOf(entity, true).filter(({ name }) => !ELSEWHERE.includes(name))
  return {
    data: data.map((row) => ({ ...row, app_label: APP, object_name: type, label: labelOf(row) })),
    pagination,
    fields,
    ...(call.exporting && { entity }),
  }
}

/** Nothing can be added here; the fields are those of the type. */
export async function blank(call: Call) {
  const { type, entity } = requestedType(call)
  return formOf(APP, type, entity, undefined, true)
}

/** One record, to be looked at. */
export async function form(call: Call) {
  const { type, entity } = requestedType(call)
  const record = await fetchAny(call, entity, call.params.id)
  return { ...formOf(APP, type, entity, record, true), label: labelOf(record) }
}

/** Whoever tried to sign in wrote these; nobody else does. */
export async function refuseWrite(): Promise<never> {
  throw problem('shownOnly')
}

function requestedType({ contract, params }: Call): { type: string; entity: Entity } {
  const type = String(params.type)
  if (!Object.hasOwn(TYPES, type)) throw problem('notFound')
  return { type, entity: contract.entities[TYPES[type]] }
}

/** The person, or the address where it is about that alone. */
function labelOf({ username, ip_address }: Row): unknown {
  return username ?? ip_address
}
