import { sql } from 'kysely'
import { beforeAll, expect, it, vi } from 'vitest'
import { asProblem } from '../../src/server/core/problems.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'
import { someoneWaits } from './someoneWaits.ts'

const WAIT = { interval: 20, timeout: 10_000 }

const context = describeServer()
let advocate: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
})

type Ids = Awaited<ReturnType<typeof createCase>>
const DELETE = {
  issue: ({ issue }: Ids) => [sql`delete from issues where id = ${issue}`],
  case: ({ id }: Ids) => [
    sql`delete from issues where "case" = ${id}`,
    sql`delete from cases where id = ${id}`,
  ],
}

it.each([
  [
    'an action',
    'issue',
    ({ issue }: Ids) => advocate('actions.create', { body: { issue, type: 1, done_on: '2026-02-10' } }),
  ],
  ['a task', 'issue', ({ issue }: Ids) => advocate('tasks.create', { body: { issue, title: 'Ring' } })],
  [
    'an action',
    'case',
    ({ id }: Ids) =>
      advocate('actions.addToCase', { params: { id }, body: { type: 1, done_on: '2026-02-10' } }),
  ],
  [
    'an issue',
    'case',
    async ({ id }: Ids) =>
      advocate('cases.addIssue', { params: { id }, body: (await newCase(advocate)).issue }),
  ],
] as const)('%s of one %s that is deleted meanwhile is a 404', async (_, entity, write) => {
  const ids = await createCase(advocate)
  let reply: ReturnType<typeof write> | undefined
  let isAnswered = false
  await context.db.transaction().execute(async (tx) => {
    for (const deletion of DELETE[entity](ids)) await deletion.execute(tx)
    reply = write(ids).finally(() => {
      isAnswered = true
    })
    await vi.waitFor(async () => expect(isAnswered || (await someoneWaits(context.db))).toBe(true), WAIT)
  })
  const { status, body } = (await reply)!
  expect([status, body.code]).toEqual([404, 'notFound'])
})

it.each([
  [
    'English',
    'Key (issue)=(5) is not present in table "issues".',
    'Key (id)=(5) is still referenced from table "actions".',
  ],
  [
    'German',
    'Schlüssel (issue)=(5) ist nicht in Tabelle »issues« vorhanden.',
    'Auf Schlüssel (id)=(5) wird noch aus Tabelle »actions« verwiesen.',
  ],
  [
    'Polish',
    'Klucz (issue)=(5) nie występuje w tabeli "issues".',
    'Klucz (id)=(5) ma wciąż odwołanie w tabeli "actions".',
  ],
  [
    'Japanese',
    'テーブル"issues"にキー(issue)=(5)がありません',
    'キー(id)=(5)はまだテーブル"actions"から参照されています',
  ],
])('a missing parent is distinguished from one in use if the database speaks %s', (_, missing, used) => {
  const of = (detail: string) =>
    asProblem({ code: '23503', table: 'actions', constraint: 'actions_issue_fkey', detail }).body.code
  expect([of(missing), of(used)]).toEqual(['notFound', 'inUse'])
})

it('a record that others need is still in use', async () => {
  const { issue } = await createCase(advocate)
  await advocate('actions.addToIssue', { params: { id: issue }, body: { type: 1, done_on: '2026-02-10' } })
  const second = await advocate('issues.remove', { params: { id: issue } })
  expect(second.status).toBe(409)
})

it('a body that is too large is not called a file', async () => {
  const { id } = await createCase(advocate)
  const { status, body } = await advocate('cases.update', {
    params: { id },
    body: { answers: { a: 'x'.repeat(2_000_000) } },
  })
  expect([status, body.code]).toEqual([413, 'bodyTooLarge'])
  expect(body.message).not.toContain('file')
})
