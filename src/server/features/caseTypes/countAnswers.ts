import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db.ts'
import { isBusy } from '../../core/sqlProblem.ts'
import { RECORDS } from './caseTypeUsage.ts'

interface Form {
  case_type: number
  form: 'case' | 'issue'
}

/** Days after which all records are counted anew, in case that somebody changed rows past the triggers. */
const COUNT_DAYS = 7

/**
 * Adds the noted changes to the counts of answers, and counts all records of forms whose counts are missing or old.
 * Does nothing while another server does it.
 */
export async function countAnswers({ db, ending }: { db: Db; ending: AbortSignal }): Promise<void> {
  try {
    await db.transaction().execute(addChanges)
    for (const form of await formsToCount(db)) {
      if (ending.aborted) return
      await db.transaction().execute((tx) => countForm(tx, form))
    }
  } catch (error) {
    if (!isBusy(error)) throw error
  }
}

async function formsToCount(db: Db): Promise<Form[]> {
  const { rows } = await sql<Form>`select c.case_type, c.form from counted_choices c
    where not exists (select from answer_counts n where n.case_type = c.case_type and n.form = c.form and n.key = ''
      and n.counted_at > now() - make_interval(days => ${COUNT_DAYS}))
    order by c.case_type, c.form`.execute(db)
  return rows
}

/** Lets one transaction at a time change counts, but for the deletion by a publication. */
const lockCounts = (tx: Tx) => sql`lock table answer_counts in share update exclusive mode nowait`.execute(tx)

async function addChanges(tx: Tx): Promise<void> {
  await lockCounts(tx)
  // A publication that deletes counts comes before or after.
  await sql`select from counted_choices order by case_type, form for share`.execute(tx)
  await sql`with added as (delete from answer_count_changes returning *),
    sums as (
      select case_type, form, key, sum(n) as n
      from (
        select case_type, form, unnest(added) as key, 1 as n from added
        union all select case_type, form, unnest(removed), -1 from added
      ) changes group by case_type, form, key having sum(n) <> 0
    )
    insert into answer_counts as c (case_type, form, key, count)
    select case_type, form, key, n from sums s
    where exists (select from answer_counts o where o.case_type = s.case_type and o.form = s.form and o.key = '')
    on conflict (case_type, form, key) do update set count = c.count + excluded.count`.execute(tx)
}

/**
 * Counts all records of a form. One statement reads them and deletes the changes that they have already: it sees both
 * as of the same moment.
 */
async function countForm(tx: Tx, { case_type, form }: Form): Promise<void> {
  await lockCounts(tx)
  await sql`set local statement_timeout = 0`.execute(tx)
  const choices = sql`counted_choices c where c.case_type = ${case_type} and c.form = ${form}`
  const { rows: counted } = await sql<{ key: string; n: number; edition: number }>`
    with form as materialized (select c.* from ${choices}),
    known as (delete from answer_count_changes where case_type = ${case_type} and form = ${form})
    select key, count(*)::int as n, (select edition from form) as edition
    from (select answer_count_keys((select names from form), (select places from form), r.answers,
        r.hidden_answers) as keys
      from ${RECORDS[`${form}_meta`](case_type)}) records, unnest(keys) key group by key
    union all select '', 0, (select edition from form)`.execute(tx)
  const { rows: current } =
    await sql`select from ${choices} and c.edition = ${counted[0].edition} for share`.execute(tx)
  // Published with other choices meanwhile: there are no counts then, and the next run counts all changes.
  if (current.length === 0) return
  await sql`delete from answer_counts where case_type = ${case_type} and form = ${form}`.execute(tx)
  await sql`insert into answer_counts (case_type, form, key, count)
    select ${case_type}, ${form}, key, sum(n)
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as counted(key text, n integer) group by key`.execute(
    tx,
  )
}
