import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import type { Db } from '../../src/server/core/db.ts'
import { reopenMigrations, workOnMigrations } from '../../src/server/features/caseTypes/workOnMigrations.ts'
import { moveAnswersOf } from '../../src/server/records/answerMigrations/moveAnswers.ts'
import {
  type AnsweredEntity,
  isCurrent,
} from '../../src/server/records/answerMigrations/pendingMigrations.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
type Forms = { case_meta: Group[]; issue_meta: Group[] }
/** The forms of two case types without fields of ours, and the other parts of these. */
const shipped: Record<number, Forms & Values> = {}
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  for (const type of [1, 2]) {
    const { body } = await admin('caseTypes.read', { params: { id: type } })
    const { case_meta, issue_meta, tests, automations, deadlines } = body
    shipped[type] = { case_meta, issue_meta, tests, automations, deadlines }
  }
})

const ours = (fields: Field[]): Group => ({ name: 'ours', label: 'Ours', fields })
const versionOf = async (type: number) =>
  (await admin('caseTypes.read', { params: { id: type } })).body.version as number
/** Publishes a case type with some fields in both of its forms; returns the version. */
async function publish(type: number, ofCase: Field[], ofIssue = ofCase): Promise<number> {
  const { case_meta, issue_meta, ...rest } = shipped[type]
  const { status, body } = await admin('caseTypes.update', {
    params: { id: type },
    body: {
      version: await versionOf(type),
      case_meta: [...case_meta, ours(ofCase)],
      issue_meta: [...issue_meta, ours(ofIssue)],
      ...rest,
    },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.version
}
const undo = async (type: number, version: number) =>
  expect((await admin('caseTypes.undoMigration', { params: { id: type }, body: { version } })).status).toBe(
    200,
  )
const work = (ending = new AbortController().signal, warn: (about: object) => void = () => undefined) =>
  workOnMigrations({ db: context.db, log: { warn }, ending })
const migrationOf = async (version: number) =>
  (
    await sql<{
      state: string
      moved: number
      worker: string | null
      attempts: number
      last_error: string | null
      wait: number
    }>`select state, moved, worker, attempts, last_error,
      extract(epoch from run_at - now())::int as wait from answer_migrations
      where case_type = 1 and version = ${version}`.execute(context.db)
  ).rows[0]
const isMoving = async () =>
  (await sql`select from answer_migrations where state = 'moving'`.execute(context.db)).rows.length > 0
/** Waits until no answers are being moved. */
const settled = () =>
  vi.waitFor(async () => {
    await work()
    expect(await isMoving()).toBe(false)
  }, 20_000)

const choice = (labels: string[], takes?: NonNullable<Field['attrs']>['takes']): Field => ({
  name: 'kind',
  label: 'Kind',
  type: 'select',
  attrs: { options: labels.map((label) => ({ value: label.toLowerCase(), label })), ...(takes && { takes }) },
})
const text = (name: string, from?: string): Field => ({
  name,
  label: name,
  type: 'text',
  attrs: from ? { takes: { from } } : {},
})
const [OLD, NEW] = [text('old_words'), text('new_words', 'old_words')]
/** Moves each value on to the next one, so that a value that is moved twice is seen. */
const KIND = choice(['A', 'B', 'C', 'D'])
const NEXT = choice(['A', 'B', 'C', 'D'], {
  from: 'kind',
  values: ['a', 'b', 'c'].map((was, i) => ({ was, is: 'bcd'[i] })),
})

type Ids = { id: number; issue: number }
/** A case and its issue with answers of ours. */
async function answered(type: number, ofCase: Values, ofIssue: Values = {}): Promise<Ids> {
  const made = await createCase(advocate, type)
  await save('cases', made.id, ofCase)
  await save('issues', made.issue, ofIssue)
  return made
}
async function save(records: 'cases' | 'issues', id: number, answers: Values, more: Values = {}) {
  const reply = await advocate(`${records}.update`, { params: { id }, body: { answers, ...more } })
  if (![200, 409].includes(reply.status)) throw new Error(JSON.stringify(reply.body))
  return reply
}
const stored = async (table: 'cases' | 'issues', id: number) =>
  (
    await sql<{ answers: Values; hidden_answers: Values; case_type_version: number }>`select answers,
      hidden_answers, case_type_version from ${sql.table(table)} where id = ${id}`.execute(context.db)
  ).rows[0]
const kindOf = async ({ id, issue }: Ids) => [
  (await stored('cases', id)).answers.kind,
  (await stored('issues', issue)).answers.kind,
]
/** Puts records back to the answers and version of before a publication, as a server leaves those that it did not reach. */
const putBack = (db: Db, table: 'cases' | 'issues', ids: number[], answers: Values, version: number) =>
  sql`update ${sql.table(table)} set answers = answers - 'new_words' || ${JSON.stringify(answers)}::jsonb,
    case_type_version = ${version} where id = any(${ids}::int[])`.execute(db)

beforeEach(async () => {
  await settled()
  await sql`delete from answer_migrations`.execute(context.db)
  await sql`update cases set answers = '{}', hidden_answers = '{}', answers_seen = '{}'`.execute(context.db)
  await sql`update issues set answers = '{}', hidden_answers = '{}', answers_seen = '{}'`.execute(context.db)
})

describe('a case and its issue, whose forms have fields of the same name', () => {
  it('are moved each by its own form, and get back each what it had', async () => {
    await publish(1, [KIND])
    const made = await answered(1, { kind: 'a' }, { kind: 'b' })
    const published = await publish(1, [NEXT], [choice(['A', 'B'], { from: 'kind' })])
    await settled()
    expect(await kindOf(made)).toEqual(['b', 'b'])
    expect(await migrationOf(published)).toMatchObject({ state: 'moved', moved: 2 })
    const both = await publish(1, [choice(['Bb', 'C'], { from: 'kind', values: [{ was: 'b', is: 'bb' }] })])
    await settled()
    expect(await kindOf(made)).toEqual(['bb', 'bb'])
    expect(await migrationOf(both)).toMatchObject({ moved: 2 })
    await undo(1, both)
    await settled()
    expect(await kindOf(made)).toEqual(['b', 'b'])
    await undo(1, published)
    await settled()
    expect(await kindOf(made)).toEqual(['a', 'b'])
  })

  it('have their changes of before by the values of their own form, and those of since as they are', async () => {
    // No issue has the id of the case.
    await sql`select setval(pg_get_serial_sequence('cases', 'id'), 900000)`.execute(context.db)
    const begun = await publish(1, [KIND])
    const made = await answered(1, { kind: 'a' }, { kind: 'a' })
    const manager = await context.as('manager')
    const records = [
      ['cases', made.id],
      ['issues', made.issue],
    ] as const
    const change = async (kind: string) => {
      const versions: number[] = []
      for (const [name, id] of records) {
        const { body } = await manager(`${name}.read`, { params: { id } })
        versions.push(body.version)
        const { status } = await manager(`${name}.update`, { params: { id }, body: { answers: { kind } } })
        expect([name, status]).toEqual([name, 200])
      }
      return versions
    }
    /** The reply to a save that clears both answers and is based on some versions of the records. */
    const conflicts = async (versions: number[], form: Values = {}) => {
      const fields: unknown[] = []
      for (const [i, [name, id]] of records.entries()) {
        const { status, body } = await save(name, id, { kind: null }, { version: versions[i], ...form })
        fields.push([status, body.fields['answers.kind'].base, body.fields['answers.kind'].theirs])
      }
      return fields
    }
    const before = await change('c')
    const issueKind = choice(['A', 'C', 'D'], { from: 'kind', values: [{ was: 'a', is: 'd' }] })
    await publish(1, [NEXT], [issueKind])
    await settled()
    expect(await conflicts(before, { case_type_version: begun })).toEqual([
      [409, 'b', 'd'],
      [409, 'd', 'c'],
    ])
    const since = await change('a')
    expect(await conflicts(since)).toEqual([
      [409, 'd', 'a'],
      [409, 'c', 'a'],
    ])
  })

  it('have their answers in drafts by the names of their own form', async () => {
    const version = await publish(1, [OLD], [OLD, KIND])
    const metas = { other: { fields: {} }, caseType: { id: 1, version, fields: {} } }
    const draft = async (kind: string, document: Values, more: Values = {}) =>
      (
        await advocate('drafts.create', {
          body: { kind, payload: { document, completed: ['one'], metas: { ...metas, ...more } } },
        })
      ).body.id as number
    const answers = { old_words: 'Mine', kind: 'a' }
    const ofCase = {
      case_type: 1,
      case: { answers: { old_words: 'His' } },
      issue: { answers, start_date: '2026-01-01' },
    }
    const [whole, issue] = [await draft('case', ofCase), await draft('issue', { case: 7, answers })]
    const action = await draft('action', { answers })
    const since = await draft(
      'issue',
      { answers },
      { caseType: { id: 1, version: version + 1, since: version } },
    )
    const none = await draft('issue', { answers }, { caseType: {} })
    const noForm = await draft('issue', { case_type: null, answers }, { caseType: 1 })
    const shiftedAt = await publish(1, [NEW], [NEW, NEXT])
    const lastAt = await publish(
      1,
      [text('last_words', 'new_words')],
      [text('last_words', 'new_words'), KIND],
    )
    expect([shiftedAt, lastAt]).toEqual([version + 1, version + 2])
    const read = async (id: number) => (await advocate('drafts.read', { params: { id } })).body.payload
    const moved = { last_words: 'Mine', kind: 'b' }
    expect(await read(whole)).toEqual({
      document: {
        case_type: 1,
        case: { answers: { last_words: 'His' } },
        issue: { answers: moved, start_date: '2026-01-01' },
      },
      completed: ['one'],
      metas: { ...metas, caseType: { ...metas.caseType, names: lastAt } },
    })
    expect((await read(issue)).document).toEqual({ case: 7, answers: moved })
    expect((await read(since)).document.answers).toEqual(moved)
    for (const id of [action, none, noForm]) expect((await read(id)).document.answers).toEqual(answers)
  })

  it('have their drafts as they are if no wizard has saved them and nothing was published since', async () => {
    await publish(1, [KIND])
    await publish(1, [NEXT])
    const document = { case_type: 1, case: { answers: { kind: 'a' } }, issue: {} }
    const draft = async (payload: Values) =>
      (await advocate('drafts.create', { body: { kind: 'case', payload } })).body.id as number
    const [id, odd, typed] = [
      await draft({ document, metas: {} }),
      await draft({ document, metas: [] }),
      await draft({ document: { ...document, case_type: 'one' }, metas: {} }),
    ]
    const read = async (one: number) => (await advocate('drafts.read', { params: { id: one } })).body.payload
    expect(await read(id)).toEqual({ document, metas: {} })
    const caseType = { id: 1, version: await versionOf(1), fields: {} }
    const bare = await draft({ metas: { empty: null, caseType } })
    const half = await draft({ document: { case_type: 1, case: null }, metas: { empty: null, caseType } })
    const unversioned = await draft({ document, metas: { caseType: { id: 1 } } })
    const { body: empty } = await advocate('drafts.create', { body: { kind: 'case' } })
    await publish(1, [KIND])
    await publish(1, [NEXT])
    await draft({ document, metas: {} })
    const { document: moved, metas } = await read(id)
    expect([moved.case.answers, metas]).toEqual([{ kind: 'b' }, {}])
    expect((await read(unversioned)).document).toEqual(document)
    expect((await read(odd)).document).toEqual(document)
    expect(await read(bare)).toEqual({ metas: { empty: null, caseType } })
    expect((await advocate('drafts.read', { params: { id: empty.id } })).status).toBe(200)
    expect((await read(half)).document).toEqual({ case_type: 1, case: null })
    expect((await read(typed)).document.case.answers).toEqual({ kind: 'a' })
  })
})

describe('two case types with fields of the same name', () => {
  /** Publishes both until they have the same version. */
  async function align(): Promise<void> {
    const versions = await Promise.all([1, 2].map(versionOf))
    const behind = versions[0] < versions[1] ? 1 : 2
    for (let n = Math.abs(versions[0] - versions[1]); n > 0; n--) await publish(behind, [text(`filler_${n}`)])
  }

  it('are moved each by its own publications, also where one is undone at the same version', async () => {
    await align()
    const fields = [OLD, KIND]
    await publish(1, fields)
    await publish(2, fields)
    const answers = { old_words: 'Post', kind: 'a' }
    const [first, second] = [await answered(1, answers, answers), await answered(2, answers, answers)]
    await publish(2, [NEW, NEXT])
    await settled()
    expect([await kindOf(first), await kindOf(second)]).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ])
    const { body } = await advocate('cases.read', { params: { id: first.id } })
    expect(body.answers).toMatchObject(answers)
    // Records whose answers are to be moved are not validated before.
    const current = async (name: AnsweredEntity, id: number) =>
      (
        await sql`select from ${sql.table(`${name}s`)} r where r.id = ${id} and ${isCurrent(name)}`.execute(
          context.db,
        )
      ).rows.length
    expect([await current('case', first.id), await current('issue', first.issue)]).toEqual([1, 1])
    const theirs = text('their_words', 'old_words')
    const published = await publish(1, [
      theirs,
      choice(['A', 'D'], { from: 'kind', values: [{ was: 'a', is: 'd' }] }),
    ])
    expect(published).toBe(await versionOf(2))
    await settled()
    expect([await kindOf(first), await kindOf(second)]).toEqual([
      ['d', 'd'],
      ['b', 'b'],
    ])
    await undo(1, published)
    await settled()
    expect((await stored('cases', first.id)).answers).toMatchObject(answers)
    expect((await stored('issues', first.issue)).answers).toMatchObject(answers)
    expect(await kindOf(second)).toEqual(['b', 'b'])
    expect((await stored('cases', second.id)).answers.new_words).toBe('Post')
  })
})

