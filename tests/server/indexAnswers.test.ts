import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Db, openDatabase } from '../../src/server/core/db.ts'
import {
  indexingProgress,
  planIndexing,
  progressWords,
} from '../../src/server/features/caseTypes/answerIndexWork.ts'
import { indexAnswers } from '../../src/server/features/caseTypes/indexAnswers.ts'
import { startIndexing } from '../../src/server/ops/jobs/startIndexing.ts'
import { demoDatabase } from './database.ts'

const ending = new AbortController().signal

let database: Awaited<ReturnType<typeof demoDatabase>>
/** Two servers on one database. */
let [first, second]: Db[] = []
const closes: (() => Promise<void>)[] = []
/** What the triggers and the demo data have indexed. */
let indexed: unknown
beforeAll(async () => {
  database = await demoDatabase()
  for (const _ of [1, 2]) {
    const { db, close } = openDatabase(database.url)
    closes.push(close)
    if (first) second = db
    else first = db
  }
  await indexAnswers({ db: first, ending })
  indexed = await content()
})
afterAll(async () => {
  for (const close of closes) await close()
  await database?.drop()
})
beforeEach(async () => {
  await sql`truncate answer_index, answer_values, answer_index_work`.execute(first)
  await sql`update case_types set case_indexed = '{}', issue_indexed = '{}'`.execute(first)
})

async function content() {
  const rows = async (table: string, order: string) =>
    (await sql`select * from ${sql.table(table)} order by ${sql.raw(order)}`.execute(first)).rows
  return {
    keys: await rows('answer_index', '"case", issue'),
    values: await rows('answer_values', '"case", issue, field'),
  }
}

const isComplete = async () =>
  (
    await sql<{
      is: boolean
    }>`select bool_and(case_searched = case_indexed and issue_searched = issue_indexed)
      and not exists (select from answer_index_work) as is from case_types`.execute(first)
  ).rows[0].is

const records = async () =>
  (
    await sql<{
      n: number
    }>`select (select count(*) from cases) + (select count(*) from issues) as n`.execute(first)
  ).rows[0].n

