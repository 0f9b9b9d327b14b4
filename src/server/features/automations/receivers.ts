import { sql } from 'kysely'
import { GROUP_PREFIX } from '../../../contract/automations/outcomes.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Db, Sql } from '../../core/db.ts'
import { IS_OPEN, MAX_RECEIVERS, membersOf, RECEIVERS } from '../../records/workNotices/receivers.ts'
import type { HoldingState } from './stateChanges.ts'

/** Queries for the ids of receivers, by a query for the advocates, makers and hubs of a record. */
const OF_WORK: Record<string, (work: Sql) => Sql> = {
  ...RECEIVERS,
  advocate: (work) => sql`select w.advocate as id from (${work}) w`,
  maker: (work) => sql`select w.maker as id from (${work}) w`,
}

/** The active people whom receivers stand for, each once. Of a case, the advocates of its open issues are meant. */
export async function receiversOf(
  db: Db,
  { record, caseId }: Pick<HoldingState, 'record' | 'caseId'>,
  receivers: string[],
): Promise<number[]> {
  if (receivers.length === 0) return []
  const { advocate, created_by: maker, hub } = record.record
  const work =
    record.issue === null
      ? sql`select i.advocate, i.hub, ${maker}::int as maker from issues i where i."case" = ${caseId} and ${IS_OPEN}`
      : sql`select ${advocate}::int as advocate, ${hub}::int as hub, ${maker}::int as maker`
  const queries = receivers.map((receiver) =>
    receiver.startsWith(GROUP_PREFIX)
      ? membersOf(receiver.slice(GROUP_PREFIX.length))
      : OF_WORK[receiver](work),
  )
  const { rows } = await sql<{
    id: number
  }>`select distinct p.id from (${sql.join(queries, sql` union all `)}) r
    join staff p on p.id = r.id and p.status = ${sql.lit(STATUS.active)} order by p.id limit ${MAX_RECEIVERS}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
