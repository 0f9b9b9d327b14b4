import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db.ts'
import { isBusy } from '../../core/sqlProblem.ts'
import {
  advancePart,
  claimPart,
  completeForms,
  FORMS,
  type Form,
  type Part,
  planIndexing,
} from './answerIndexWork.ts'

interface Context {
  db: Db
  /** Ends the work after the current batch; any server goes on there. */
  ending: AbortSignal
}

/** Milliseconds that a batch should take: saves of its records wait for it. */
const BATCH_MS = 150
/**
 * Minimum number of records in a batch, and that of the first one: with fewer, round trips would take longer than the
 * records.
 */
const MIN_BATCH = 250
const MAX_BATCH = 5000
/** Pause after a batch, as a multiple of its duration, which leaves the database to people. */
const PAUSE = 0.3
/** Batches in a row that may give up because somebody holds a record. */
const ATTEMPTS = 100
const RETRY_DELAY_MS = 100

/**
 * Indexes the stored answers to fields that became searchable with a publication or release, with all other servers
 * that do the same; returns the number of records that this one read. Answers that are saved meanwhile are indexed by
 * triggers.
 */
export function indexAnswers(context: Context): Promise<number> {
  const before = runs.get(context.db) ?? Promise.resolve()
  const run = before.catch(() => undefined).then(() => indexAll(context))
  runs.set(context.db, run)
  return run
}

/** The last run by database: a server has one at a time, however many publications there are. */
const runs = new WeakMap<Db, Promise<unknown>>()

async function indexAll({ db, ending }: Context): Promise<number> {
  let read = 0
  let size = MIN_BATCH
  for (let failures = 0; !ending.aborted; ) {
    const startedAt = performance.now()
    try {
      const count = await indexBatch(db, size)
      if (count === undefined) {
        if ((await completeForms(db)) + (await planIndexing(db)) === 0) return read
        continue
      }
      failures = 0
      read += count
    } catch (error) {
      if (!isBusy(error) || ++failures === ATTEMPTS) throw error
      await sleep(RETRY_DELAY_MS)
      continue
    }
    const ms = performance.now() - startedAt
    size = Math.min(MAX_BATCH, Math.max(MIN_BATCH, Math.round(size * Math.min(2, BATCH_MS / ms))))
    await sleep(ms * PAUSE)
  }
  return read
}

/**
 * Indexes the next records of a part; returns how many, undefined if there is no part that other servers do not have.
 */
function indexBatch(db: Db, size: number): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    // A lost batch is repeated, so its commit need not wait for the disk. The lock timeout is less than
    // deadlock_timeout, so that it never cancels the call of a person. Both statements are one round trip.
    const limits = sql`set local synchronous_commit = off; set local lock_timeout = '500ms'`.execute(tx)
    const [, part] = await Promise.all([limits, claimPart(tx)])
    if (!part) return undefined
    const { records, locked, last } = await lockRecords(tx, part, size)
    await Promise.all([
      locked.length > 0 && indexRecords(tx, part, locked),
      advancePart(tx, part, records, records < size ? null : last),
    ])
    return records
  })
}

/**
 * Reads the next records of a part, and locks those that are to be indexed, so that saves come before or after. If
 * fields were only added, these are the ones with an answer to such a field.
 */
async function lockRecords(tx: Tx, part: Part, size: number) {
  const { records } = formOf(part)
  const { fields, isAnew } = changedFields(part)
  const isAffected = isAnew ? sql`true` : sql`r.answers ?| ${Object.keys(fields)}::text[]`
  const { rows } = await sql<{ records: number; last: number; locked: number[] }>`with next as materialized (
      select r.id from ${records}
      where t.id = ${part.case_type} and r.id between ${part.next_id} and ${part.last_id} order by r.id limit ${size}
    ),
    locked as (
      select r.id from ${records} where r.id = any(array(select id from next)) and ${isAffected}
      order by r.id for no key update of r
    )
    select (select count(*) from next) as records, (select max(id) from next) as last,
      array(select id from locked) as locked`.execute(tx)
  return rows[0]
}

function formOf({ form }: Part): Form {
  return FORMS.find(({ name }) => name === form)!
}

