import { sql } from 'kysely'
import type { Db, Row } from '../../core/db.ts'
import { moveDrafts } from '../../records/drafts/draftReferences.ts'
import { MOVED_WITH_CLIENT } from '../../records/merged/clientReferences.ts'
import { moveBack, moveRows, type Undo } from './moveRows.ts'
import { idsOf, jsonOf, restoreRows } from './rows.ts'

/** Of a merge of clients, `moved` also has drafts, and the pairs of not_same_person that replace deleted ones. */
type Moved = Pick<Undo, 'moved' | 'deleted'>

/** Moves everything of a client to another one. Both are locked. */
export async function moveClient(db: Db, from: number, to: number): Promise<Moved> {
  const work_notices = await jsonOf(
    db,
    sql`delete from work_notices n where n.client = ${from}
      and exists (select from work_notices o where o.client = ${to} and o.staff = n.staff) returning to_jsonb(n) as row`,
  )
  const client_questions = await jsonOf(
    db,
    sql`delete from client_questions q where q.client = ${from} and q.answer is null
      and exists (select from client_questions o where o.client = ${to} and o.asked_by = q.asked_by and o.answer is null)
      returning to_jsonb(q) as row`,
  )
  const moved = await moveRows(db, MOVED_WITH_CLIENT, { from, to })
  const { deleted, pairs } = await movePairs(db, from, to)
  return {
    moved: { ...moved, pairs, drafts: await moveDrafts(db, 'client', { from, to }) },
    deleted: { work_notices, client_questions, not_same_person: deleted },
  }
}

export async function moveClientBack(db: Db, undo: Undo, old: number): Promise<void> {
  const { moved, deleted, into } = undo
  await moveBack(db, MOVED_WITH_CLIENT, undo, old)
  await moveDrafts(db, 'client', { from: into, to: old }, sql`id = any(${moved.drafts}::int[])`)
  await sql`delete from not_same_person where id = any(${moved.pairs}::int[])`.execute(db)
  await restoreRows(db, 'work_notices', deleted.work_notices)
  await restoreRows(db, 'client_questions', deleted.client_questions)
  await restoreRows(db, 'not_same_person', deleted.not_same_person)
}

/**
 * Moves the decisions that the client is not the same person as a third one, unless the remaining client has them too.
 */
async function movePairs(db: Db, from: number, to: number): Promise<{ deleted: Row[]; pairs: number[] }> {
  const deleted = await jsonOf(
    db,
    sql`delete from not_same_person n where ${from} in (n.client, n.other) returning to_jsonb(n) as row`,
  )
  const pairs = await idsOf(
    db,
    sql`insert into not_same_person (client, other, by, at)
      select least(x.third, ${to}), greatest(x.third, ${to}), x.by, x.at
      from (select case when n.client = ${from} then n.other else n.client end as third, n.by, n.at
        from jsonb_populate_recordset(null::not_same_person, ${JSON.stringify(deleted)}::jsonb) n) x
      where x.third <> ${to} on conflict do nothing returning id`,
  )
  return { deleted, pairs }
}
