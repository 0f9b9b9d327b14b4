import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { upload } from './upload.ts'

const context = describeServer()
let advocate: Caller
let volunteer: Caller
let manager: Caller
let stranger: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
  volunteer = await context.as('volunteer')
  manager = await context.as('manager')
  stranger = await context.as('stranger')
})

interface Made {
  id: number
  client: number
  issue: number
}
const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })
const entry = (entity: string, id: number, body?: object) => ({
  params: { entity, id },
  ...(body && { body }),
})
const caseOf = async (who: Caller): Promise<Made> => {
  const made = await createCase(advocate)
  await sql`update issues set advocate = ${who.id}, created_by = null where id = ${made.issue}`.execute(
    context.db,
  )
  await sql`update cases set created_by = null where id = ${made.id}`.execute(context.db)
  await sql`update clients set created_by = null where id = ${made.client}`.execute(context.db)
  return made
}

/** How each kind of entry is made on an issue, and listed: the ids in the list of where it belongs. */
const KINDS: Record<
  string,
  { make: (who: Caller, at: Made) => Promise<number>; list: string; of: 'issue' | 'client' }
> = {
  action: {
    make: async (who, { issue }) =>
      (
        await who(
          'actions.addToIssue',
          on(issue, { type: 1, done_on: '2026-02-10', time_taken: 600, notes: 'Rang Ann' }),
        )
      ).body.id,
    list: 'actions.ofIssue',
    of: 'issue',
  },
  task: {
    make: async (who, { issue }) =>
      (await who('tasks.create', { body: { title: 'Ring', due: '2030-01-01', issue } })).body.id,
    list: 'tasks.ofIssue',
    of: 'issue',
  },
  issueDocument: {
    make: async (who, { issue }) =>
      (await upload(who, `/issue/${issue}/file/`, 'letter.txt', 'words')).body.id,
    list: 'documents.ofIssue',
    of: 'issue',
  },
  signpost: {
    make: async (who, { client }) => (await who('signposts.create', on(client, { sp_org: 1 }))).body.id,
    list: 'clients.signposts',
    of: 'client',
  },
}
const kinds = Object.entries(KINDS)
const listed = async (who: Caller, kind: string, at: Made) => {
  const { body } = await who(KINDS[kind].list, on(at[KINDS[kind].of]))
  return (body.data as { id: number }[]).map(({ id }) => id)
}
const story = async (who: Caller, { client }: Made) =>
  (await who('chronology.ofClient', on(client))).body.data