/** The fields to index, and true if others may have left, so that the rows of a record are to be made anew. */
function changedFields({ fields, indexed }: Part): { fields: Record<string, string>; isAnew: boolean } {
  const searched: Record<string, string> = JSON.parse(fields)
  const added = Object.entries(searched).filter(([name, kind]) => indexed[name] !== kind)
  const isAnew = '' in indexed || added.length === Object.keys(searched).length
  return { fields: isAnew ? searched : Object.fromEntries(added), isAnew }
}

/**
 * Indexes locked records. Only what differs is written, because each row has entries in large indexes. It is a
 * statement of its own, so that its snapshot has what was saved before the lock.
 */
async function indexRecords(tx: Tx, part: Part, locked: number[]): Promise<void> {
  const { case_type } = part
  const { name, records, caseId, issueId, isOf } = formOf(part)
  const { fields, isAnew } = changedFields(part)
  const keyed = isAnew
    ? sql`select b."case", b.issue, ${case_type}::int, coalesce(k.keys, '{}') from batch b
        left join answer_keys k on k."case" = b."case" and k.issue is not distinct from b.issue
      on conflict ("case", issue) do update set keys = excluded.keys, case_type = excluded.case_type
      where i.keys <> excluded.keys or i.case_type <> excluded.case_type`
    : sql`select "case", issue, ${case_type}::int, keys from answer_keys
      on conflict ("case", issue) do update
      set keys = (select array_agg(distinct k) from unnest(i.keys || excluded.keys) k)
      where not i.keys @> excluded.keys`
  await sql`with batch as materialized (
      select ${caseId} as "case", ${issueId} as issue, r.answers from ${records} where r.id = any(${locked}::int[])
    ),
    fields as materialized (
      select key, value as kind, answer_key(${case_type}, ${name}, key, null) as answered
      from jsonb_each_text(${JSON.stringify(fields)}::jsonb)
    ),
    answered as materialized (
      select "case", issue, field, kind, answered, answer from (
        select b."case", b.issue, f.key as field, f.kind, f.answered, b.answers -> f.key as answer
        from batch b, fields f
        offset 0
      ) a where is_answered(answer)
    ),
    choices as materialized (
      select "case", issue, field, answer #>> '{}' as choice from answered
      where kind = 'choice' and jsonb_typeof(answer) <> 'array'
      union all
      select "case", issue, field, one #>> '{}' from answered, jsonb_array_elements(answer) one
      where kind = 'choice' and jsonb_typeof(answer) = 'array'
    ),
    -- Few answers are chosen by many records, and a key costs more than finding it.
    choice_keys as materialized (
      select field, choice, answer_key(${case_type}, ${name}, field, choice) as key
      from (select distinct field, choice from choices) c
    ),
    answer_keys as (
      select "case", issue, array_agg(distinct key) as keys from (
        select "case", issue, answered as key from answered
        union all
        select "case", issue, key from choices join choice_keys using (field, choice)
      ) k group by "case", issue
    ),
    keyed as (insert into answer_index as i ("case", issue, case_type, keys) ${keyed}),
    stored as materialized (
      select x.ctid as place, x."case", x.issue, x.case_type, x.field, x.amount, x.text
      from batch b join answer_values x on ${isOf} where ${isAnew} or x.field = any(${Object.keys(fields)}::text[])
    ),
    wanted as materialized (
      select "case", issue, ${case_type}::int as case_type, field,
        case kind when 'amount' then answer_amount(answer) end as amount,
        case kind when 'text' then answer_text(answer) end as text
      from answered where kind in ('amount', 'text')
    ),
    difference as materialized (
      select s.place, w.* from wanted w full join stored s
        on w."case" = s."case" and coalesce(w.issue, 0) = coalesce(s.issue, 0) and w.field = s.field
          and w.case_type = s.case_type and coalesce(w.amount::text, '') = coalesce(s.amount::text, '')
          and coalesce(w.text, '') = coalesce(s.text, '')
      where w."case" is null or s."case" is null
    ),
    gone as (delete from answer_values x using difference d where x.ctid = d.place)
    insert into answer_values ("case", issue, case_type, field, amount, text)
    select "case", issue, case_type, field, amount, text from difference where "case" is not null`.execute(tx)
}
