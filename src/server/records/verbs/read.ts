import { sql } from 'kysely'
import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import { usesCalendar } from '../../../contract/deadlines/holidaysAround.ts'
import type { Entity, Group } from '../../../contract/generated.ts'
import { ROLE } from '../../../contract/roles.ts'
import { sourceOfPath } from '../../../contract/seen.ts'
import { seenPathsOf } from '../../../contract/seenPaths.ts'
import { scoped } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import type { ReplyOf, RowOf } from '../../core/typedRows.ts'
import { readCurrent, withPending } from '../answerMigrations/readCurrent.ts'
import { seenForReader } from '../answersSeen/seenForReader.ts'
import { insertOpenEvents } from '../audit/audit.ts'
import { readCalendars } from '../lookups/bankHolidays.ts'
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
      select ${names} ${withPending(entity, sql`found.pending_migrations`)} from found`,
  )
}

/** What is added to the reply of a single record, such as the record of an id, by entity and property. */
const EMBEDDED: Record<string, Record<string, (call: Call, row: Row) => Promise<unknown> | unknown>> = {
  case: {
    service: (_, row) => ({ id: row.service, label: row.service_label }),
    case_type: async (call, row) => {
      const type = await fetchAny(call, call.contract.entities.caseType, row.case_type)
      return { ...type, calendars: await calendarsOf(call, type), looks_back: looksBack(call, type) }
    },
    answers_seen: (call, row) => seenForReader(call, 'case_meta', row),
  },
  issue: { answers_seen: (call, row) => seenForReader(call, 'issue_meta', row) },
  // Administrators may add a calculation that needs them.
  caseType: {
    calendars: (call, row) =>
      call.me.groups.includes(ROLE.systemAdministrator) ? allCalendars(call) : calendarsOf(call, row),
    looks_back: looksBack,
  },
}

/** The id of a case type if one of its forms uses values of the last record, else null. */
function looksBack(_: Call, { id, case_meta, issue_meta }: Row) {
  const paths = [case_meta, issue_meta].flatMap((groups) => seenPathsOf(groups as Group[]))
  return paths.some((path) => sourceOfPath(path) === 'last') ? id : null
}

/** The calendars of bank holidays that a form of a case type calculates with; null if none does. */
function calendarsOf(call: Call, { case_meta, issue_meta }: Row) {
  const isUsed = [case_meta, issue_meta].some((groups) => usesCalendar(groups as Group[]))
  return isUsed ? allCalendars(call) : null
}

function allCalendars({ db, settings }: Call): Promise<Calendars> {
  return readCalendars(db, settings.BANK_HOLIDAYS)
}

/** Adds what EMBEDDED says to a fetched record. */
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
  return sql`select ${columnsOf(entity, me)} ${withPending(entity)} from ${readFrom(entity)} r
    where ${sql.ref(`r.${keyOf(entity)}`)} = ${id} and ${where}`
}

async function oneRow<T extends Row>({ db }: Call, query: Sql): Promise<T> {
  const { rows } = await sql<T>`${query}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return readCurrent(rows[0])
}