describe('moving the answers of many records', () => {
  /** A publication that has reached none of some records; returns it and their ids. */
  async function behind(count: number): Promise<{ published: number; ids: number[] }> {
    await publish(1, [OLD])
    const { id } = await answered(1, { old_words: 'Post' })
    const published = await publish(1, [NEW])
    await settled()
    const { rows } = await sql<{ id: number }>`insert into cases
        (client, service, case_type, case_type_version, contract, created_by)
      select client, service, case_type, case_type_version, contract, created_by
      from cases, generate_series(2, ${count}) where id = ${id} returning id`.execute(context.db)
    const ids = [id, ...rows.map((row) => row.id)]
    await sql`delete from replaced_answers`.execute(context.db)
    await sql`update answer_migrations set moved = 0 where version = ${published}`.execute(context.db)
    await putBack(context.db, 'cases', ids, { old_words: 'Post' }, published - 1)
    return { published, ids }
  }
  const open = (published: number) =>
    sql`update answer_migrations set state = 'moving', run_at = now() where version = ${published}`.execute(
      context.db,
    )
  const movedOf = async (ids: number[]) =>
    (
      await sql`select from cases where id = any(${ids}::int[]) and answers ->> 'new_words' = 'Post'`.execute(
        context.db,
      )
    ).rows.length

  it('reaches one more than a batch', async () => {
    const { published, ids } = await behind(101)
    await open(published)
    await vi.waitFor(async () => {
      await work()
      expect(await migrationOf(published)).toMatchObject({
        state: 'moved',
        moved: 101,
        wait: expect.any(Number),
      })
    })
    expect(await movedOf(ids)).toBe(101)
  })

  it('waits for none that somebody has locked, and moves it a little later', async () => {
    const { published, ids } = await behind(3)
    await context.db.transaction().execute(async (tx) => {
      await sql`select from cases where id = ${ids[0]} for update`.execute(tx)
      await open(published)
      await vi.waitFor(async () => {
        await work()
        expect(await movedOf(ids)).toBe(2)
      })
      const { state, wait } = await migrationOf(published)
      expect([state, wait <= 1]).toEqual(['moving', true])
    })
    await settled()
    expect([await movedOf(ids), (await migrationOf(published)).moved]).toEqual([3, 3])
  })

  it('is tried again later if it fails, and the next publication is moved', async () => {
    const { published, ids } = await behind(2)
    await sql`create function refuse_move() returns trigger language plpgsql as
      $$ begin raise 'no' using errcode = 'P0042'; end $$`.execute(context.db)
    await sql`create trigger no_move before update on cases for each row when (new.id = ${sql.lit(ids[1])})
      execute function refuse_move()`.execute(context.db)
    const warnings: object[] = []
    try {
      await open(published)
      await vi.waitFor(async () => {
        await work(undefined, (about) => warnings.push(about))
        expect(await migrationOf(published)).toMatchObject({
          ...{ state: 'moving', worker: null, attempts: 1, last_error: 'P0042', moved: 0 },
        })
      })
      expect((await migrationOf(published)).wait).toBeGreaterThan(20)
    } finally {
      await sql`drop trigger no_move on cases`.execute(context.db)
    }
    expect(await movedOf(ids)).toBe(0)
    await open(published)
    await settled()
    expect(await movedOf(ids)).toBe(2)
  })

  it('ends with the server and leaves the rest to another one', async () => {
    const { published, ids } = await behind(2)
    const ending = new AbortController()
    ending.abort()
    await open(published)
    expect(await work(ending.signal)).toBe(0)
    await settled()
    expect(await movedOf(ids)).toBe(2)
  })

  it('is opened again for a case or an issue of the last day, and for no other publication', async () => {
    await publish(1, [OLD])
    const made = await answered(1, { old_words: 'Post' }, { old_words: 'Post' })
    const published = await publish(1, [NEW])
    await settled()
    const other = await publish(1, [text('new_words'), text('more')])
    const last = await publish(1, [text('new_words'), text('rest', 'more')])
    expect(last).toBe(other + 1)
    await settled()
    const reopened = async () => {
      await sql`update answer_migrations set state = 'moved', run_at = now() + interval '1 hour'`.execute(
        context.db,
      )
      await reopenMigrations(context.db)
      const { rows } = await sql<{ version: number }>`select version from answer_migrations
        where state = 'moving' and run_at <= now()`.execute(context.db)
      await sql`update answer_migrations set state = 'moved'`.execute(context.db)
      return rows.map(({ version }) => version)
    }
    expect(await reopened()).toEqual([])
    await putBack(context.db, 'issues', [made.issue], { old_words: 'Late' }, published - 1)
    expect(await reopened()).toEqual([published])
    await putBack(context.db, 'cases', [made.id], { old_words: 'Late' }, published - 1)
    await moveAnswersOf(context.db, 'issue', made.issue)
    expect(await reopened()).toEqual([published])
    await sql`update answer_migrations set at = now() - interval '1 day'`.execute(context.db)
    expect(await reopened()).toEqual([])
    await moveAnswersOf(context.db, 'case', made.id)
  })
})

