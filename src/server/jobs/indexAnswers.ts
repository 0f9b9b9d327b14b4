import { sql } from 'kysely'
import type { Db } from '../db.ts'

interface Context {
  db: Db
  /** Ends the work after the batch that is under way; the next run begins the case type again. */
  ending: AbortSignal
}

/** Records a transaction: each is locked until its end, and whoever saves one waits so long. */
const BATCH = 500

/** The two forms: their records, and the columns of case_types that say which fields are searched and indexed. */
const FORMS = [
  {
    form: 'case',
    batch: (
      type: number,
      last: number,
    ) => sql`select k.id, k.id as "case", null::int as issue, k.answers from cases k
      where k.case_type = ${type} and k.id > ${last} order by k.id limit ${BATCH} for no key update of k`,
  },
  {
    form: 'issue',
    batch: (type: number, last: number) => sql`select i.id, i."case", i.id as issue, i.answers
      from issues i join cases k on k.id = i."case"
      where k.case_type = ${type} and i.id > ${last} order by i.id limit ${BATCH} for no key update of i`,
  },
]

/**
 * Indexes the stored answers to fields that are searched since a publication or a release; returns how many records it
 * read. What is saved meanwhile is indexed by triggers.
 */
export async function indexAnswers({ db, ending }: Context): Promise<number> {
  let read = 0
  for (const { form, batch } of FORMS) {
    const [searched, indexed] = [sql.ref(`${form}_searched`), sql.ref(`${form}_indexed`)]
    const { rows: types } = await sql<{ id: number; fields: string }>`select id, ${searched}::text as fields
      from case_types where ${searched} <> ${indexed} order by id`.execute(db)
    for (const { id, fields } of types) {
      for (let last: number | null = 0; last !== null && !ending.aborted; ) {
        const { rows } = await sql<{ last: number | null; n: number }>`with batch as (${batch(id, last)}),
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
