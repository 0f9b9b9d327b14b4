import { sql } from 'kysely'
import type { NOTICE_RECEIVERS } from '../../../contract/automations/noticeEntities.ts'
import { GROUP_PREFIX } from '../../../contract/automations/outcomes.ts'
import { ROLE } from '../../../contract/roles.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Db, Row, Sql } from '../../core/db.ts'

/** Maximum number of people for whom one receiver stands. */
export const MAX_RECEIVERS = 100

/** A query for the people of a group by its code. */
export function membersOf(code: string): Sql {
  return sql`select (jsonb_array_elements_text(l.attrs -> 'members'))::int as id from lookup l
    where l.kind = 'staff_groups' and l.active and l.attrs ->> 'code' = ${code}`
}

/** The condition for issues i that are worked on. */
export const IS_OPEN = sql`i.is_opened and i.status = ${sql.lit(STATUS.active)}`

/** Queries for the ids of receivers, by a query for the advocates and hubs that work on a record. */
export const RECEIVERS = {
  line_manager: (work: Sql) =>
    sql`select s.line_manager as id from (${work}) w join staff s on s.id = w.advocate`,
  hub_managers: (work: Sql) => sql`select s.id from (${work}) w join staff s on s.hub = w.hub
    and s.groups @> array[${sql.lit(ROLE.hubManager)}]`,
}

/** Queries for the ids of receivers that are no fields of a record. */
const WORDS: Record<(typeof NOTICE_RECEIVERS)[number], (entity: string, record: Row) => Sql> = {
  advocates: (entity, record) =>
    sql`select i.advocate as id from issues i where i.client = ${entity === 'client' ? record.id : record.client}::int and ${IS_OPEN}`,
  line_manager: (entity, record) => RECEIVERS.line_manager(workOn(entity, record)),
  hub_managers: (entity, record) => RECEIVERS.hub_managers(workOn(entity, record)),
  // Who has written about the same field and is still an administrator.
  participants: (_, { case_type, form, field }) =>
    sql`select distinct c.created_by as id from field_comments c join staff s on s.id = c.created_by
      where c.case_type = ${case_type}::int and c.form = ${form} and c.field = ${field}
        and s.groups @> array[${sql.lit(ROLE.systemAdministrator)}]`,
}

/** A record and a person, by their ids. */
interface Receiver {
  record: number
  staff: number
}

/** The people for whom the receivers of records stand, each once a record; a field stands for its person. */
export async function receiversOf(
  db: Db,
  entity: string,
  records: Row[],
  receivers: string[],
): Promise<Receiver[]> {
  const fields = receivers.filter((name) => !isQueried(name))
  const named = records.flatMap((record) =>
    fields.flatMap((field): Receiver[] =>
      typeof record[field] === 'number' ? [{ record: record.id as number, staff: record[field] }] : [],
    ),
  )
  const queried = await queriedReceivers(db, entity, records, receivers.filter(isQueried))
  const all = [...named, ...queried]
  return [...new Map(all.map((one) => [`${one.record} ${one.staff}`, one])).values()]
}

function isQueried(receiver: string): boolean {
  return receiver.startsWith(GROUP_PREFIX) || Object.hasOwn(WORDS, receiver)
}

async function queriedReceivers(
  db: Db,
  entity: string,
  records: Row[],
  receivers: string[],
): Promise<Receiver[]> {
  if (receivers.length === 0) return []
  const queries = records.flatMap((record) =>
    receivers.map((receiver) => {
      const ids = receiver.startsWith(GROUP_PREFIX)
        ? membersOf(receiver.slice(GROUP_PREFIX.length))
        : WORDS[receiver as keyof typeof WORDS](entity, record)
      return sql`(select ${record.id}::int as record, q.id as staff from (${ids}) q
        where q.id is not null limit ${sql.lit(MAX_RECEIVERS)})`
    }),
  )
  const { rows } = await sql<Receiver>`${sql.join(queries, sql` union `)}`.execute(db)
  return rows
}

/** A query for advocate and hub of a record: its own, else those of its issue, else of the open issues of its case. */
function workOn(entity: string, record: Row): Sql {
  const { advocate, assignee, hub, issue, case: caseId } = record
  if (advocate !== undefined || hub !== undefined || assignee !== undefined || entity === 'client')
    return sql`select ${advocate ?? assignee ?? null}::int as advocate, ${hub ?? null}::int as hub`
  return sql`select distinct i.advocate, i.hub from issues i
    where case when ${issue ?? null}::int is null then i."case" = ${caseId ?? null}::int and ${IS_OPEN}
      else i.id = ${issue ?? null}::int end`
}
