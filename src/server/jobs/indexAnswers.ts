import { sql } from 'kysely'
import type { Db } from '../db.ts'

interface Context {
  db: Db
  /** Ends the work after the current batch; the next run starts the case type again. */
  ending: AbortSignal
}

/** Records per transaction, which locks them until its end: saves of a record wait for it. */
const BATCH = 500

/** The two forms, with their records under the alias r; `form` is a prefix of columns of case_types. */
const FORMS = [
  {
    form: 'case',
    issue: sql`null::int`,
    caseId: sql`r.id`,
    records: sql`cases r join case_types t on t.id = r.case_type`,
  },
  {
    form: 'issue',
    issue: sql`r.id`,
    caseId: sql`r."case"`,
    records: sql`issues r join cases k on k.id = r."case" join case_types t on t.id = k.case_type`,
  },
]

/**
 * Indexes the stored answers to fields that became searchable with a publication or release; returns the number of
 * records that it read. Answers that are saved meanwhile are indexed by triggers.
 */
export async function indexAnswers({ db, ending }: Context): Promise<number> {
  let read = 0
  for (const { form, issue, caseId, records } of FORMS) {
    const [searched, indexed] = [sql.ref(`${form}_searched`), sql.ref(`${form}_indexed`)]
    const { rows: types } = await sql<{ id: number; fields: string }>`select id, ${searched}::text as fields
      from case_types where ${searched} <> ${indexed} order by id`.execute(db)
    for (const { id, fields } of types) {
      for (let last: number | null = 0; last !== null && !ending.aborted; ) {
        // Write nothing if the form was published again meanwhile: the run for that version may be past these records.
        // The share lock makes a publication wait for the batch.
        const { rows } = await sql<{ last: number | null; n: number }>`with batch as (
            select r.id, ${caseId} as "case", ${issue} as issue, r.answers from ${records}
            where t.id = ${id} and t.${searched} = ${fields}::jsonb and r.id > ${last}
            order by r.id limit ${BATCH} for no key update of r for share of t
          ),
          done as (select b.id, index_answers(b."case", b.issue, ${id}, ${form}, ${fields}::jsonb, b.answers) from batch b)
          select max(id) as last, count(*) as n from done`.execute(db)
        last = rows[0].last
        read += rows[0].n
      }
      if (ending.aborted) return read
      // Not if the form was published again meanwhile: then it is indexed again.
      await sql`update case_types set ${indexed} = ${fields}::jsonb
        where id = ${id} and ${searched} = ${fields}::jsonb`.execute(db)
    }
  }
  return read
}