describe('a record that two publications have not reached', () => {
  it('is moved by both at once, and by neither again', async () => {
    const begun = await publish(1, [KIND])
    const made = await answered(1, { kind: 'a' }, { kind: 'b' })
    await publish(1, [NEXT])
    const last = await publish(1, [
      choice(['A', 'B', 'C', 'D', 'E'], {
        from: 'kind',
        values: [...'abcd'].map((was, i) => ({ was, is: 'bcde'[i] })),
      }),
    ])
    expect(last).toBe(begun + 2)
    await settled()
    await putBack(context.db, 'cases', [made.id], { kind: 'a' }, begun)
    await putBack(context.db, 'issues', [made.issue], { kind: 'b' }, begun)
    for (let times = 0; times < 2; times++) {
      await moveAnswersOf(context.db, 'case', made.id)
      await moveAnswersOf(context.db, 'issue', made.issue)
      expect(await kindOf(made)).toEqual(['c', 'd'])
    }
    expect((await stored('cases', made.id)).case_type_version).toBe(last)
  })
})

describe('a save that moves the answers of its record first', () => {
  it('fires events of automations by what it changes itself alone', async () => {
    await publish(1, [OLD])
    const { id } = await answered(1, { old_words: 'Post' })
    const published = await publish(1, [NEW])
    await settled()
    await putBack(context.db, 'cases', [id], { old_words: 'Post' }, published - 1)
    await context.db.transaction().execute(async (tx) => {
      const changes = async () =>
        (
          await sql`select fires from automation_changes where "case" = ${id}
            and transaction = pg_current_xact_id()`.execute(tx)
        ).rows
      await moveAnswersOf(tx, 'case', id)
      expect(await changes()).toEqual([])
      await sql`update cases set version = version + 1 where id = ${id}`.execute(tx)
      expect(await changes()).toEqual([{ fires: true }])
    })
    expect((await stored('cases', id)).answers.new_words).toBe('Post')
  })
})
