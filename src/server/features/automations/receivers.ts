import { sql } from 'kysely'
import { GROUP_PREFIX } from '../../../contract/automations/outcomes.ts'
import { ROLE } from '../../../contract/roles.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Db, Sql } from '../../core/db.ts'
import { membersOf } from '../../records/workNotices/receivers.ts'
import type { HoldingState } from './stateChanges.ts'

/** Most receivers of one notice. */
const MAX_RECEIVERS = 100

/** A query for the ids of a kind of receivers of a record with an advocate, a maker and a hub. */
const RECEIVERS: Record<string, (record: { advocate: unknown; maker: unknown; hub: unknown }) => Sql> = {
  advocate: ({ advocate }) => sql`select ${advocate}::int as id`,
  maker: ({ maker }) => sql`select ${maker}::int as id`,
  line_manager: ({ advocate }) => sql`select line_manager as id from staff where id = ${advocate}::int`,
  hub_managers: ({ hub }) =>
    sql`select id from staff where hub = ${hub}::int and groups @> array[${sql.lit(ROLE.hubManager)}]`,
}

/** The active people whom receivers stand for, each once. Of a case, the advocates of its open issues are meant. */
export async function receiversOf(
  db: Db,
  { record, caseId }: Pick<HoldingState, 'record' | 'caseId'>,
  receivers: string[],
): Promise<number[]> {
  const { advocate, created_by: maker, hub } = record.record
  const of = record.issue === null ? await responsible(db, caseId, maker) : [{ advocate, maker, hub }]
  const queries = receivers.flatMap((receiver) =>
    receiver.startsWith(GROUP_PREFIX)
      ? [membersOf(receiver.slice(GROUP_PREFIX.length))]
      : of.map((one) => RECEIVERS[receiver](one)),
  )
  if (queries.length === 0) return []
  const { rows } = await sql<{
    id: number
  }>`select distinct p.id from (${sql.join(queries, sql` union all `)}) r
    join staff p on p.id = r.id and p.status = ${sql.lit(STATUS.active)} order by p.id limit ${MAX_RECEIVERS}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

async function responsible(db: Db, caseId: number, maker: unknown) {
  const { rows } = await sql<{
    advocate: number | null
    hub: number | null
  }>`select distinct advocate, hub from issues
    where "case" = ${caseId} and is_opened and status = ${sql.lit(STATUS.active)} limit ${MAX_RECEIVERS}`.execute(
    db,
  )
  return rows.map((one) => ({ ...one, maker }))
}
