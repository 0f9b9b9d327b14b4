import { sql } from 'kysely'
import type { Db, Sql, Tx } from '../../core/db.ts'

/** One of the two forms of a case type. */
export interface Form {
  /** The prefix of its columns of case_types. */
  name: 'case' | 'issue'
  table: string
  /** Its records under the alias r, with their case type t. */
  records: Sql
  caseId: Sql
  issueId: Sql
  /** True for the rows x of an index table that belong to the record b of a batch. */
  isOf: Sql
}
export const FORMS: Form[] = [
  {
    name: 'case',
    table: 'cases',
    records: sql`cases r join case_types t on t.id = r.case_type`,
    caseId: sql`r.id`,
    issueId: sql`null::int`,
    isOf: sql`x."case" = b."case" and x.issue is null`,
  },
  {
    name: 'issue',
    table: 'issues',
    records: sql`issues r join cases k on k.id = r."case" join case_types t on t.id = k.case_type`,
    caseId: sql`r."case"`,
    issueId: sql`r.id`,
    isOf: sql`x.issue = b.issue`,
  },
]

/** A range of records of a form that is to be indexed, and that no other server works on during the transaction. */
export interface Part {
  case_type: number
  form: Form['name']
  part: number
  /** The searched fields, as JSON, with those of them that are indexed of all records. */
  fields: string
  indexed: Record<string, string>
  next_id: number
  last_id: number
}

/** Maximum number of parts of a form, so that several servers find one each, and the records of a part. */
const MAX_PARTS = 64
const PART = 1000

/** True for work w that is for the published forms of its case type t. */
const isForPublished = sql`w.fields = case w.form when 'case' then t.case_searched else t.issue_searched end`

const searchedBy = (form: Form) => sql.ref(`t.${form.name}_searched`)

/**
 * Plans the indexing of forms with fields that are not indexed yet, unless another server has; returns how many parts
 * it planned. Records that are saved from the publication on are indexed by triggers.
 */
export async function planIndexing(db: Db): Promise<number> {
  let planned = 0
  // Work for an older version of a form.
  await sql`delete from answer_index_work w using case_types t
    where t.id = w.case_type and not (${isForPublished})`.execute(db)
  for (const form of FORMS) {
    const { rows } = await sql<{
      id: number
      fields: string
    }>`select t.id, ${searchedBy(form)}::text as fields
      from case_types t where ${searchedBy(form)} <> ${sql.ref(`t.${form.name}_indexed`)}
        and not exists (select from answer_index_work w where w.case_type = t.id and w.form = ${form.name}
          and w.fields = ${searchedBy(form)})`.execute(db)
    for (const { id, fields } of rows) planned += await planForm(db, form, id, fields)
  }
  return planned
}

async function planForm(db: Db, form: Form, id: number, fields: string): Promise<number> {
  const ofForm = sql`from ${form.records} where t.id = ${id}`
  const { numAffectedRows } = await sql`with size as (
        select least(${MAX_PARTS}, 1 + count(*) / ${PART})::int as parts,
          (select max(id) + 1 from ${sql.table(form.table)}) as bound ${ofForm}
      ),
      ranges as (
        select width_bucket(r.id, 0, (select bound from size), (select parts from size)) as part,
          min(r.id) as first, max(r.id) as last, count(*) as n
        ${ofForm} group by 1
      )
      insert into answer_index_work (case_type, form, part, fields, next_id, last_id, records)
      select ${id}, ${form.name}, part, ${fields}::jsonb, coalesce(first, 1), coalesce(last, 0), coalesce(n, 0)
      from size, generate_series(1, parts) part left join ranges using (part)
      on conflict do nothing`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Claims a part for a transaction, undefined if other servers have all. The share lock makes a publication wait for the
 * transaction.
 */
export async function claimPart(tx: Tx): Promise<Part | undefined> {
  const { rows } = await sql<Part>`select w.case_type, w.form, w.part, w.fields::text, w.next_id, w.last_id,
      case w.form when 'case' then t.case_indexed else t.issue_indexed end as indexed
    from answer_index_work w join case_types t on t.id = w.case_type
    where w.next_id <= w.last_id
      and ${isForPublished}
    order by w.case_type, w.form, w.part limit 1 for update of w skip locked for share of t`.execute(tx)
  return rows[0]
}

/** Saves that the next `count` records of a claimed part are indexed; without a last id there are no more. */
export async function advancePart(tx: Tx, claimed: Part, count: number, last: number | null): Promise<void> {
  const { case_type, form, part, last_id } = claimed
  await sql`update answer_index_work set next_id = ${last ?? last_id}::bigint + 1, done = done + ${count}
    where case_type = ${case_type} and form = ${form} and part = ${part}`.execute(tx)
}

/** Marks forms as indexed if all their parts are, and deletes the parts; returns the number of forms. */
export async function completeForms(db: Db): Promise<number> {
  let completed = 0
  for (const { name } of FORMS) {
    const { rows } = await sql<{ id: number; fields: string }>`select case_type as id, fields::text as fields
      from answer_index_work where form = ${name} group by case_type, fields having bool_and(next_id > last_id)`.execute(
      db,
    )
    for (const { id, fields } of rows) {
      await db.transaction().execute(async (tx) => {
        // Not if the form was published again meanwhile: then it is indexed again.
        await sql`update case_types set ${sql.ref(`${name}_indexed`)} = ${fields}::jsonb
          where id = ${id} and ${sql.ref(`${name}_searched`)} = ${fields}::jsonb`.execute(tx)
        await sql`delete from answer_index_work where case_type = ${id} and form = ${name}
          and fields = ${fields}::jsonb`.execute(tx)
      })
      completed++
    }
  }
  return completed
}

/** True if a form has fields that are not indexed, or there is work left of one. */
export async function isIndexingDue(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from case_types
    where case_searched <> case_indexed or issue_searched <> issue_indexed
    union all select 1 from answer_index_work limit 1`.execute(db)
  return rows.length > 0
}

/** How far the indexing of all forms is, in words; null if there is nothing to index. */
export async function indexingProgress(db: Db): Promise<string | null> {
  const { rows } = await sql<Progress>`select coalesce(sum(records), 0)::float as records,
      coalesce(sum(done), 0)::float as done, extract(epoch from now() - min(planned_at))::float as seconds
    from answer_index_work`.execute(db)
  return rows[0].records > 0 ? progressWords(rows[0]) : null
}

interface Progress {
  records: number
  done: number
  /** Seconds since the beginning. */
  seconds: number
}

export function progressWords({ records, done, seconds }: Progress): string {
  const inThousands = (count: number) => Math.round(count / 1000)
  const words =
    records < 1000 ? `${done} of ${records}` : `${inThousands(done)} of ${inThousands(records)} thousand`
  if (done === 0) return words
  const minutes = Math.ceil(((records - done) * seconds) / done / 60)
  return `${words}, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`
}
