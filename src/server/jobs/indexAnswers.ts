import { sql } from 'kysely'
import type { Db } from '../db.ts'

interface Context {
  db: Db
  /** Ends the work after the batch that is under way; the next run begins the case type again. */
  ending: AbortSignal
}

/** Records per transaction: each is locked until its end, and saving one waits for that. */
const BATCH = 500

/** The two forms with the records that have their answers, aliased r; the columns of case_types are named for the form. */
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
 * Indexes the stored answers to fields that are searched since a publication or a release; returns how many records it
 * read. What is saved meanwhile is indexed by triggers.
 */
export async function indexAnswers({ db, ending }: Context): Promise<number> {
  let read = 0
  for (const { form, issue, caseId, records } of FORMS) {
    const [searched, indexed] = [sql.ref(`${form}_searched`), sql.ref(`${form}_indexed`)]
    const { rows: types } = await sql<{ id: number; fields: string }>`select id, ${searched}::text as fields
      from case_types where ${searched} <> ${indexed} order by id`.execute(db)
    for (const { id, fields } of types) {
      for (let last: number | null = 0; last !== null && !ending.aborted; ) {
        // Of a form that was published again meanwhile nothing is written: its own run may be past these records. The
        // share lock lets a publication wait for the batch.
        const { rows } = await sql<{ last: number | null; n: number }>`with batch as (
            select r.id, ${caseId} as "case", ${issue} as issue, r.answers from ${records}
            where t.id = ${id} and t.${searched} = ${fields}::jsonb and r.id > ${last}
            order by r.id limit ${BATCH} for no key update of r for share of t
          ),
          done as (select b.id, index_answers(b."case", b.issue, ${id}, ${form}, ${fields}::jsonb, b.answers) from batch b)
          select max(id) as last, count(*) as n from done`.execute(db)
        ;[{ last }] = rows
        read += rows[0].n
      }
      if (ending.aborted) return read
      // Not if the form was published again meanwhile: then it is begun again.
      await sql`update case_types set ${indexed} = ${fields}::jsonb
        where id = ${id} and ${searched} = ${fields}::jsonb`.execute(db)
    }
  }
  return read
}
