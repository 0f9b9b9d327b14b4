import { sql } from 'kysely'
import { scoped } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import { readFrom } from '../../records/query/columns.ts'
import { fetch } from '../../records/verbs/read.ts'

/** The numbers of the caller's visible unread notices by kind, and of the issues in their worklist (`open`). */
export const counts: Handler = async (call) => {
  const { workNotice, worklistRow } = call.contract.entities
  const { rows } = await sql<
    Record<'issues' | 'referrals' | 'uploads' | 'tasks' | 'deaths' | 'open', number>
  >`select
      count(r.issue)::int as issues, count(r.referral)::int as referrals, count(r.upload)::int as uploads,
      count(r.task)::int as tasks, count(r.client)::int as deaths,
      (select count(distinct r.issue)::int from ${readFrom(worklistRow)} r where ${scoped(worklistRow, call.me)}) as open
    from ${sql.table(workNotice.view!)} r where r.read_at is null and ${scoped(workNotice, call.me)}`.execute(
    call.db,
  )
  return rows[0]
}

/** Marks one notice as read; a repeat changes nothing. */
export const read: Handler = async (call) => {
  const { workNotice } = call.contract.entities
  await fetch(call, workNotice, call.params.id)
  await markRead(call, Number(call.params.id))
  return fetch(call, workNotice, call.params.id)
}

/** Marks all of the caller's notices as read. */
export const readAll: Handler = async (call) => {
  await markRead(call)
  return counts(call)
}

async function markRead({ db, me }: Call, id?: number): Promise<void> {
  await sql`update work_notices set read_at = now(), version = version + 1
    where staff = ${me.id} and read_at is null and ${id === undefined ? sql`true` : sql`id = ${id}`}`.execute(
    db,
  )
}
