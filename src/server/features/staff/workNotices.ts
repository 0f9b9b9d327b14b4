import { sql } from 'kysely'
import { scoped } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import { readFrom } from '../../records/query/columns.ts'
import { fetch } from '../../records/verbs/read.ts'
import { update } from '../../records/verbs/update.ts'

/**
 * The numbers of the caller's visible unread notices in the bell by kind, and of the issues in their worklist (`open`).
 */
export const counts: Handler = async (call) => {
  const { workNotice, worklistRow } = call.contract.entities
  const { rows } = await sql<
    Record<
      'issues' | 'referrals' | 'uploads' | 'tasks' | 'deaths' | 'automations' | 'comments' | 'open',
      number
    >
  >`select
      count(r.issue)::int as issues, count(r.referral)::int as referrals, count(r.upload)::int as uploads,
      count(r.task)::int as tasks, count(r.client)::int as deaths,
      count(r.event)::int as automations, count(r.field_comment)::int as comments,
      (select count(distinct r.issue)::int from ${readFrom(worklistRow)} r where ${scoped(worklistRow, call.me)}) as open
    from ${sql.table(workNotice.view!)} r where r.read_at is null and r.in_bell = 'yes' and ${scoped(workNotice, call.me)}`.execute(
    call.db,
  )
  return rows[0]
}

/** How each kind of notice reaches the caller. */
export const choices: Handler = (call) => fetch(call, call.contract.entities.noticeChoices, call.me.id)

/** Chooses how each kind of notice reaches the caller, which is a change of their own record. */
export const choose: Handler = (call) =>
  update({ ...call, params: { id: call.me.id } }, { ...call.contract.entities.noticeChoices, $id: 'staff' })

/** Marks one notice as read; a repeat changes nothing. */
export const read: Handler = async (call) => {
  const { workNotice } = call.contract.entities
  await fetch(call, workNotice, call.params.id)
  await markRead(call, Number(call.params.id))
  return fetch(call, workNotice, call.params.id)
}

/** Marks a notice and the caller's other notices about the same record as read: the record was opened. */
export const readOfRecord: Handler = async (call) => {
  const { db, me, params, contract } = call
  await fetch(call, contract.entities.workNotice, params.id)
  await sql`with record as (
      select coalesce(n.issue, e.issue) as issue, case when e.issue is null then e."case" end as "case"
      from work_notices n left join automation_events e on e.id = n.event where n.id = ${params.id}
    ), about as (
      select n.id from work_notices n, record r where n.issue = r.issue and n.staff = ${me.id}
      union all
      select o.notice from record r
      join automation_events e on e.issue = r.issue or e.issue is null and e."case" = r."case"
      join work_notice_events o on o.event = e.id
      where not exists (select from work_notice_events others where others.notice = o.notice and others.event <> e.id)
    )
    update work_notices set read_at = now(), version = version + 1
    where staff = ${me.id} and read_at is null and id in (select ${params.id}::int union all select id from about)`.execute(
    db,
  )
  return fetch(call, contract.entities.workNotice, params.id)
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
