import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Metas } from '../../src/contract/meta/metaTypes.ts'
import { type Db, openDatabase } from '../../src/server/core/db.ts'
import { storedUsage } from '../../src/server/features/caseTypes/answerCounts.ts'
import { answerUsage } from '../../src/server/features/caseTypes/caseTypeUsage.ts'
import { countAnswers } from '../../src/server/features/caseTypes/countAnswers.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { demoDatabase } from './database.ts'

const ending = new AbortController().signal
/** Case type whose records change. */
const TYPE = 1
const ANSWERS = [
  { ward: 'a=b' },
  { kind: 'a', family: [{ relation: 'sister' }, { relation: 'sister' }, {}] },
  { kind: 'b', kinds: ['a', 'b'], family: [] },
  { kinds: [], notes: null },
]
const OPTIONS = { options: ['a', 'b'].map((value) => ({ value, label: value })) }
/** Fields with choices, which publications add and take away. */
const CHOICES = [
  { name: 'kind', label: 'Kind', type: 'select', attrs: OPTIONS },
  { name: 'kinds', label: 'Kinds', type: 'multiselect', attrs: OPTIONS },
  {
    name: 'family',
    label: 'Family',
    type: 'repeat',
    fields: [{ name: 'relation', label: 'Relation', type: 'select', attrs: OPTIONS }],
  },
]

let database: Awaited<ReturnType<typeof demoDatabase>>
let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  database = await demoDatabase()
  ;({ db, close } = openDatabase(database.url, { size: 16 }))
})
afterAll(async () => {
  await close?.()
  await database?.drop()
})

/** One change to the records of the case type, or to its form. */
async function change(random: Random): Promise<unknown> {
  const table = sql.table(random.pick(['cases', 'issues']))
  const some = sql`id in (select r.id from ${table} r order by md5(r.id::text || ${random.between(1, 1000)}::text) limit 3)`
  const answers = JSON.stringify(random.pick(ANSWERS))
  switch (random.pick(['insert', 'answer', 'answer', 'hide', 'show', 'delete', 'publish'])) {
    case 'insert':
      return sql`insert into issues ("case", service, contract, case_type_version, issue_type, start_date, answers)
        select "case", service, contract, case_type_version, issue_type, start_date, ${answers}::jsonb from issues
        where ${some}`.execute(db)
    case 'answer':
      return sql`update ${table} set answers = answers || ${answers}::jsonb where ${some}`.execute(db)
    case 'hide':
      return sql`update ${table} set hidden_answers = '{"kind": {"value": "b"}, "gone": {"value": [1, 2]}}',
        answers = answers - 'kind' where ${some}`.execute(db)
    case 'show':
      return sql`update ${table} set hidden_answers = '{}' where ${some}`.execute(db)
    case 'delete':
      return sql`delete from issues where ${some} and advocate is null and next_task is null and last_contact is null
        and created_by is null`.execute(db)
    default: {
      const fields = CHOICES.filter(() => random.chance(0.7))
      const added = JSON.stringify([{ name: 'counted', label: 'Counted', fields }])
      return sql`update case_types set version = version + 1,
        issue_meta = (select jsonb_agg(g) from jsonb_array_elements(issue_meta) g where g ->> 'name' <> 'counted') || ${added}::jsonb
        where id = ${TYPE}`.execute(db)
    }
  }
}

/** Compares the counts with all answers at one moment; false if there are no counts. */
async function isCounted(): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const { rows } =
        await sql<Metas>`select case_meta, issue_meta from case_types where id = ${TYPE}`.execute(tx)
      const stored = await storedUsage(tx, TYPE)
      if (!stored) return false
      const { cases, issues, ...usage } = stored
      expect(usage).toEqual(await answerUsage(tx, TYPE, rows[0]))
      const { rows: totals } =
        await sql`select (select count(*) from cases where case_type = ${TYPE}) as cases,
        (select count(*) from issues i join cases k on k.id = i."case" where k.case_type = ${TYPE}) as issues`.execute(
          tx,
        )
      expect([{ cases, issues }]).toEqual(totals)
      return true
    })
}

it('there are no counts until the records are counted, then those of all answers', async () => {
  expect(await isCounted()).toBe(false)
  await countAnswers({ db, ending })
  expect(await isCounted()).toBe(true)
})

it('counts are those of all answers at any moment, whatever is saved, published and counted at once', async () => {
  let compared = 0
  let working = true
  // Publications may end all counts again and again, until the last of them.
  const isDone = () => !working && compared > 0
  const change40 = async (seed: number) => {
    const random = seeded(seed)
    for (let i = 0; i < 40; i++)
      await change(random).catch((error) => {
        // Rows that others delete or wait for.
        if (!['40P01', '23503', '55P03'].includes(error.code)) throw error
      })
  }
  const count = async () => {
    while (!isDone()) await countAnswers({ db, ending })
  }
  const compare = async () => {
    while (!isDone()) if (await isCounted()) compared++
  }
  const counting = [count(), count(), compare()]
  await Promise.all([1, 2, 3, 4].map(change40)).finally(() => {
    working = false
  })
  await Promise.all(counting)
  await countAnswers({ db, ending })
  expect(await isCounted()).toBe(true)
  expect((await sql`select from answer_count_changes`.execute(db)).rows).toEqual([])
})
