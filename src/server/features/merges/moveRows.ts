import { sql } from 'kysely'
import type { Db, Row } from '../../core/db.ts'
import type { Changes } from '../../records/audit/audit.ts'
import { MOVED } from '../../records/merged/clientReferences.ts'
import { jsonOf } from './lockRecords.ts'

/** What an undo needs, as it is stored. */
export interface Undo {
  /** The client that was merged into `into`, as it was. */
  client: Row
  into: number
  /** The changed fields of the client that remains. */
  fields: Changes
  /** Ids of the rows that moved, by table and column; a draft has one id. */
  moved: Record<string, number[]>
  /** Rows that were deleted because the client that remains had the same, by table. */
  deleted: Record<string, Row[]>
  /** Ids of the pairs of not_same_person that replace deleted ones. */
  pairs: number[]
}

/** Moves everything of a client to another one. Both are locked. */
export async function moveRows(
  db: Db,
  from: number,
  to: number,
): Promise<Pick<Undo, 'moved' | 'deleted' | 'pairs'>> {
  const notices = await jsonOf(
    db,
    sql`delete from work_notices n where n.client = ${from}
      and exists (select from work_notices o where o.client = ${to} and o.staff = n.staff) returning to_jsonb(n) as row`,
  )
  const moved: Undo['moved'] = {}
  for (const { table, column } of MOVED)
    moved[`${table}.${column}`] = await idsOf(
      db,
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from} returning id`,
    )
  const { deleted, pairs } = await movePairs(db, from, to)
  moved.drafts = await moveDrafts(db, from, to)
  return { moved, deleted: { work_notices: notices, not_same_person: deleted }, pairs }
}

/** Moves back what moved, with what is below its cases now; other rows stay if they were moved on since. */
export async function moveBack(db: Db, { moved, into }: Undo, old: number): Promise<void> {
  const cases = await idsOf(
    db,
    sql`update cases set client = ${old} where client = ${into} and id = any(${moved['cases.client'] ?? []}::int[])
      returning id`,
  )
  for (const { table, column, case: caseColumn } of MOVED) {
    if (table === 'cases') continue
    const ids = moved[`${table}.${column}`] ?? []
    const isOwn = sql`id = any(${ids}::int[])`
    const follows = caseColumn
      ? sql`(${sql.ref(caseColumn)} = any(${cases}::int[]) or ${sql.ref(caseColumn)} is null and ${isOwn})`
      : isOwn
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${old}
      where ${sql.ref(column)} = ${into} and ${follows}`.execute(db)
  }
  await moveDrafts(db, into, old, moved.drafts ?? [])
}

/** Pairs of the client that goes are those of the other one now, unless it has them or is in them. */
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

/** Drafts that were started on a client, or that choose it, are about the other one now. Returns their ids. */
async function moveDrafts(db: Db, from: number, to: number, ids?: number[]): Promise<number[]> {
  const inAddress = `(/clients/|[?&]client=)${from}(?!\\d)`
  return idsOf(
    db,
    sql`update drafts set address = regexp_replace(address, ${inAddress}, ${`\\1${to}`}),
        payload = case when payload #>> '{document,client}' = ${String(from)}
          then jsonb_set(payload, '{document,client}', to_jsonb(${to}::int)) else payload end
      where (address ~ ${inAddress} or payload #>> '{document,client}' = ${String(from)})
        ${ids ? sql`and id = any(${ids}::int[])` : sql``} returning id`,
  )
}

async function idsOf(db: Db, statement: ReturnType<typeof sql>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${statement}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Inserts rows as they were, with their ids; what they refer to may be gone meanwhile. */
export async function restoreRows(db: Db, table: string, rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  const { rows: columns } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db)
  const names = sql.join(columns.filter(({ name }) => name in rows[0]).map(({ name }) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${names}) select ${names}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    on conflict do nothing`.execute(db)
}