describe.each(kinds)('an entry on the wrong person: %s', (kind, { make }) => {
  it('is moved with its history, and both chronologies say so', async () => {
    const [wrong, right] = [await caseOf(advocate), await caseOf(advocate)]
    const id = await make(advocate, wrong)
    const moved = await advocate('entries.move', entry(kind, id, { issue: right.issue }))
    expect([moved.status, moved.body]).toMatchObject([
      200,
      { id, entity: kind, client: right.client, case: right.id },
    ])
    expect([await listed(advocate, kind, wrong), await listed(advocate, kind, right)]).toEqual([[], [id]])
    const events = async (at: Made) =>
      (await story(advocate, at))
        .filter((row: { entity: string }) => row.entity === kind)
        .map((row: { action: string }) => row.action)
    expect(await events(wrong)).toEqual(['move away'])
    expect(await events(right)).toEqual(expect.arrayContaining(['move', 'create']))
  })

  it('is not moved to or from an issue that the person may not see', async () => {
    const [own, foreign] = [await caseOf(advocate), await caseOf(stranger)]
    const id = await make(advocate, own)
    const there = await advocate('entries.move', entry(kind, id, { issue: foreign.issue }))
    expect([there.status, there.body]).toEqual([400, { issue: ['It must be an issue that you may see'] }])
    const mine = await caseOf(stranger)
    expect((await stranger('entries.move', entry(kind, id, { issue: mine.issue }))).status).toBe(404)
    expect((await advocate('entries.move', entry(kind, id, { issue: own.issue }))).status).toBe(400)
  })

  it('is kept in the chronology with the reason, and in no list, until the mark is undone', async () => {
    const at = await caseOf(advocate)
    const id = await make(advocate, at)
    expect((await advocate('entries.markError', entry(kind, id, {}))).body).toHaveProperty('reason')
    expect((await stranger('entries.markError', entry(kind, id, { reason: 'x' }))).status).toBe(404)
    const marked = await advocate('entries.markError', entry(kind, id, { reason: 'Wrong Ann' }))
    expect([marked.status, marked.body.error_reason]).toEqual([200, 'Wrong Ann'])
    expect(await listed(advocate, kind, at)).toEqual([])
    const rows = (await story(advocate, at)).filter(
      (row: { entity: string; action: string }) => row.entity === kind && row.action !== 'mark error',
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(
      rows.map((row: { error_reason: string; linked: unknown }) => [row.error_reason, row.linked]),
    ).toEqual(rows.map(() => ['Wrong Ann', null]))
    expect((await stranger('entries.clearError', entry(kind, id))).status).toBe(404)
    expect((await advocate('entries.clearError', entry(kind, id))).body.error_reason).toBeNull()
    expect(await listed(advocate, kind, at)).toEqual([id])
  })
})

it('moves and marks only the entries that there are', async () => {
  const { issue } = await caseOf(advocate)
  for (const kind of ['issue', 'client', 'constructor'])
    expect((await advocate('entries.markError', entry(kind, issue, { reason: 'x' }))).status).toBe(404)
})

describe('an action', () => {
  it('takes its step and its hours along, and leaves the last contact of the issue before', async () => {
    const [wrong, right] = [await caseOf(advocate), await caseOf(advocate)]
    const body = { type: 1, done_on: '2026-02-10', next_step: 'Ring', next_due: '2030-01-01' }
    const id = (await advocate('actions.addToIssue', on(wrong.issue, body))).body.id
    await advocate('entries.move', entry('action', id, { issue: right.issue }))
    const issue = async (one: Made) => (await advocate('issues.read', on(one.issue))).body
    expect(await issue(wrong)).toMatchObject({ last_contact: null, next_step: null })
    expect(await issue(right)).toMatchObject({ last_contact: '2026-02-10', next_step: 'Ring' })
    await advocate('entries.markError', entry('action', id, { reason: 'Twice' }))
    expect(await issue(right)).toMatchObject({ last_contact: null, next_step: null, open_tasks: 0 })
    await advocate('entries.clearError', entry('action', id))
    expect(await issue(right)).toMatchObject({ last_contact: '2026-02-10', next_step: 'Ring', open_tasks: 1 })
  })

  it('entered in error is in no sum of hours', async () => {
    const at = await caseOf(advocate)
    const hours = async () =>
      (await advocate('reports.ownTime', { query: { start: '2026-02-01', end: '2026-02-28' } })).body.data
    const before = await hours()
    const id = await KINDS.action.make(advocate, at)
    expect(await hours()).not.toEqual(before)
    await advocate('entries.markError', entry('action', id, { reason: 'Twice' }))
    expect(await hours()).toEqual(before)
  })
})

describe('an open step', () => {
  it('is not moved to where its assignee does not see it, unless somebody is chosen who does', async () => {
    const [from, to] = [await caseOf(volunteer), await caseOf(advocate)]
    const id = await KINDS.task.make(volunteer, from)
    const alone = await manager('entries.move', entry('task', id, { issue: to.issue }))
    expect([alone.status, alone.body.assignee?.[0]]).toEqual([
      400,
      'volunteer Example, who is to do it, may not see that issue: choose who is to do it there',
    ])
    const given = await manager('entries.move', entry('task', id, { issue: to.issue, assignee: advocate.id }))
    expect(given.status).toBe(200)
    expect((await advocate('tasks.read', on(id))).body).toMatchObject({
      issue: to.issue,
      assignee: advocate.id,
    })
    const { rows } = await sql`select staff from work_notices where task = ${id}`.execute(context.db)
    expect(rows).toContainEqual({ staff: advocate.id })
  })

  it('is not moved to a closed issue, though what was done is', async () => {
    const [from, to] = [await caseOf(advocate), await caseOf(advocate)]
    const [task, action] = [await KINDS.task.make(advocate, from), await KINDS.action.make(advocate, from)]
    await advocate('issues.close', on(to.issue, { reasons: [1] }))
    expect((await advocate('entries.move', entry('task', task, { issue: to.issue }))).status).toBe(400)
    expect((await advocate('entries.move', entry('action', action, { issue: to.issue }))).status).toBe(200)
  })
})

it('gives the file of a moved document to those who see its new issue, and that of a wrong one to nobody', async () => {
  const [from, to] = [await caseOf(advocate), await caseOf(stranger)]
  await sql`update issues set created_by = ${advocate.id} where id = ${to.issue}`.execute(context.db)
  const { id, file } = (await upload(advocate, `/issue/${from.issue}/file/`, 'letter.txt', 'words')).body
  const status = async (who: Caller) => (await who('files.download', on(file))).status
  expect([await status(advocate), await status(stranger)]).toEqual([200, 404])
  await advocate('entries.move', entry('issueDocument', id, { issue: to.issue }))
  expect(await status(stranger)).toBe(200)
  await advocate('entries.markError', entry('issueDocument', id, { reason: 'Not theirs' }))
  expect(await status(stranger)).toBe(404)
})

const TABLES = /\b(actions|tasks|issue_documents|signposts)\b/

describe('what was entered in error', () => {
  /** Why SQL may read these tables without leaving such entries out: file, and words of the statement. */
  const COUNTED_ALL: Record<string, string> = {
    'features/clients/purgeCounts.ts': 'a purge deletes them too',
    'features/bulk/undoRows.ts': 'they are kept from being deleted with an upload',
    'features/entries/entries.ts': 'the mark is set and undone here',
    'features/entries/handlers.ts': 'the mark is set and undone here',
    'records/purge/purge.ts': 'a purge deletes them too',
    'records/query/visibleIds.ts select o.id from actions':
      'ids of rows that lists read from the view, which leaves them out',
    'records/query/visibleIds.ts select from actions f': 'decides only how the ids are found',
    'features/entries/doneTask.ts': 'updates one task that was read from the view',
  }
  const files = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((one) => one.isFile() && /\.(ts|sql)$/.test(one.name))
      .map((one) => join(one.parentPath, one.name))
      .filter((path) => !/\/(migrations|demo|transfer|migrate)\//.test(path))
  /** The statements of a file: a view is one for each of its selects, of code each line with the two after it. */
  const places = files('src/server').flatMap((path) => {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.flatMap((line, i) =>
      /\b(from|join) (actions|tasks|issue_documents|signposts)\b/.test(line)
        ? {
            path: path.replace('src/server/', ''),
            line: line.trim(),
            near: lines.slice(i, i + (path.endsWith('.sql') ? 12 : 3)).join('\n'),
          }
        : [],
    )
  })
  const isExempt = ({ path, line }: { path: string; line: string }) =>
    Object.keys(COUNTED_ALL).some((key) => {
      const [file, ...words] = key.split(' ')
      return path === file && line.includes(words.join(' '))
    })

  it('is left out by every view and every other query of these tables', () => {
    expect(places.length).toBeGreaterThan(20)
    const forgetting = places.filter(
      (place) =>
        !place.near.includes('error_reason') && place.path !== 'ops/views/chronology.sql' && !isExempt(place),
    )
    expect(forgetting.map(({ path, line }) => `${path}: ${line}`)).toEqual([])
  })

  it('is left out by every view of the database', async () => {
    const { rows: views } = await sql<{
      name: string
      definition: string
    }>`select relname as name, pg_get_viewdef(oid) as definition from pg_class
      where relkind = 'v' and relnamespace = current_schema()::regnamespace`.execute(context.db)
    const rows = views.filter(({ definition }) => TABLES.test(definition))
    expect(rows.length).toBeGreaterThan(6)
    const readings = (text: string, of: RegExp) => text.match(of)?.length ?? 0
    for (const { name, definition } of rows) {
      if (name === 'chronology') continue
      const tables = readings(definition, /\b(FROM|JOIN) \(*(actions|tasks|issue_documents|signposts)\b/g)
      const left = readings(definition, /error_reason IS NULL/g)
      expect([name, left >= tables], `${name} reads ${tables} of these tables`).toEqual([name, true])
    }
  })
})