/** A server that is killed at its statement of this number. */
function killedAt(db: Db, statement: number): Db {
  let statements = 0
  return db.withPlugin({
    transformQuery: ({ node }) => {
      if (statements++ >= statement) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  })
}

describe('the answers of a form', () => {
  it('are indexed as the triggers index them', async () => {
    expect(await indexAnswers({ db: first, ending })).toBe(await records())
    expect(await content()).toEqual(indexed)
    expect(await isComplete()).toBe(true)
  })

  it('are indexed once by several servers', async () => {
    const read = await Promise.all([first, second, first].map((db) => indexAnswers({ db, ending })))
    expect(read.reduce((sum, n) => sum + n, 0)).toBe(await records())
    expect(await content()).toEqual(indexed)
    expect(await isComplete()).toBe(true)
  })

  it('are shared: what one server is working on is left to it by another, which does the rest', async () => {
    await planIndexing(first)
    const { rows } = await sql<{
      records: number
    }>`select records from answer_index_work where records > 0 order by case_type, form, part limit 1`.execute(
      first,
    )
    await second.transaction().execute(async (tx) => {
      await sql`select from answer_index_work where records > 0 order by case_type, form, part limit 1 for update`.execute(
        tx,
      )
      expect(await indexAnswers({ db: first, ending })).toBe((await records()) - rows[0].records)
      expect(await isComplete()).toBe(false)
    })
    expect(await indexAnswers({ db: second, ending })).toBe(rows[0].records)
    expect(await content()).toEqual(indexed)
    expect(await isComplete()).toBe(true)
  })

  it('are continued by another server after a kill, whichever statement it cuts off', async () => {
    // Every third, so that a kill comes at each statement of a batch, and of the beginning and the end of a form.
    for (let statement = 0, isDone = false; !isDone; statement += statement < 30 ? 1 : 97) {
      isDone = await indexAnswers({ db: killedAt(first, statement), ending }).then(
        () => true,
        ({ message }) => {
          expect(message).toBe('killed')
          return false
        },
      )
    }
    expect(await content()).toEqual(indexed)
    expect(await isComplete()).toBe(true)
  })

  it('are indexed by the newer form if it is published meanwhile', async () => {
    await indexAnswers({ db: killedAt(first, 40), ending }).catch(() => undefined)
    expect(await isComplete()).toBe(false)
    const { rows } = await sql<{ id: number; meta: string; newer: string; field: string }>`
      select t.id, t.case_meta::text as meta, f.key as field,
        replace(t.case_meta::text, '"report": true', '"report": false') as newer
      from case_types t, jsonb_each(case_searched) f, answer_index_work w
      where w.case_type = t.id and f.value = '"amount"' limit 1`.execute(first)
    const [{ id, meta, newer }] = rows
    expect(newer).not.toBe(meta)
    const publish = (text: string) =>
      sql`update case_types set case_meta = ${text}::jsonb where id = ${id}`.execute(second)
    await publish(newer)
    await Promise.all([first, second].map((db) => indexAnswers({ db, ending })))
    const { rows: left } = await sql`select 1 from answer_values where case_type = ${id} and issue is null
      union all select 1 from answer_index where case_type = ${id} and issue is null and keys <> '{}'`.execute(
      first,
    )
    expect([left, await isComplete()]).toEqual([[], true])
    await publish(meta)
    await Promise.all([first, second].map((db) => indexAnswers({ db, ending })))
    expect(await content()).toEqual(indexed)
    expect(await isComplete()).toBe(true)
  })

  it.each(['choice', 'amount', 'text'])('to one more field (%s) are added to the others', async (kind) => {
    await indexAnswers({ db: first, ending })
    const { rows } = await sql<{ id: number; form: string; meta: string; without: string }>`
      with forms as (
        select id, 'case' as form, case_meta as meta, case_searched as searched from case_types
        union all select id, 'issue', issue_meta, issue_searched from case_types
      ),
      field as (
        select m.id, m.form, m.meta, f.key from forms m, jsonb_each_text(searched) f, answer_index i
        where f.value = ${kind} and i.case_type = m.id and (i.issue is null) = (m.form = 'case')
          and i.keys @> array[answer_key(m.id, m.form, f.key, null)] order by 1, 2, 4 limit 1
      )
      select id, form, meta::text, (
        select jsonb_agg(g || jsonb_build_object('fields', (
          select jsonb_agg(case f ->> 'name' when key then jsonb_set(f, '{attrs,report}', 'false') else f end)
          from jsonb_array_elements(g -> 'fields') f)))
        from jsonb_array_elements(meta) g)::text as without from field`.execute(first)
    const [{ id, form, meta, without }] = rows
    const publish = (text: string) =>
      sql`update case_types set ${sql.ref(`${form}_meta`)} = ${text}::jsonb where id = ${id}`.execute(second)
    await publish(without)
    await indexAnswers({ db: first, ending })
    expect(await content()).not.toEqual(indexed)
    await publish(meta)
    await indexAnswers({ db: first, ending })
    expect(await content()).toEqual(indexed)
  })

  it('that are saved while their record is being indexed are indexed as they were saved', async () => {
    const { rows } = await sql<{
      id: number
      answers: object
    }>`select id, answers from cases order by id limit 1`.execute(first)
    const [{ id, answers }] = rows
    let done: Promise<unknown> | undefined
    await second.transaction().execute(async (tx) => {
      await sql`update cases set answers = '{}' where id = ${id}`.execute(tx)
      done = indexAnswers({ db: first, ending })
      await expect
        .poll(
          async () =>
            (
              await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
                second,
              )
            ).rows.length,
          { timeout: 20_000 },
        )
        .toBeGreaterThan(0)
    })
    await done
    const { rows: found } =
      await sql`select keys from answer_index where "case" = ${id} and issue is null`.execute(first)
    expect(found).toEqual([{ keys: [] }])
    await sql`update cases set answers = ${JSON.stringify(answers)}::jsonb where id = ${id}`.execute(first)
    expect(await content()).toEqual(indexed)
  })

  it('that are indexed already are not written again', async () => {
    await indexAnswers({ db: first, ending })
    const places = async () =>
      (
        await sql`select array_agg(ctid order by ctid) as places from answer_index
          union all select array_agg(ctid order by ctid) from answer_values`.execute(first)
      ).rows
    const before = await places()
    await sql`update case_types set case_indexed = '{}', issue_indexed = '{}'`.execute(first)
    await indexAnswers({ db: first, ending })
    expect(await places()).toEqual(before)
    expect(await isComplete()).toBe(true)
  })

  it('are indexed by every server that runs, also where it was another one that began', async () => {
    const closing = new AbortController()
    const pendingWork = new Set<Promise<void>>()
    startIndexing({ db: first, ending: closing.signal, pendingWork } as unknown as FastifyInstance)
    await expect.poll(isComplete, { timeout: 60_000 }).toBe(true)
    closing.abort()
    await Promise.all(pendingWork)
    expect(await content()).toEqual(indexed)
  })
})

describe('the progress', () => {
  it.each([
    [{ records: 200_000, done: 45_000, seconds: 52 }, '45 of 200 thousand, about 3 minutes left'],
    [{ records: 2_800_000, done: 0, seconds: 0 }, '0 of 2800 thousand'],
    [{ records: 2_800_000, done: 1_400_000, seconds: 1800 }, '1400 of 2800 thousand, about 30 minutes left'],
    [{ records: 200_000, done: 199_900, seconds: 200 }, '200 of 200 thousand, about 1 minute left'],
    [{ records: 999, done: 450, seconds: 1 }, '450 of 999, about 1 minute left'],
  ])('%j is %s', (progress, words) => {
    expect(progressWords(progress)).toBe(words)
  })

  it('is that of all forms together, and nothing once all are indexed', async () => {
    await planIndexing(first)
    expect(await indexingProgress(first)).toMatch(/^0 of (\d+|\d+ thousand)$/)
    await indexAnswers({ db: first, ending })
    expect(await indexingProgress(first)).toBeNull()
  })
})
