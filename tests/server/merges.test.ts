import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyAccess } from '../../src/server/access/accessRows.ts'
import type { Sql } from '../../src/server/core/db.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { JOBS } from '../../src/server/ops/jobs/jobs.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { CASE_REFERENCES, MOVED_WITH_CASE } from '../../src/server/records/merged/caseReferences.ts'
import { CLIENT_REFERENCES, MOVED_WITH_CLIENT } from '../../src/server/records/merged/clientReferences.ts'
import { FULL } from '../full.ts'
import { type Caller, describeServer } from './context.ts'
import { evaluated } from './evaluated.ts'
import { createCase, newCase } from './newCase.ts'
import { recordStatements } from './recordStatements.ts'
import { upload } from './upload.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
let manager: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  manager = await context.as('manager')
})

const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })
const pair = (id: number, other: number) => ({ params: { id, other } })

interface Made {
  id: number
  client: number
  issue: number
}

/** A case whose issue is the advocate's, with an action, a step and a risk. */
async function made(client: object = {}): Promise<Made> {
  const one = await createCase(advocate, 1, {
    client: { first_name: 'Deirdre', last_name: 'Dubois', ...client },
    signposting: [{ sp_org: 1 }],
  })
  await sql`update issues set advocate = ${advocate.id} where id = ${one.issue}`.execute(context.db)
  await advocate('actions.addToIssue', on(one.issue, ACTION))
  await advocate('risks.create', on(one.client, { type: 1, details: 'Large dog' }))
  return one
}
const ACTION = { type: 1, done_on: '2026-02-10', time_taken: 1800, next_step: 'Ring', next_due: '2026-03-01' }

interface Comparison {
  version: number
  other_version: number
  rows: { id: string; choice: string | null; reason: string | null; may_both: boolean }[]
}

/** Comparisons are limited to so many a minute. */
const forgetCalls = () => sql`delete from call_count`.execute(context.db)
// All tests of this file are one person's merges within a minute.
beforeEach(async () => {
  await forgetCalls()
})

/** Merges by the choices made beforehand, and mine where there is none. */
async function merge(who: Caller, id: number, other: number, choices: Record<string, string> = {}) {
  const { status, body } = await who('merges.compare', pair(id, other))
  if (status !== 200) return { status, body }
  const { version, other_version, rows } = body as Comparison
  const chosen = Object.fromEntries(rows.map((row) => [row.id, choices[row.id] ?? row.choice ?? 'mine']))
  return who('merges.merge', on(id, { other, version, other_version, choices: chosen }))
}

const publishedType = async () => (await admin('caseTypes.read', on(1))).body

/** Publishes a change of case type 1, and waits until all cases are evaluated by it. */
async function publish(change: object): Promise<void> {
  const { version } = await publishedType()
  const { status, body } = await admin('caseTypes.update', on(1, { ...change, version }))
  expect(status, JSON.stringify(body)).toBe(200)
  await evaluated(context)
}

/** Runs with two automations, which plan a step and notify while a field of a case has a value, or has none. */
async function withAutomationsOf(path: string, run: () => Promise<void>): Promise<void> {
  const automation = (name: string, set: boolean) => ({
    name,
    label: name,
    of: 'case',
    when: { [path]: { set } },
    then: [
      { alert: name, level: 'info' },
      { step: name, due: { days: 1 } },
      { notify: ['line_manager', 'advocate'], text: name },
    ],
  })
  const added = [automation('is_known', true), automation('is_missing', false)]
  const { automations } = await publishedType()
  await publish({ automations: [...automations, ...added] })
  try {
    await run()
  } finally {
    await publish({ automations })
  }
}

/** The names of the alerts of a case, and how often something followed from an automation by now. */
async function followed(caseId: number) {
  const { rows } = await sql<{
    alerts: string[] | null
    events: number
    steps: number
    notices: number
  }>`select
      (select array_agg(name order by name) from automation_states where "case" = ${caseId}
        and name in ('is_known', 'is_missing')) as alerts,
      (select count(*)::int from automation_events) as events,
      (select count(*)::int from tasks where event is not null) as steps,
      (select count(*)::int from work_notices where event is not null) as notices`.execute(context.db)
  return rows[0]
}

/** Publishes another group of the form of cases. */
async function addGroup(name: string, fields: object[]): Promise<void> {
  const { case_meta } = await publishedType()
  await publish({ case_meta: [...case_meta, { name, label: name, fields }] })
}

const moveAction = (id: number, { id: caseId, issue }: Pick<Made, 'id'> & { issue: number | null }) =>
  sql`update actions set "case" = ${caseId}, issue = ${issue} where id = ${id}`.execute(context.db)

/** The client or case of each action, with the time taken, in the order of the ids. */
async function placesOf(ids: number[], column: 'client' | 'case') {
  const { rows } = await sql<{
    place: number
    time: number
  }>`select ${sql.ref(column)} as place, time_taken as time
    from actions where id = any(${ids}::int[]) order by id`.execute(context.db)
  return rows.map(({ place, time }) => [place, time])
}

const clientOf = async (id: number) => (await admin('clients.read', on(id))).body

/** Columns with data that might name a client, but does not; `%` stands for any text. */
const OF_NO_CLIENT = [
  'activities.%',
  'actions.%_outcomes',
  'answer_%',
  'audit.changes',
  'audit_moving.%',
  'bulk_rows.cells',
  'bulk_rows.errors',
  'bulk_rows.client_added',
  'bulk_uploads.%',
  'case_monitoring.client_groups',
  'case_type%',
  'cases.answers',
  'cases.hidden_answers',
  'clients.address',
  'clients.contacts',
  'counted_choices.%',
  'issues.%answers',
  'issues.%_outcomes',
  'issues.allocation_asked',
  'jobs.%',
  'lookup.attrs',
  'migration%',
  'referral_forms.%',
  'referral_requests.person',
  'referral_requests.answers',
  'referral_requests.referrer',
  'setting.value',
  'staff.notify_client',
]

describe('the columns that refer to a client', () => {
  it('are all in one list, which says what a merge and a purge do with them', async () => {
    const { rows } = await sql<{ name: string; refers: boolean }>`
      select c.relname || '.' || a.attname as name, exists (select from pg_constraint f where f.conrelid = c.oid
          and f.contype = 'f' and f.confrelid = 'clients'::regclass and a.attnum = any(f.conkey)) as refers
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (a.attname like '%client%' or a.attname in ('record', 'address', 'chosen', 'matches', 'old')
          or a.atttypid in ('json'::regtype, 'jsonb'::regtype)
          or exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'
            and f.confrelid = 'clients'::regclass and a.attnum = any(f.conkey)))`.execute(context.db)
    const listed = new Set(CLIENT_REFERENCES.map(({ table, column }) => `${table}.${column}`))
    const isOther = (name: string) =>
      OF_NO_CLIENT.some((pattern) => new RegExp(`^${pattern.replaceAll('%', '.*')}$`).test(name))
    const names = rows.map(({ name }) => name)
    expect(names.filter((name) => !listed.has(name) && !isOther(name))).toEqual([])
    expect([...listed].filter((name) => !names.includes(name))).toEqual([])
    for (const { name, refers } of rows) if (refers) expect([name, listed.has(name)]).toEqual([name, true])
  })
})

describe('the columns that refer to a case', () => {
  it('are all in the list of those that a merge of cases moves or leaves', async () => {
    const { rows } = await sql<{ name: string }>`select c.relname || '.' || a.attname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'audit_moving' and (a.attname in ('case', 'from_case') or exists (select from pg_constraint f
          where f.conrelid = c.oid and f.contype = 'f' and f.confrelid = 'cases'::regclass and a.attnum = any(f.conkey)))`.execute(
      context.db,
    )
    const listed = CASE_REFERENCES.filter(({ entity }) => !entity).map(
      ({ table, column }) => `${table}.${column}`,
    )
    expect(rows.map(({ name }) => name).sort()).toEqual(listed.sort())
  })
})

describe('a merge', () => {
  it('moves everything, keeps the chosen values, and its number leads to the client that remains', async () => {
    const mine = await made({ known_as: null, phone: '01632 960001', comm_needs: [1] })
    const theirs = await made({ last_name: 'Dubios', known_as: 'Dee', comm_needs: [2] })
    const { body } = await manager('merges.compare', pair(mine.client, theirs.client))
    const rows = Object.fromEntries((body as Comparison).rows.map((row) => [row.id, row]))
    expect(rows.known_as).toMatchObject({ choice: 'theirs', reason: 'only one' })
    expect(rows.phone).toMatchObject({ choice: 'mine', reason: 'only one' })
    expect(rows.comm_needs).toMatchObject({ choice: 'both', may_both: true })
    expect(body.moves.map(({ label }: { label: string }) => label)).toEqual([
      '1 case',
      '1 issue',
      '1 action',
      '1 open task',
      '1 risk',
      '1 signposting entry',
    ])
    expect((await merge(manager, mine.client, theirs.client, { last_name: 'mine' })).status).toBe(200)
    const client = await clientOf(mine.client)
    expect(client).toMatchObject({
      last_name: 'Dubois',
      known_as: 'Dee',
      phone: '01632 960001',
      comm_needs: [1, 2],
      merged_from: [theirs.client],
      undoable_merge: theirs.client,
    })
    expect(client.open_cases.map(({ id }: Made) => id)).toEqual([theirs.id, mine.id])
    expect((await advocate('clients.read', on(theirs.client))).body).toMatchObject({
      id: mine.client,
      merged_from: [theirs.client],
    })
    const cases = await advocate('clients.cases', on(theirs.client))
    expect([cases.body.pagination.count, cases.body.merged_from]).toEqual([2, [theirs.client]])
    const refused = await advocate('clients.update', on(theirs.client, { notes: 'x' }))
    expect([refused.status, refused.body.code, refused.body.id]).toEqual([409, 'merged', mine.client])
    const risk = await advocate('risks.create', on(theirs.client, { type: 1 }))
    expect([risk.status, risk.body.code]).toEqual([409, 'merged'])
    const added = await advocate('cases.create', {
      body: await newCase(advocate, 1, { client: theirs.client }),
    })
    expect([added.status, added.body.code, added.body.id]).toEqual([409, 'merged', mine.client])
    const task = { title: 'Ring', due: '2030-01-01', client: theirs.client }
    expect((await advocate('tasks.create', { body: task })).body.code).toBe('merged')
    const addresses = `/clients/${theirs.client}`
    const recent = await advocate('search.recent', { query: { addresses } })
    expect(recent.body).toMatchObject([{ address: addresses, values: { id: mine.client } }])
    const listed = await advocate('clients.list', { query: { term: String(theirs.client) } })
    expect(listed.body.data.map(({ id }: Made) => id)).toEqual([mine.client])
    const found = await advocate('search.quick', { query: { term: String(theirs.client) } })
    expect(found.body.map(({ id }: Made) => id)).toEqual([mine.client])
    const inBox = await advocate('clients.find', { body: { term: String(theirs.client) } })
    expect(inBox.body[0]).toMatchObject({ id: mine.client, reasons: ['this ID'] })
    const third = await made()
    for (const reply of [
      await manager('merges.compare', pair(third.client, theirs.client)),
      await manager('merges.choose', on(third.client, { other: theirs.client })),
    ])
      expect([reply.status, reply.body.code, reply.body.id]).toEqual([409, 'merged', mine.client])
    expect(await verifyAccess(context.db, { rebuild: false })).toMatchObject({ differing: 0 })
  })

  it('stands in the history with that of the number that goes, for those who see the client', async () => {
    const [mine, theirs] = [await made(), await made()]
    await advocate('clients.update', on(theirs.client, { notes: 'Old words' }))
    await advocate('clients.read', on(theirs.client))
    const titles = async (who: Caller, id: number) =>
      (await who('chronology.ofClient', { ...on(id), query: { page_size: 100 } })).body.data
    const before = await titles(advocate, theirs.client)
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    const after = await titles(advocate, mine.client)
    const ids = after.map(({ id }: Made) => id)
    expect(before.filter(({ id }: Made) => !ids.includes(id))).toEqual([])
    expect(after.filter(({ action }: { action: string }) => action === 'merge')).toHaveLength(2)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit
      where client = ${theirs.client}`.execute(context.db)
    expect(rows[0].n).toBeGreaterThan(before.length)
    const opened = await manager('chronology.openings', on(mine.client))
    expect(opened.body.data.some(({ record }: { record: number }) => record === theirs.client)).toBe(true)
  })

  it('needs a choice for each field that differs, and the versions that were compared', async () => {
    const [mine, theirs] = [await made({ dob: '1949-07-25' }), await made({ dob: '1949-07-26' })]
    const { body } = await manager('merges.compare', pair(mine.client, theirs.client))
    expect(body.rows).toMatchObject([{ id: 'dob', choice: null, reason: null }])
    const sent = { other: theirs.client, version: body.version, other_version: body.other_version }
    const without = await manager('merges.merge', on(mine.client, sent))
    expect([without.status, without.body]).toEqual([400, { 'choices.dob': ['Choose one for date of birth'] }])
    await advocate('clients.update', on(theirs.client, { notes: 'Meanwhile' }))
    const choices = { dob: 'mine', notes: 'mine' }
    const late = await manager('merges.merge', on(mine.client, { ...sent, choices }))
    expect([late.status, late.body.code]).toEqual([409, 'conflict'])
    expect((await clientOf(theirs.client)).id).toBe(theirs.client)
  })

  it('is for managers and administrators who see both, and says nothing of a client that they do not see', async () => {
    const mine = await made()
    const hidden = await createCase(await context.as('stranger'), 1, {
      service: 1,
      client: { first_name: 'Hidden', last_name: 'Person' },
    }).catch(() => made({ first_name: 'Hidden' }))
    await sql`update issues set advocate = (select id from staff where username = 'stranger'), hub = null,
      created_by = (select id from staff where username = 'stranger') where id = ${hidden.issue}`.execute(
      context.db,
    )
    for (const table of ['cases', 'clients'])
      await sql`update ${sql.table(table)} set created_by = (select id from staff where username = 'stranger')
        where id in (${hidden.id}, ${hidden.client})`.execute(context.db)
    const nobody = 999_999
    const statuses: Record<string, unknown> = {}
    for (const username of [
      'manager',
      'partnermanager',
      'hubmanager',
      'hub',
      'advocate',
      'volunteer',
      'partner',
      'commissioner',
    ]) {
      const who = await context.as(username)
      const replies = async (other: number) => {
        const calls = ['merges.compare', 'merges.notSame', 'merges.maybeSame', 'merges.since', 'merges.undo']
        const all = []
        for (const name of calls) all.push(await who(name, pair(mine.client, other)))
        all.push(await who('merges.choose', on(mine.client, { other })))
        all.push(
          await who('merges.merge', on(mine.client, { other, version: 1, other_version: 1, choices: {} })),
        )
        all.push(await who('merges.compare', pair(other, mine.client)))
        return all.map(({ status, body }) => [status, body])
      }
      const [ofHidden, workOnHidden] = await recordStatements(() => replies(hidden.client))
      const [ofNobody, workOnNobody] = await recordStatements(() => replies(nobody))
      expect(ofHidden).toEqual(ofNobody)
      expect([username, workOnHidden]).toEqual([username, workOnNobody])
      statuses[username] = [...new Set(ofHidden.map(([status]) => status))]
    }
    expect(statuses).toEqual({
      manager: [404],
      partnermanager: [404],
      hubmanager: [404],
      hub: [403],
      advocate: [403],
      volunteer: [403],
      partner: [403],
      commissioner: [403],
    })
    expect((await merge(admin, mine.client, hidden.client)).status).toBe(200)
  })

  it('hides where a number leads from those who do not see that client', async () => {
    const [mine, theirs] = [await made(), await made()]
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    const stranger = await context.as('stranger')
    for (const name of ['clients.read', 'clients.cases', 'clients.update', 'chronology.ofClient']) {
      const of = (id: number) =>
        stranger(name, on(id, name === 'clients.update' ? { notes: 'x' } : undefined))
      const [merged, never] = [await of(theirs.client), await of(999_999)]
      expect([name, merged.status, merged.body]).toEqual([name, 404, never.body])
    }
    const found = await stranger('search.quick', { query: { term: String(theirs.client) } })
    expect(found.body).toEqual([])
  })

  it('counts and names only what the caller sees, and says who will see more', async () => {
    const [mine, theirs] = [await made(), await made()]
    const stranger = await context.as('stranger')
    const hidden = await advocate('cases.addIssue', on(theirs.id, await newIssue(theirs.issue)))
    await sql`update issues set advocate = ${stranger.id}, created_by = ${stranger.id} where id = ${hidden.body.id}`.execute(
      context.db,
    )
    const { body } = await manager('merges.compare', pair(mine.client, theirs.client))
    expect(body.moves).toContainEqual({ id: 'issues', label: '1 issue' })
    expect(body.sees_more).toEqual([
      {
        id: stranger.id,
        name: 'stranger Example',
        words: `advocate of an issue you cannot see: also the record of ${mine.client}`,
      },
    ])
    expect(body.sees_less).toEqual([])
    expect((await stranger('clients.read', on(mine.client))).status).toBe(404)
    await merge(manager, mine.client, theirs.client)
    expect((await stranger('clients.read', on(mine.client))).status).toBe(200)
    expect((await stranger('cases.read', on(mine.id))).status).toBe(404)
  })

  it('is refused while either client is held', async () => {
    const [mine, theirs] = [await made(), await made()]
    await sql`with state as (
        insert into automation_states (case_type, name, version, client, "case", issue, label, because)
        values (1, 'held', 1, ${theirs.client}, ${theirs.id}, null, 'Held', 'x') returning id
      ) insert into automation_holds (state, call, text) select id, 'merge', 'Not yet' from state`.execute(
      context.db,
    )
    for (const [id, other] of [
      [mine.client, theirs.client],
      [theirs.client, mine.client],
    ]) {
      const { status, body } = await merge(manager, id, other)
      expect([status, body.code, body.message]).toEqual([409, 'held', 'Not yet'])
    }
  })

  it('fires no event and notifies nobody again, and takes alerts along', async () => {
    const [mine, theirs] = [await made(), await made()]
    const concern = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
    await advocate('issues.update', on(theirs.issue, { answers: concern }))
    const happened = async () =>
      (
        await sql<{
          n: number
        }>`select (select count(*) from automation_events) + (select count(*) from work_notices)
          + (select count(*) from tasks) as n`.execute(context.db)
      ).rows[0].n
    const before = await happened()
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    expect(await happened()).toBe(before)
    const alerts = await advocate('clients.alerts', on(mine.client))
    expect(alerts.body.data.map(({ issue }: Made) => issue)).toContain(theirs.issue)
    const { rows } = await sql`select from automation_changes`.execute(context.db)
    expect(rows).toEqual([])
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(200)
    expect(await happened()).toBe(before)
  })

  it('fires no event where a condition newly holds in the merged record, nor where it holds again by an undo', async () => {
    await withAutomationsOf('with.client.dob', async () => {
      const [mine, theirs] = [await made({ dob: null }), await made({ dob: '1949-07-25' })]
      const before = await followed(mine.id)
      expect(before.alerts).toEqual(['is_missing'])
      expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
      expect(await followed(mine.id)).toEqual({ ...before, alerts: ['is_known'] })
      expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(200)
      expect(await followed(mine.id)).toEqual(before)
      // A save by a person fires it.
      await advocate('clients.update', on(mine.client, { dob: '1949-07-25' }))
      expect((await followed(mine.id)).events).toBe(before.events + 1)
    })
  })

  it('takes questions about the person along, of which somebody has asked one only', async () => {
    const [mine, theirs] = [await made(), await made()]
    const ask = (client: number) =>
      sql`insert into client_questions (client, asked_by, asked_of)
      values (${client}, ${advocate.id}, ${manager.id})`.execute(context.db)
    await ask(mine.client)
    await ask(theirs.client)
    const asked = async () =>
      (
        await sql<{ client: number }>`select client from client_questions
          where client in (${mine.client}, ${theirs.client}) order by 1`.execute(context.db)
      ).rows.map(({ client }) => client)
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    expect(await asked()).toEqual([mine.client])
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(200)
    expect(await asked()).toEqual([mine.client, theirs.client])
  })

  it('takes what a form had looked back at in a record of the other client out of those that stay', async () => {
    const [theirs, mine] = [await made(), await made()]
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    const seen = (record: number) => ({ value: 'high', record, day: '2026-02-01', follows: ['why'] })
    const values = { '$last.risk': seen(theirs.issue), '$client.dob': { value: null, record: theirs.client } }
    const stored = async () =>
      (
        await sql<{ seen: object }>`select answers_seen as seen from issues where id = ${mine.issue}`.execute(
          context.db,
        )
      ).rows[0].seen
    await sql`update issues set answers_seen = ${JSON.stringify(values)} where id = ${mine.issue}`.execute(
      context.db,
    )
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(200)
    expect(await stored()).toEqual({ '$client.dob': values['$client.dob'] })
  })

  it('leaves the closing of an issue to be undone with what became of its steps', async () => {
    const [mine, theirs] = [await made(), await made()]
    const [step] = (await advocate('tasks.ofIssue', on(theirs.issue))).body.data
    const steps = [{ task: step.id, becomes: 'done' }]
    expect((await advocate('issues.close', on(theirs.issue, { reasons: [1], steps }))).status).toBe(200)
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    expect((await advocate('issues.undoClose', on(theirs.issue))).status).toBe(200)
    expect((await advocate('tasks.read', on(step.id))).body).toMatchObject({
      is_done: false,
      client: mine.client,
    })
  })

  it('takes drafts along', async () => {
    const [mine, theirs] = [await made(), await made()]
    const document = { client: theirs.client }
    const address = `/case?client=${theirs.client}`
    const { body } = await advocate('drafts.create', {
      body: { kind: 'case', title: 'Dee', address, payload: { document } },
    })
    await merge(manager, mine.client, theirs.client)
    const draft = async () => (await advocate('drafts.read', on(body.id))).body
    expect(await draft()).toMatchObject({
      address: `/case?client=${mine.client}`,
      payload: { document: { client: mine.client } },
    })
    await manager('merges.undo', pair(mine.client, theirs.client))
    expect(await draft()).toMatchObject({ address, payload: { document } })
  })

  it('leaves what a draft of the client says of others, whose number may begin alike', async () => {
    const [mine, theirs, third] = [await made(), await made(), await made()]
    const addressOf = (id: number) =>
      `/clients/${id}/cases/new?from=/clients/${theirs.client}1&client=${id}&other_client=${theirs.client}`
    const add = async (document: object) =>
      (
        await advocate('drafts.create', {
          body: { kind: 'case', title: 'Dee', address: addressOf(theirs.client), payload: { document } },
        })
      ).body.id as number
    const drafts = [await add({ client: third.client }), await add({ notes: 'Rang' })]
    const stored = async () => {
      const found = await Promise.all(drafts.map((id) => advocate('drafts.read', on(id))))
      return found.map(({ body }) => [body.address, body.payload.document])
    }
    const documents = [{ client: third.client }, { notes: 'Rang' }]
    await merge(manager, mine.client, theirs.client)
    expect(await stored()).toEqual(documents.map((document) => [addressOf(mine.client), document]))
    await manager('merges.undo', pair(mine.client, theirs.client))
    expect(await stored()).toEqual(documents.map((document) => [addressOf(theirs.client), document]))
  })

  it('is refused if either record was changed since it was compared, and counts the version up once', async () => {
    const [mine, theirs] = [await made(), await made()]
    const { version, other_version } = (await manager('merges.compare', pair(mine.client, theirs.client)))
      .body
    const sent = { other: theirs.client, version, other_version, choices: { notes: 'mine' } }
    await advocate('clients.update', on(mine.client, { notes: 'Meanwhile' }))
    const late = await manager('merges.merge', on(mine.client, sent))
    expect([late.status, late.body.code]).toEqual([409, 'conflict'])
    const merged = await manager('merges.merge', on(mine.client, { ...sent, version: version + 1 }))
    expect([merged.status, (await clientOf(mine.client)).version]).toEqual([200, version + 2])
  })

  it('refuses a date of death before that of birth, not one on the same day', async () => {
    const mine = await made({ dob: '1949-07-25' })
    const theirs = await made({ dob: '1949-07-01', dod: '1949-07-24' })
    const refused = await merge(manager, mine.client, theirs.client)
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['choices.dod']])
    await advocate('clients.update', on(theirs.client, { dod: '1949-07-25' }))
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
  })

  it('makes a retired client active again if the other one is active, until an undo', async () => {
    const [mine, theirs, third] = [await made(), await made(), await made()]
    for (const { id, issue, client } of [mine, third]) {
      await manager('issues.retire', on(issue))
      await manager('cases.retire', on(id))
      expect((await manager('clients.retire', on(client))).status).toBe(200)
    }
    const after = async (one: Made, other: Made) =>
      (await manager('merges.compare', pair(one.client, other.client))).body.after.length as number
    expect([await after(mine, third), await after(theirs, mine), await after(mine, theirs)]).toEqual([
      2, 2, 3,
    ])
    expect(await after(theirs, await made())).toBe(2)
    const status = async () => (await clientOf(mine.client)).status
    await merge(manager, mine.client, third.client)
    expect(await status()).toBe(2)
    await merge(manager, mine.client, theirs.client)
    expect(await status()).toBe(1)
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).body.stays).toEqual([])
    expect(await status()).toBe(2)
  })

  it('keeps questions about the person that are answered, and those of other people', async () => {
    const [mine, theirs] = [await made(), await made()]
    const ask = (client: number, by: number, answer: string | null = null) =>
      sql`insert into client_questions (client, asked_by, asked_of, answer)
        values (${client}, ${by}, ${manager.id}, ${answer})`.execute(context.db)
    await ask(mine.client, advocate.id)
    await ask(theirs.client, advocate.id, 'other')
    await ask(theirs.client, admin.id)
    await ask(mine.client, manager.id, 'same')
    await ask(theirs.client, manager.id)
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    const { rows } = await sql`select from client_questions where client = ${mine.client}`.execute(context.db)
    expect(rows).toHaveLength(5)
  })

  it('leaves each person one notice of the client, and gives the other one back by an undo', async () => {
    const [mine, theirs] = [await made(), await made()]
    const notify = (client: number, staff: number) =>
      sql`insert into work_notices (staff, client) values (${staff}, ${client})`.execute(context.db)
    await notify(mine.client, advocate.id)
    await notify(theirs.client, advocate.id)
    await notify(theirs.client, manager.id)
    const notified = async () => {
      const { rows } = await sql<{ client: number; staff: number }>`select client, staff from work_notices
        where client in (${mine.client}, ${theirs.client}) order by client, staff`.execute(context.db)
      return rows.map(({ client, staff }) => `${client} ${staff}`)
    }
    const before = await notified()
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    const both = [advocate.id, manager.id].sort((a, b) => a - b)
    expect(await notified()).toEqual(both.map((staff) => `${mine.client} ${staff}`))
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(200)
    expect(await notified()).toEqual(before)
  })

  it('leaves the drafts of the client that remains where they are, also when it is undone', async () => {
    const [mine, theirs] = [await made(), await made()]
    const address = `/case?client=${mine.client}`
    const { body } = await advocate('drafts.create', { body: { kind: 'case', title: 'Dee', address } })
    await merge(manager, mine.client, theirs.client)
    await manager('merges.undo', pair(mine.client, theirs.client))
    expect((await advocate('drafts.read', on(body.id))).body.address).toBe(address)
  })

  it('counts nothing that is hidden from the caller, entered in error or done', async () => {
    const stranger = await context.as('stranger')
    const [mine, theirs] = [await made(), await made()]
    const hidden = await createCase(advocate, 1, { client: theirs.client, signposting: [{ sp_org: 1 }] })
    await advocate('signposts.create', on(theirs.client, { sp_org: 1 }))
    const counts = sql`case_type, name, client, "case", issue, label, seq, title, counted_from, due, warn_from, form_version`
    for (const { id, issue } of [theirs, hidden]) {
      for (let i = 0; i < 3; i++) await advocate('actions.addToIssue', on(issue, ACTION))
      for (const name of ['letter.txt', 'wrong.txt'])
        await upload(advocate, `/issue/${issue}/file/`, name, 'Dear Dee')
      await sql`insert into referral_requests (hub, from_hub, from_client, from_case, service, case_type)
        values (2, 1, ${theirs.client}, ${id}, 1, 1)`.execute(context.db)
      await sql`insert into deadlines (${counts}, met_on, met_by_action)
        select 1, 'visit' || n, ${theirs.client}, ${id}, ${issue}, 'Visit', 0, 'Visit due', '2026-02-01', '2026-02-11',
          '2026-02-10', 1, case n when 1 then date '2026-02-11' end,
          case n when 1 then (select max(id) from actions where issue = ${issue}) end
        from generate_series(1, 2) n`.execute(context.db)
    }
    await sql`update tasks set done_at = now() where id = (select max(id) from tasks where issue = ${theirs.issue})`.execute(
      context.db,
    )
    const { client, issue } = theirs
    for (const [table, where] of [
      ['actions', sql`issue = ${issue}`],
      ['tasks', sql`issue = ${issue}`],
      ['signposts', sql`client = ${client} and "case" is null`],
      ['issue_documents', sql`issue = ${issue} and name = 'wrong.txt'`],
    ] as const)
      await sql`update ${sql.table(table)} set error_reason = 'Wrong person'
        where id = (select min(id) from ${sql.table(table)} where ${where})`.execute(context.db)
    for (const [table, id] of [
      ['issues', hidden.issue],
      ['cases', hidden.id],
    ] as const)
      await sql`update ${sql.table(table)} set created_by = ${stranger.id} where id = ${id}`.execute(
        context.db,
      )
    await sql`update issues set advocate = ${stranger.id} where id = ${hidden.issue}`.execute(context.db)
    const { body } = await manager('merges.compare', pair(mine.client, theirs.client))
    expect(body.moves.map(({ label }: { label: string }) => label)).toEqual([
      '1 case',
      '1 issue',
      '3 actions',
      '2 open tasks',
      '1 open deadline',
      '1 risk',
      '1 signposting entry',
      '1 referral',
      '1 document',
    ])
  })

  it('names a hub that a person is referred to among those who see more, and nobody who may open no client', async () => {
    const [mine, theirs] = [await made(), await made()]
    const stranger = await context.as('stranger')
    const { rows } = await sql<{
      id: number
    }>`insert into staff (username, first_name, last_name, groups, hub)
      values ('noroles', 'No', 'Roles', '{}', null), ('referred', 'Rae', 'Ferred', '{3}', 2) returning id`.execute(
      context.db,
    )
    const [withoutRole, ofHub] = rows.map(({ id }) => id)
    await sql`insert into referral_requests (hub, from_hub, from_client, from_case, service, case_type)
      values (2, 1, ${theirs.client}, ${theirs.id}, 1, 1)`.execute(context.db)
    await sql`update issues set created_by = ${withoutRole} where id = ${theirs.issue}`.execute(context.db)
    await sql`update issues set contract = 2 where id = ${mine.issue}`.execute(context.db)
    await sql`update clients set created_by = ${stranger.id} where id = ${theirs.client}`.execute(context.db)
    const { body } = await manager('merges.compare', pair(mine.client, theirs.client))
    const ids = (people: { id: number }[]) => people.map(({ id }) => id)
    expect([ids(body.sees_more), ids(body.sees_less)]).toEqual([[ofHub], [stranger.id]])
  })

  it('names 30 people who see more, and the number of the others', async () => {
    const [mine, theirs] = [await made(), await made()]
    await sql`update issues set advocate = null, service = 5 where id = ${theirs.issue}`.execute(context.db)
    const add = (count: number) =>
      sql`insert into staff (username, first_name, last_name, groups, services)
        select 'many' || coalesce(max(id), 0) + n, 'Many', 'People', '{4}', '{5}'
        from staff, generate_series(1, ${count}::int) n group by n`.execute(context.db)
    const named = async () =>
      (await admin('merges.compare', pair(mine.client, theirs.client))).body.sees_more.map(
        ({ name }: { name: string }) => name,
      )
    await add(29)
    const all = ['manager Example', ...Array(29).fill('Many People')]
    expect(await named()).toEqual(all)
    await add(1)
    expect(await named()).toEqual([...all, '1 more'])
  })
})

describe('what is chosen beforehand', () => {
  const compared = async (mine: Made, theirs: Made) => {
    const { body } = await manager('merges.compare', pair(mine.client, theirs.client))
    const { rows, same } = body as Comparison & { same: number }
    return { same, rows: Object.fromEntries(rows.map((row) => [row.id, row])) }
  }

  it('is the newer of two values, but the first spelling of a name, and nothing that identifies a person', async () => {
    const mine = await made({
      ...{ dob: '1949-07-25', dod: '2026-01-01', nhs_number: '943 476 5919' },
      ...{ phone: '01632 960001', known_as: 'Dee' },
    })
    const theirs = await made({
      ...{ dob: '1949-07-26', dod: '2026-01-02', nhs_number: '943 476 5870' },
      ...{ phone: '01632 960002', known_as: 'DEE', first_name: 'Deidre', last_name: 'Dubios' },
    })
    const chosen = async (one: Made, other: Made) => {
      const { rows, same } = await compared(one, other)
      const choices = Object.values(rows).map(({ id, choice, reason }) => [id, reason ?? choice])
      return { same, ...Object.fromEntries(choices) }
    }
    const others = { dob: null, dod: null, nhs_number: null, first_name: 'mine', last_name: 'mine' }
    const alike = await compared(await made(), await made())
    const same = alike.same - Object.keys(others).length - 1
    expect(await chosen(mine, theirs)).toEqual({ ...others, phone: 'newer', same })
    expect(await chosen(theirs, mine)).toEqual({ ...others, phone: 'mine', same })
    const { status, body } = await merge(manager, mine.client, theirs.client, { phone: 'both' })
    expect([status, Object.keys(body)]).toEqual([400, ['choices.phone']])
  })

  it('is both of two texts as long as the field takes them together, never of addresses', async () => {
    const mine = await made({ notes: 'a'.repeat(1999), address: '1 High Street' })
    const theirs = await made({ notes: 'b'.repeat(1999), address: '2 High Street' })
    const { rows } = await compared(mine, theirs)
    expect(rows.notes).toMatchObject({ choice: 'both', may_both: true })
    expect(rows.address).toMatchObject({ choice: 'theirs', may_both: false })
    await advocate('clients.update', on(theirs.client, { notes: 'b'.repeat(2000) }))
    expect((await compared(mine, theirs)).rows.notes).toMatchObject({ choice: 'theirs', may_both: false })
    await advocate('clients.update', on(mine.client, { notes: null }))
    expect((await compared(mine, theirs)).rows.notes).toMatchObject({ choice: 'theirs', may_both: false })
  })

  it('is both of two lists, with what both have once, and an id of its own for each row', async () => {
    const mine = await made({ comm_needs: [1, 2], contacts: [{ row: 'a', name: 'Ann' }] })
    const contacts = [
      { row: 'a', name: 'Ben' },
      { row: 'b', name: 'Ann' },
    ]
    const theirs = await made({ comm_needs: [2, 3], contacts })
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    const merged = await clientOf(mine.client)
    expect(merged.comm_needs).toEqual([1, 2, 3])
    expect(merged.contacts.map(({ row, name }: { row: string; name: string }) => [row, name])).toEqual([
      ['a', 'Ann'],
      ['am', 'Ben'],
    ])
  })
})

describe('two numbers', () => {
  it('are no pair if they are the same, or if one is too large for a record', async () => {
    const mine = await made()
    const itself = await manager('merges.compare', pair(mine.client, mine.client))
    const itsCase = await manager('merges.compareCases', pair(mine.id, mine.id))
    expect([itself.status, itself.body.other]).toEqual([400, ['This is the same record: choose another']])
    expect([itsCase.status, itsCase.body.other]).toEqual([400, ['This is the same case: choose another']])
    expect((await manager('merges.compare', pair(mine.client, 4_294_967_296))).status).toBe(404)
  })

  it('are decided to be two people, and that withdrawn, with one audit event of each', async () => {
    const [one, two] = [await made(), await made()]
    const steps = ['merges.notSame', 'merges.notSame', 'merges.maybeSame', 'merges.maybeSame']
    for (const name of steps) expect((await manager(name, pair(one.client, two.client))).status).toBe(200)
    const { rows } = await sql<{ action: string; record: number }>`select action, record from audit
      where record in (${one.client}, ${two.client}) and action like '%the same' order by id`.execute(
      context.db,
    )
    expect(rows.map(({ action, record }) => [action, record])).toEqual([
      ['not the same', one.client],
      ['not the same', two.client],
      ['maybe the same', one.client],
      ['maybe the same', two.client],
    ])
  })

  it('that a third person is not are one pair with that person once merged, and two again after an undo', async () => {
    const people = [await made(), await made(), await made(), await made()].map(({ client }) => client)
    const [third, mine, theirs, fourth] = people
    for (const [one, other] of [
      [third, mine],
      [third, theirs],
      [theirs, fourth],
    ])
      await manager('merges.notSame', pair(one, other))
    const pairs = async () => {
      const { rows } = await sql<{ client: number; other: number }>`select client, other from not_same_person
        where client = any(${people}::int[]) order by client, other`.execute(context.db)
      return rows.map(({ client, other }) => [client, other])
    }
    const before = await pairs()
    expect((await merge(manager, mine, theirs)).status).toBe(200)
    expect(await pairs()).toEqual([
      [third, mine],
      [mine, fourth],
    ])
    expect((await manager('merges.undo', pair(mine, theirs))).status).toBe(200)
    expect(await pairs()).toEqual(before)
  })
})

async function newIssue(like: number) {
  const { issue_type, start_date, answers } = (await advocate('issues.read', on(like))).body
  return { issue_type, start_date, answers }
}

describe('two people', () => {
  it('who are alike are listed for administrators until somebody decides that they are two', async () => {
    const [one, two] = [
      await made({ dob: '1949-07-25' }),
      await made({ last_name: 'Dubios', dob: '1949-07-25' }),
    ]
    const { body } = await manager('merges.compare', pair(one.client, two.client))
    expect(body).toMatchObject({ likeness: 'Likely the same person' })
    expect(body.reasons).toMatch(/^same date of birth; /)
    await sql`insert into alike_pairs (client, other, score, certainty, reasons)
      values (${one.client}, ${two.client}, 99, 'likely', '{same}')`.execute(context.db)
    const listed = async () =>
      (await admin('clients.alikePairs')).body.data.some(
        ({ other }: { other: number }) => other === two.client,
      )
    expect(await listed()).toBe(true)
    await manager('merges.notSame', pair(one.client, two.client))
    expect(await listed()).toBe(false)
  })

  it('are remembered until that is undone, also after a merge of one of them', async () => {
    const [one, two, three] = [await made(), await made(), await made()]
    expect((await manager('merges.notSame', pair(one.client, two.client))).status).toBe(200)
    expect((await manager('merges.compare', pair(two.client, one.client))).body.not_same).toBe(true)
    const refused = await merge(manager, one.client, two.client)
    expect([refused.status, refused.body.code]).toEqual([409, 'notSamePerson'])
    await merge(manager, three.client, two.client)
    expect((await manager('merges.compare', pair(three.client, one.client))).body.not_same).toBe(true)
    await manager('merges.undo', pair(three.client, two.client))
    expect((await manager('merges.compare', pair(three.client, one.client))).body.not_same).toBe(false)
    expect((await manager('merges.compare', pair(one.client, two.client))).body.not_same).toBe(true)
    expect((await manager('merges.maybeSame', pair(two.client, one.client))).status).toBe(200)
    expect((await merge(manager, one.client, two.client)).status).toBe(200)
  })
})

/** All rows that have to do with clients, but what a change stamps. */
async function everything(): Promise<Record<string, unknown[]>> {
  const tables = [
    ...new Set([
      'clients',
      'not_same_person',
      'client_access',
      'case_access',
      'merges',
      ...MOVED_WITH_CLIENT.map(({ table }) => table),
    ]),
  ]
  const found: Record<string, unknown[]> = {}
  for (const table of tables) {
    const { rows } = await sql<{
      row: unknown
    }>`select to_jsonb(t) - 'version' - 'updated_at' - 'touched_at' as row
      from ${sql.table(table)} t order by 1`.execute(context.db)
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

/** Numbers of lists and reports that have to be the same with one client instead of two. */
async function figures(): Promise<unknown> {
  const all: unknown[] = []
  const count = async (who: Caller, name: string) => {
    const { status, body } = await who(name)
    expect(status, name).toBe(200)
    all.push([name, body.pagination.count])
  }
  await count(advocate, 'issues.mine')
  for (const name of ['cases.list', 'reports.oldCases', 'deadlines.list'])
    for (const who of [manager, advocate]) await count(who, name)
  for (const who of [manager, advocate]) all.push((await who('reports.time')).body)
  return all
}

describe('an undo', () => {
  it('gives back what each had; what was added or changed since stays and is named', async () => {
    const mine = await made({ phone: '01632 960001' })
    const theirs = await made({ phone: '01632 960002', known_as: 'Dee' })
    await merge(manager, mine.client, theirs.client, { phone: 'theirs' })
    await advocate('clients.update', on(mine.client, { phone: '01632 960003' }))
    await advocate('risks.create', on(mine.client, { type: 1 }))
    const added = await advocate('cases.addIssue', on(theirs.id, await newIssue(theirs.issue)))
    expect((await advocate('signposts.create', on(mine.client, { sp_org: 1 }))).status).toBe(201)
    const stays = ['1 risk, added since', '1 signposting entry, added since', 'Telephone, changed since']
    const since = await manager('merges.since', pair(mine.client, theirs.client))
    expect(since.body.map(({ label }: { label: string }) => label)).toEqual(stays)
    const { status, body } = await manager('merges.undo', pair(mine.client, theirs.client))
    expect([status, body]).toEqual([200, { id: mine.client, restored: theirs.client, stays }])
    expect(await clientOf(mine.client)).toMatchObject({
      phone: '01632 960003',
      known_as: null,
      merged_from: [],
    })
    expect(await clientOf(theirs.client)).toMatchObject({
      id: theirs.client,
      phone: '01632 960002',
      known_as: 'Dee',
    })
    expect((await advocate('issues.read', on(added.body.id))).body.client).toBe(theirs.client)
    expect((await advocate('risks.ofClient', on(mine.client))).body.data).toHaveLength(2)
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(404)
  })

  it('brings no sight back that ended meanwhile', async () => {
    const [mine, theirs] = [await made(), await made()]
    const partner = await context.as('partner')
    await sql`update issues set advocate = ${partner.id}, created_by = ${partner.id} where id = ${theirs.issue}`.execute(
      context.db,
    )
    await merge(admin, mine.client, theirs.client)
    expect((await partner('clients.read', on(mine.client))).status).toBe(200)
    await sql`update issues set advocate = ${advocate.id}, created_by = ${advocate.id} where id = ${theirs.issue}`.execute(
      context.db,
    )
    await admin('merges.undo', pair(mine.client, theirs.client))
    for (const id of [mine.client, theirs.client])
      expect((await partner('clients.read', on(id))).status).toBe(404)
  })

  it('is possible for 30 days, until the other one is merged again, and in the order of a chain', async () => {
    const [a, b, c] = [await made(), await made(), await made()]
    await merge(manager, b.client, c.client)
    await merge(manager, a.client, b.client)
    expect((await advocate('clients.read', on(c.client))).body).toMatchObject({ id: a.client })
    expect((await manager('merges.undo', pair(a.client, c.client))).body.code).toBe('mergedSince')
    expect((await manager('merges.undo', pair(a.client, b.client))).status).toBe(200)
    expect((await advocate('clients.read', on(c.client))).body).toMatchObject({ id: b.client })
    await sql`update merges set at = now() - interval '31 days' where old = ${c.client}`.execute(context.db)
    await JOBS['forget merges']({ db: context.db } as JobContext)
    expect((await manager('merges.undo', pair(b.client, c.client))).body.code).toBe('mergeForgotten')
    expect(await clientOf(c.client)).toMatchObject({ id: b.client, undoable_merge: null })
  })

  it('is forgotten with the client that remains, also what was done under the old number', async () => {
    const [mine, theirs] = [await made(), await made()]
    await merge(manager, mine.client, theirs.client)
    for (const { id, issue } of [mine, theirs]) {
      await manager('issues.retire', on(issue))
      await manager('cases.retire', on(id))
    }
    await manager('clients.retire', on(mine.client))
    expect((await manager('clients.purge', on(mine.client))).status).toBe(200)
    const { rows } = await sql`select action from audit where client in (${mine.client}, ${theirs.client})
      union all select 'merge' from merges where old = ${theirs.client}`.execute(context.db)
    expect(rows).toEqual([{ action: 'purge' }])
    expect((await admin('clients.read', on(theirs.client))).status).toBe(404)
  })

  it('leaves out what refers to a record that is gone by now', async () => {
    const [mine, theirs, third] = [await made(), await made(), await made()]
    await manager('merges.notSame', pair(theirs.client, third.client))
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    await manager('issues.retire', on(third.issue))
    await manager('cases.retire', on(third.id))
    await manager('clients.retire', on(third.client))
    expect((await manager('clients.purge', on(third.client))).status).toBe(200)
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(200)
  })

  it('leaves where it is what was moved on since', async () => {
    const [mine, theirs, third] = [await made(), await made(), await made()]
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    await sql`update risks set client = ${third.client} where client = ${mine.client}`.execute(context.db)
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(200)
    expect((await advocate('risks.ofClient', on(third.client))).body.data).toHaveLength(3)
  })

  it('takes actions back with the case that they are on by now, as they were changed since', async () => {
    const [mine, theirs] = [await made(), await made()]
    const add = async (issue: number) => (await advocate('actions.addToIssue', on(issue, ACTION))).body.id
    const [toMine, toTheirs, changed] = [
      await add(theirs.issue),
      await add(mine.issue),
      await add(theirs.issue),
    ]
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    await moveAction(toMine, mine)
    await moveAction(toTheirs, theirs)
    expect((await advocate('actions.update', on(changed, { time_taken: 60 }))).status).toBe(200)
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(200)
    expect(await placesOf([toMine, toTheirs, changed], 'client')).toEqual([
      [mine.client, 1800],
      [theirs.client, 1800],
      [theirs.client, 60],
    ])
  })

  it('leaves a case where it is that was moved on since, with its actions', async () => {
    const [mine, theirs, third] = [await made(), await made(), await made()]
    const { rows } = await sql<{ id: number }>`select id from actions where "case" = ${theirs.id}`.execute(
      context.db,
    )
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    for (const [table, key] of [
      ['cases', 'id'],
      ['issues', 'case'],
      ['actions', 'case'],
      ['tasks', 'case'],
    ])
      await sql`update ${sql.table(table)} set client = ${third.client}
        where ${sql.ref(key)} = ${theirs.id}`.execute(context.db)
    expect((await manager('merges.undo', pair(mine.client, theirs.client))).status).toBe(200)
    expect((await advocate('cases.read', on(theirs.id))).body.client).toBe(third.client)
    expect(await placesOf([rows[0].id], 'client')).toEqual([[third.client, 1800]])
  })

  it('is possible until the 30 days are over', async () => {
    const [mine, theirs] = [await made(), await made()]
    await merge(manager, mine.client, theirs.client)
    const at = async (age: Sql) => {
      await sql`update merges set at = now() - (${age}) where old = ${theirs.client}`.execute(context.db)
      await JOBS['forget merges']({ db: context.db } as JobContext)
      return (await manager('merges.since', pair(mine.client, theirs.client))).status
    }
    expect(await at(sql`interval '30 days' - interval '1 minute'`)).toBe(200)
    expect(await at(sql`interval '30 days' + interval '1 minute'`)).toBe(409)
  })

  it('gives every row back after random histories, and figures are the same with one client', async () => {
    const random = seeded(35)
    const people: Made[] = []
    for (let i = 0; i < 4; i++) people.push(await made({ known_as: random.chance(0.5) ? 'Dee' : null }))
    for (let round = 0; round < (FULL ? 60 : 2); round++) {
      await forgetCalls()
      await randomWork(random, people)
      const first = random.pick(people)
      const second = random.pick(people.filter((one) => one !== first))
      const third = random.pick(people.filter((one) => one !== first && one !== second))
      const [before, numbers] = [await everything(), await figures()]
      expect((await merge(admin, first.client, second.client)).status).toBe(200)
      expect(await figures()).toEqual(numbers)
      const isChain = random.chance(0.5)
      if (isChain) expect((await merge(admin, third.client, first.client)).status).toBe(200)
      const remaining = isChain ? third : first
      const added = random.chance(0.5) ? await addSince(remaining.client, second) : undefined
      expect(await verifyAccess(context.db, { rebuild: false })).toMatchObject({ differing: 0 })
      if (isChain) await admin('merges.undo', pair(third.client, first.client))
      expect((await admin('merges.undo', pair(first.client, second.client))).status).toBe(200)
      const after = await everything()
      if (!added) expect(after).toEqual(before)
      for (const [table, rows] of Object.entries(before))
        expect(after[table], table).toEqual(expect.arrayContaining(rows))
      if (added) expect(await added.clients()).toEqual([remaining.client, second.client])
      expect(await figures()).toEqual(numbers)
    }
  }, 240_000)
})

/** Adds a risk to a client and a task to an issue that came with a merge; returns what says whose they are. */
async function addSince(client: number, { issue }: Made): Promise<{ clients: () => Promise<number[]> }> {
  const risk = await advocate('risks.create', on(client, { type: 1 }))
  const task = await advocate('tasks.create', { body: { title: 'Ring', due: '2030-01-01', issue } })
  expect([risk.status, task.status]).toEqual([201, 201])
  const clients = async () => {
    const { rows } = await sql<{ client: number }>`select client from risks where id = ${risk.body.id}
      union all select client from tasks where id = ${task.body.id}`.execute(context.db)
    return rows.map((row) => row.client)
  }
  return { clients }
}

/** Some changes of the people's records. */
async function randomWork(random: ReturnType<typeof seeded>, people: Made[]): Promise<void> {
  const concern = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
  const work: ((one: Made) => Promise<{ status: number }>)[] = [
    ({ client }) => advocate('risks.create', on(client, { type: 1 })),
    ({ client }) => advocate('communicationIssues.create', on(client, { type: 1 })),
    ({ client }) =>
      advocate(
        'clients.update',
        on(client, { phone: `01632 96000${Math.floor(random.chance(0.5) ? 1 : 2)}` }),
      ),
    ({ client }) => advocate('clients.update', on(client, { dod: random.chance(0.5) ? '2026-01-01' : null })),
    ({ issue }) => advocate('actions.addToIssue', on(issue, ACTION)),
    ({ id }) => advocate('actions.addToCase', on(id, { type: 1, done_on: '2026-02-10' })),
    ({ issue }) =>
      advocate('issues.update', on(issue, { answers: random.chance(0.5) ? concern : { sfg_concern: 'no' } })),
    async ({ id, issue }) => advocate('cases.addIssue', on(id, await newIssue(issue))),
    ({ client }) => advocate('signposts.create', on(client, { sp_org: 1 })),
    ({ issue }) => advocate('tasks.create', { body: { title: 'Ring', due: '2030-01-01', issue } }),
    ({ issue }) => upload(advocate, `/issue/${issue}/file/`, 'letter.txt', 'Dear Dee'),
    ({ id, client }) =>
      sql`insert into referral_requests (hub, from_hub, from_client, from_case, service, case_type)
        values (2, 1, ${client}, ${id}, 1, 1)`
        .execute(context.db)
        .then(() => ({ status: 201 })),
    ({ client }) =>
      admin('merges.notSame', pair(client, people.find((one) => one.client !== client)!.client)).then(() =>
        admin('merges.maybeSame', pair(client, people.find((one) => one.client !== client)!.client)),
      ),
  ]
  for (let i = 0; i < 5; i++) expect((await random.pick(work)(random.pick(people))).status).toBeLessThan(300)
}

/** Work on a case, of which one is done at the same time as a merge. */
const WORK: ((one: Made) => Promise<{ status: number; body: unknown }>)[] = [
  ({ issue }) => advocate('issues.update', on(issue, { answers: { summary: 'New' } })),
  ({ issue }) => advocate('actions.addToIssue', on(issue, ACTION)),
  async ({ id, issue }) => advocate('cases.addIssue', on(id, await newIssue(issue))),
]

describe('two cases of a client', () => {
  /** Two cases of a client with answers and monitoring that differ. */
  async function casesOf(): Promise<[Made, Made]> {
    const mine = await made()
    const theirs = await createCase(advocate, 1, { client: mine.client })
    await sql`update issues set advocate = ${advocate.id} where id = ${theirs.issue}`.execute(context.db)
    await advocate('actions.addToIssue', on(theirs.issue, ACTION))
    await advocate('actions.addToCase', on(theirs.id, { type: 1, done_on: '2026-02-10' }))
    await advocate('cases.saveMonitoring', on(theirs.id, { carer: 'yes', consent_to_monitoring: 'yes' }))
    await advocate('cases.saveMonitoring', on(mine.id, { consent_to_monitoring: 'no' }))
    await advocate('cases.update', on(theirs.id, { council_area: 1 }))
    return [mine, theirs]
  }
  const mergeCases = async (id: number, other: number) => {
    const { body } = await manager('merges.compareCases', pair(id, other))
    const { version, other_version, rows } = body as Comparison
    const choices = Object.fromEntries(rows.map((row) => [row.id, row.choice ?? 'mine']))
    return manager('merges.mergeCases', on(id, { other, version, other_version, choices }))
  }

  it('are merged and separated again: every row is back, and the old number leads to the case that remains', async () => {
    const [[mine, theirs], third] = [await casesOf(), await made()]
    const tables = [
      ...new Set(['cases', 'case_monitoring', 'case_access', ...MOVED_WITH_CASE.map(({ table }) => table)]),
    ]
    const rowsOf = async () => {
      const found: Record<string, unknown> = {}
      for (const table of tables) {
        const { rows } = await sql<{
          row: unknown
        }>`select to_jsonb(t) - 'version' - 'updated_at' - 'touched_at' as row
          from ${sql.table(table)} t order by 1`.execute(context.db)
        found[table] = rows.map(({ row }) => row)
      }
      return found
    }
    const before = await rowsOf()
    const { body } = await manager('merges.compareCases', pair(mine.id, theirs.id))
    const rows = Object.fromEntries((body as Comparison).rows.map((row) => [row.id, row]))
    expect(rows['monitoring.consent_to_monitoring']).toMatchObject({ choice: null })
    expect(rows['monitoring.carer']).toMatchObject({ choice: 'theirs', reason: 'only one' })
    expect(rows.council_area).toMatchObject({ choice: 'theirs', reason: 'only one' })
    expect((await mergeCases(mine.id, theirs.id)).status).toBe(200)
    expect((await advocate('cases.read', on(theirs.id))).body).toMatchObject({
      id: mine.id,
      merged_from: [theirs.id],
      undoable_merge: theirs.id,
      council_area: 1,
    })
    const monitoring = (await advocate('cases.monitoring', on(mine.id))).body
    expect(monitoring).toMatchObject({ carer: 'yes', consent_to_monitoring: 'no' })
    expect((await advocate('cases.issues', on(theirs.id))).body.pagination.count).toBe(2)
    const refused = await advocate('cases.update', on(theirs.id, { council_area: 2 }))
    expect([refused.status, refused.body.code, refused.body.id]).toEqual([409, 'merged', mine.id])
    const other = await manager('merges.chooseCase', on(third.id, { other: theirs.id }))
    expect([other.status, other.body.code, other.body.id]).toEqual([409, 'merged', mine.id])
    const history = await advocate('chronology.ofCase', { ...on(mine.id), query: { page_size: 100 } })
    expect(history.body.data.some(({ case: id }: { case: number }) => id === theirs.id)).toBe(true)
    expect(await verifyAccess(context.db, { rebuild: false })).toMatchObject({ differing: 0 })
    const undone = await manager('merges.undoCases', pair(mine.id, theirs.id))
    expect([undone.status, undone.body]).toEqual([200, { id: mine.id, restored: theirs.id, stays: [] }])
    expect(await rowsOf()).toEqual(before)
    expect(await verifyAccess(context.db, { rebuild: false })).toMatchObject({ differing: 0 })
  })

  it('keep what was added and changed since, which is named', async () => {
    const [mine, theirs] = await casesOf()
    await mergeCases(mine.id, theirs.id)
    await advocate('cases.update', on(mine.id, { council_area: 2 }))
    const added = await advocate('cases.addIssue', on(mine.id, await newIssue(mine.issue)))
    const task = { title: 'Ring', due: '2030-01-01', case: mine.id }
    expect((await advocate('tasks.create', { body: task })).status).toBe(201)
    const stays = ['1 issue, added since', '1 task on the case, added since', 'Council area, changed since']
    const since = await manager('merges.sinceCases', pair(mine.id, theirs.id))
    expect(since.body.map(({ label }: { label: string }) => label)).toEqual(stays)
    expect((await manager('merges.undoCases', pair(mine.id, theirs.id))).body.stays).toEqual(stays)
    expect((await advocate('cases.read', on(mine.id))).body.council_area).toBe(2)
    expect((await advocate('issues.read', on(added.body.id))).body.case).toBe(mine.id)
    expect((await advocate('issues.read', on(theirs.issue))).body.case).toBe(theirs.id)
  })

  it('take drafts along, which go back with the issue or case that they are of', async () => {
    const [mine, theirs] = await casesOf()
    const add = async (address: string, document: object = {}) =>
      (
        await advocate('drafts.create', {
          body: { kind: 'issue', title: 'Dee', address, payload: { document } },
        })
      ).body.id as number
    const [own, chosen] = [await add(`/cases/${mine.id}/issues/new`), await add('/x', { case: theirs.id })]
    const started = await add(`/cases/${theirs.id}/issues/new?case=${theirs.id}`)
    await mergeCases(mine.id, theirs.id)
    const since = await add(`/cases/${mine.id}/issues/${theirs.issue}/actions/new`)
    const draft = async (id: number) => (await advocate('drafts.read', on(id))).body
    expect((await draft(started)).address).toBe(`/cases/${mine.id}/issues/new?case=${mine.id}`)
    expect((await draft(chosen)).payload.document).toEqual({ case: mine.id })
    await manager('merges.undoCases', pair(mine.id, theirs.id))
    expect((await draft(own)).address).toBe(`/cases/${mine.id}/issues/new`)
    expect((await draft(started)).address).toBe(`/cases/${theirs.id}/issues/new?case=${theirs.id}`)
    expect((await draft(chosen)).payload.document).toEqual({ case: theirs.id })
    expect((await draft(since)).address).toBe(`/cases/${theirs.id}/issues/${theirs.issue}/actions/new`)
  })

  it('prefer the monitoring that was changed last, not that of the newer case', async () => {
    const [mine, theirs] = await casesOf()
    await advocate('cases.saveMonitoring', on(mine.id, { carer: 'no' }))
    const choice = async () => {
      const { body } = await manager('merges.compareCases', pair(mine.id, theirs.id))
      return (body as Comparison).rows.find(({ id }) => id === 'monitoring.carer')
    }
    expect(await choice()).toMatchObject({ choice: 'mine', reason: null })
    await advocate('cases.saveMonitoring', on(theirs.id, { carer: null }))
    await advocate('cases.saveMonitoring', on(theirs.id, { carer: 'yes' }))
    expect(await choice()).toMatchObject({ choice: 'theirs', reason: 'newer' })
  })

  it('are active if one of them is, until the merge is undone', async () => {
    const [mine, theirs] = await casesOf()
    const status = async (id: number) => (await advocate('cases.read', on(id))).body.status
    await manager('issues.retire', on(mine.issue))
    expect((await manager('cases.retire', on(mine.id))).status).toBe(200)
    const { body } = await manager('merges.compareCases', pair(mine.id, theirs.id))
    expect(body.after).toContain(`${mine.id} is retired, and is active again.`)
    expect(body.moves.map(({ label }: { label: string }) => label)).toEqual([
      '1 issue',
      '2 actions',
      '1 open task',
    ])
    expect((await mergeCases(mine.id, theirs.id)).status).toBe(200)
    expect(await status(mine.id)).toBe(1)
    expect((await manager('merges.undoCases', pair(mine.id, theirs.id))).body.stays).toEqual([])
    expect([await status(mine.id), await status(theirs.id)]).toEqual([2, 1])
    await mergeCases(mine.id, theirs.id)
    const { rows: merged } = await sql`select changes -> 'status' as status from audit
      where entity = 'case' and record = ${mine.id} and action = 'merge' order by id desc limit 1`.execute(
      context.db,
    )
    expect(merged).toEqual([{ status: { from: 2, to: 1 } }])
    await manager('issues.retire', on(theirs.issue))
    expect((await manager('cases.retire', on(mine.id))).status).toBe(200)
    const { body: stays } = await manager('merges.sinceCases', pair(mine.id, theirs.id))
    expect(stays).toEqual([{ id: 'status', label: expect.stringMatching(/, changed since$/) }])
  })

  it('are separated again with their own deadlines and alerts, also after a merge of the client and a purge', async () => {
    const [mine, theirs] = await casesOf()
    const action = (await advocate('actions.addToCase', on(theirs.id, { type: 1, done_on: '2026-02-11' })))
      .body.id
    const counts = sql`case_type, name, client, "case", label`
    await sql`insert into deadlines (${counts}, seq, title, counted_from, due, warn_from, met_on, met_by_action, form_version)
      values (1, 'visit', ${theirs.client}, ${theirs.id}, 'Visit', 0, 'Visit due', '2026-02-01', '2026-02-11', '2026-02-10',
        '2026-02-11', ${action}, 1)`.execute(context.db)
    await sql`insert into automation_states (${counts}, version, because)
      values (1, 'late', ${theirs.client}, ${theirs.id}, 'Late', 1, 'x')`.execute(context.db)
    await sql`insert into deadline_pauses ("case", name, from_day) values (${theirs.id}, 'visit', '2026-02-01')`.execute(
      context.db,
    )
    expect((await mergeCases(mine.id, theirs.id)).status).toBe(200)
    const other = await made()
    expect((await merge(manager, other.client, theirs.client)).status).toBe(200)
    await sql`delete from actions where id = ${action}`.execute(context.db)
    expect((await manager('merges.undoCases', pair(mine.id, theirs.id))).status).toBe(200)
    const { rows } =
      await sql`select d.client, d.met_by_action, p.name from deadlines d join deadline_pauses p using ("case")
      where d."case" = ${theirs.id} and d.issue is null`.execute(context.db)
    expect(rows).toEqual([{ client: other.client, met_by_action: null, name: 'visit' }])
  })

  it('stay two if they are of different clients, and go along with a client that is merged', async () => {
    const [mine, other] = [await made(), await made()]
    const refused = await manager('merges.compareCases', pair(mine.id, other.id))
    expect([refused.status, refused.body.other]).toEqual([
      400,
      ['Both cases must be of the same client, case type and contract'],
    ])
    expect((await merge(manager, mine.client, other.client)).status).toBe(200)
    expect((await mergeCases(mine.id, other.id)).status).toBe(200)
    const undone = await manager('merges.undo', pair(mine.client, other.client))
    expect([undone.status, undone.body.stays]).toEqual([200, [`Case ${other.id}, merged since`]])
    expect((await advocate('issues.read', on(other.issue))).body).toMatchObject({
      case: mine.id,
      client: mine.client,
    })
    expect((await manager('merges.undoCases', pair(mine.id, other.id))).status).toBe(200)
    expect((await advocate('issues.read', on(other.issue))).body).toMatchObject({
      case: other.id,
      client: mine.client,
    })
  })

  it('are merged only if their case type and contract are the same, and as neither was changed since', async () => {
    const [mine, theirs] = await casesOf()
    const { body } = await manager('merges.compareCases', pair(mine.id, theirs.id))
    const { version, other_version } = body
    const sent = { other: theirs.id, version, other_version, choices: {} }
    for (const [id, stale] of [
      [mine.id, { ...sent, version: version - 1 }],
      [mine.id, { ...sent, other_version: other_version - 1 }],
    ] as const) {
      const { status, body: refused } = await manager('merges.mergeCases', on(id, stale))
      expect([status, refused.code]).toEqual([409, 'conflict'])
    }
    for (const column of ['case_type', 'contract']) {
      const set = (change: Sql) =>
        sql`update cases set ${sql.ref(column)} = ${sql.ref(column)} + ${change} where id = ${theirs.id}`.execute(
          context.db,
        )
      await set(sql`1`)
      expect((await manager('merges.compareCases', pair(mine.id, theirs.id))).status).toBe(400)
      await set(sql`-1`)
    }
    expect((await mergeCases(mine.id, theirs.id)).status).toBe(200)
  })

  it('are not merged while either is held', async () => {
    const [mine, theirs] = await casesOf()
    await sql`with state as (
        insert into automation_states (case_type, name, version, client, "case", issue, label, because)
        values (1, 'held', 1, ${theirs.client}, ${theirs.id}, null, 'Held', 'x') returning id
      ) insert into automation_holds (state, call, text) select id, 'merge', 'Not yet' from state`.execute(
      context.db,
    )
    for (const [id, other] of [
      [mine.id, theirs.id],
      [theirs.id, mine.id],
    ]) {
      const { status, body } = await mergeCases(id, other)
      expect([status, body.code, body.message]).toEqual([409, 'held', 'Not yet'])
    }
  })

  it('notify nobody again, and take alerts and values of their issues along, but nothing of another entity', async () => {
    const [mine, theirs] = await casesOf()
    const concern = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
    await advocate('issues.update', on(theirs.issue, { answers: concern }))
    await sql`insert into answer_values ("case", issue, case_type, field, text)
      values (${theirs.id}, null, 1, 'of_their_case', 'x'), (${theirs.id}, ${theirs.issue}, 1, 'of_their_issue', 'x')`.execute(
      context.db,
    )
    await sql`insert into files (name, type, size, content, entity, record, created_by)
      values ('of_a_risk.txt', 'text/plain', 1, 'x', 'risk', ${theirs.id}, ${advocate.id})`.execute(
      context.db,
    )
    const found = async () =>
      (
        await sql<object>`select (select array_agg(id order by id) from automation_states where issue = ${theirs.issue}) as states,
          (select count(*) from automation_events) + (select count(*) from work_notices) + (select count(*) from tasks) as events,
          (select record from files where name = 'of_a_risk.txt') as record`.execute(context.db)
      ).rows[0]
    const before = await found()
    expect(before).toMatchObject({ states: [expect.any(Number)] })
    expect((await mergeCases(mine.id, theirs.id)).status).toBe(200)
    expect(await found()).toEqual(before)
    const { rows } =
      await sql`select field from answer_values where field like 'of_their_%' and "case" = ${mine.id}`.execute(
        context.db,
      )
    expect(rows).toEqual([{ field: 'of_their_issue' }])
    expect((await manager('merges.undoCases', pair(mine.id, theirs.id))).status).toBe(200)
    expect(await found()).toEqual(before)
  })

  it('fire no event where a condition newly holds in the merged case, nor where it holds again by an undo', async () => {
    await withAutomationsOf('contacted_us', async () => {
      const [mine, theirs] = await casesOf()
      await advocate('cases.update', on(theirs.id, { answers: { contacted_us: 3 } }))
      const before = await followed(mine.id)
      expect(before.alerts).toEqual(['is_missing'])
      expect((await mergeCases(mine.id, theirs.id)).status).toBe(200)
      expect(await followed(mine.id)).toEqual({ ...before, alerts: ['is_known'] })
      expect((await manager('merges.undoCases', pair(mine.id, theirs.id))).status).toBe(200)
      expect([await followed(mine.id), (await followed(theirs.id)).alerts]).toEqual([before, ['is_known']])
    })
  })

  it('stay retired if both of them are', async () => {
    const [mine, theirs] = await casesOf()
    for (const { id, issue } of [mine, theirs]) {
      await manager('issues.retire', on(issue))
      expect((await manager('cases.retire', on(id))).status).toBe(200)
    }
    expect((await mergeCases(mine.id, theirs.id)).status).toBe(200)
    expect((await advocate('cases.read', on(mine.id))).body.status).toBe(2)
  })

  it('give the case back each answer that nobody has changed since, and say so in its history', async () => {
    const [mine, theirs] = await casesOf()
    const save = (id: number, answers: object) => advocate('cases.update', on(id, { answers }))
    await save(theirs.id, { contacted_us: 3, referring_from: 3 })
    const invalid = async () =>
      (
        await sql<{
          names: string[]
        }>`select invalid_fields as names from cases where id = ${mine.id}`.execute(context.db)
      ).rows[0].names
    await sql`update cases set invalid_fields = '{of_before}' where id = ${mine.id}`.execute(context.db)
    const answers = async () => (await advocate('cases.read', on(mine.id))).body.answers
    const before = await answers()
    const merged = await mergeCases(mine.id, theirs.id)
    expect([merged.status, await answers()]).toEqual([200, { ...before, contacted_us: 3, referring_from: 3 }])
    expect(await invalid()).toEqual([])
    await manager('merges.undoCases', pair(mine.id, theirs.id))
    expect([await answers(), await invalid()]).toEqual([before, ['of_before']])
    // The newer one again.
    for (const referring_from of [4, 3]) await save(theirs.id, { referring_from })
    await mergeCases(mine.id, theirs.id)
    expect((await save(mine.id, { referring_from: 1 })).status).toBe(200)
    const undone = await manager('merges.undoCases', pair(mine.id, theirs.id))
    expect(undone.body.stays).toEqual([expect.stringMatching(/, changed since$/)])
    expect([await answers(), await invalid()]).toEqual([{ ...before, referring_from: 1 }, []])
    const { rows } = await sql<{
      names: string[]
    }>`select array(select jsonb_object_keys(changes) order by 1) as names from audit
      where entity = 'case' and record = ${mine.id} and action = 'undo merge' order by id desc limit 1`.execute(
      context.db,
    )
    expect(rows).toEqual([{ names: ['answers.contacted_us', 'council_area', 'merged_from'] }])
  })

  it('leave where it is what was moved on since', async () => {
    const [mine, theirs] = await casesOf()
    const add = async (id: number) =>
      (await advocate('actions.addToCase', on(id, { type: 1, done_on: '2026-02-12' }))).body.id as number
    const [elsewhere, toIssue] = [await add(theirs.id), await add(theirs.id)]
    const third = await createCase(advocate, 1, { client: mine.client })
    expect((await mergeCases(mine.id, theirs.id)).status).toBe(200)
    await sql`update actions set "case" = ${third.id} where id = ${elsewhere}`.execute(context.db)
    await sql`update actions set issue = ${mine.issue} where id = ${toIssue}`.execute(context.db)
    expect((await manager('merges.undoCases', pair(mine.id, theirs.id))).status).toBe(200)
    const { rows } =
      await sql`select id, "case" from actions where id in (${elsewhere}, ${toIssue}) order by id`.execute(
        context.db,
      )
    expect(rows).toEqual([
      { id: elsewhere, case: third.id },
      { id: toIssue, case: mine.id },
    ])
  })

  it('take actions back with the issue that they are on by now, as they were changed since', async () => {
    const [mine, theirs] = await casesOf()
    const add = async (issue: number) => (await advocate('actions.addToIssue', on(issue, ACTION))).body.id
    const [toMine, toTheirs, offIssue, changed] = [
      await add(theirs.issue),
      await add(mine.issue),
      await add(theirs.issue),
      await add(theirs.issue),
    ]
    const ofMine = await add(mine.issue)
    expect((await mergeCases(mine.id, theirs.id)).status).toBe(200)
    await moveAction(toMine, mine)
    await moveAction(toTheirs, { id: mine.id, issue: theirs.issue })
    await moveAction(offIssue, { id: mine.id, issue: null })
    await moveAction(ofMine, { id: mine.id, issue: null })
    expect((await advocate('actions.update', on(changed, { time_taken: 60 }))).status).toBe(200)
    expect((await manager('merges.undoCases', pair(mine.id, theirs.id))).status).toBe(200)
    expect(await placesOf([toMine, toTheirs, offIssue, changed, ofMine], 'case')).toEqual([
      [mine.id, 1800],
      [theirs.id, 1800],
      [theirs.id, 1800],
      [theirs.id, 60],
      [mine.id, 1800],
    ])
  })

  it('offer no choice of a calculated answer, which is calculated anew from those that are chosen', async () => {
    const fields = [
      { name: 'weights', label: 'Weights', type: 'integer' },
      { name: 'load', label: 'Load', type: 'integer' },
      { name: 'total', label: 'Total', type: 'integer', attrs: { calc: 'sum', of: ['weights', 'load'] } },
    ]
    await addGroup('loads', fields)
    const [mine, theirs] = await casesOf()
    await advocate('cases.update', on(mine.id, { answers: { weights: 1, load: 10 } }))
    await advocate('cases.update', on(theirs.id, { answers: { weights: 2, load: 20 } }))
    const { body } = await manager('merges.compareCases', pair(mine.id, theirs.id))
    const { version, other_version, rows } = body as Comparison
    const asked = rows.map(({ id }) => id).filter((id) => /weights|load|total/.test(id))
    expect(asked).toEqual(['answers.weights', 'answers.load'])
    const chosen = rows.map(({ id }) => [id, id === 'answers.load' ? 'theirs' : 'mine'])
    const sent = { other: theirs.id, version, other_version, choices: Object.fromEntries(chosen) }
    expect((await manager('merges.mergeCases', on(mine.id, sent))).status).toBe(200)
    const answers = async () => (await advocate('cases.read', on(mine.id))).body.answers
    expect(await answers()).toMatchObject({ weights: 1, load: 20, total: 21 })
    expect((await manager('merges.undoCases', pair(mine.id, theirs.id))).status).toBe(200)
    expect(await answers()).toMatchObject({ weights: 1, load: 10, total: 11 })
  })

  it('offer a choice of the dates and numbers that differ, not of those that are equal', async () => {
    const values: [string, unknown, unknown][] = [
      ['date', '2026-01-15', '2026-01-16'],
      ['datetime', '2026-01-15T10:30:00Z', '2026-01-15T10:31:00Z'],
      ['time', '10:30', '10:31'],
      ['month', '2026-01', '2026-02'],
      ['year', 2025, 2026],
      ['integer', 0, 1],
      ['scale', 0, 1],
      ['duration', 60, 120],
      ['decimal', '12.50', '12.51'],
      ['money', '12.50', '12.51'],
    ]
    const fields = values.flatMap(([type]) =>
      ['same', 'other'].map((name) => ({
        name: `${name}_${type}`,
        label: `${name} ${type}`,
        type,
        ...(type === 'scale' && { attrs: { min: 0, max: 5 } }),
      })),
    )
    await addGroup('compared', fields)
    const [mine, theirs] = await casesOf()
    const answers = (other: number) =>
      Object.fromEntries(
        values.flatMap(([type, ...both]) => [
          [`same_${type}`, both[0]],
          [`other_${type}`, both[other]],
        ]),
      )
    for (const [i, { id }] of [mine, theirs].entries())
      expect((await advocate('cases.update', on(id, { answers: answers(i) }))).status).toBe(200)
    // Stored while its field had one decimal place.
    await sql`update cases set answers = answers || '{"same_decimal": "12.5"}' where id = ${theirs.id}`.execute(
      context.db,
    )
    const { body } = await manager('merges.compareCases', pair(mine.id, theirs.id))
    const offered = (body as Comparison).rows.map(({ id }) => id).filter((id) => /(same|other)_/.test(id))
    expect(offered).toEqual(values.map(([type]) => `answers.other_${type}`))
  })

  it('are told apart from a client of the same number', async () => {
    const [mine, theirs, third] = [await made(), await made(), await made()]
    expect((await merge(manager, mine.client, theirs.client)).status).toBe(200)
    await sql`delete from merges where entity = 'case' and old in (${theirs.client}, ${third.client})`.execute(
      context.db,
    )
    await sql`insert into merges (entity, old, client, "case", undo)
      select 'case', n, ${mine.client}, ${mine.id}, '{}' from unnest(array[${theirs.client}, ${third.client}]::int[]) n`.execute(
      context.db,
    )
    expect((await advocate('clients.read', on(theirs.client))).body.id).toBe(mine.client)
    const history = await advocate('chronology.ofClient', { ...on(mine.client), query: { page_size: 100 } })
    expect(history.body.data.map(({ client }: Made) => client)).not.toContain(third.client)
    expect((await manager('merges.since', pair(third.client, theirs.client))).status).toBe(404)
    const undone = await manager('merges.undo', pair(mine.client, theirs.client))
    expect([undone.status, undone.body.restored]).toEqual([200, theirs.client])
    await sql`delete from merges where "case" = ${mine.id}`.execute(context.db)
  })

  it('are not named by the undo of a merge of the client if they go back together or are hidden', async () => {
    const [mine, other] = [await made(), await made()]
    const [together, visible] = [
      await createCase(advocate, 1, { client: other.client }),
      await createCase(advocate, 1, { client: mine.client }),
    ]
    expect((await merge(manager, mine.client, other.client)).status).toBe(200)
    expect((await mergeCases(other.id, together.id)).status).toBe(200)
    const stays = async () =>
      (await manager('merges.since', pair(mine.client, other.client))).body.map(
        ({ id }: { id: string }) => id,
      )
    expect(await stays()).toEqual([])
    expect((await mergeCases(mine.id, other.id)).status).toBe(200)
    expect(await stays()).toEqual([`case ${other.id}`, `case ${together.id}`])
    const stranger = await context.as('stranger')
    await sql`update issues set advocate = ${stranger.id}, created_by = ${stranger.id} where "case" = ${mine.id}`.execute(
      context.db,
    )
    await sql`update cases set created_by = ${stranger.id} where id = ${mine.id}`.execute(context.db)
    expect([(await manager('cases.read', on(mine.id))).status, await stays()]).toEqual([404, []])
    expect((await manager('cases.read', on(visible.id))).status).toBe(200)
  })
})

describe('at the same time', () => {
  it('a merge, edits, new rows, another merge and a purge neither lose anything nor wait for each other for ever', async () => {
    for (let round = 0; round < (FULL ? 60 : 2); round++) {
      await forgetCalls()
      const [mine, theirs] = [await made(), await made()]
      const replies = await Promise.all([
        merge(manager, mine.client, theirs.client),
        advocate('clients.update', on(theirs.client, { notes: `Round ${round}` })),
        WORK[round % WORK.length](theirs),
        advocate('risks.create', on(theirs.client, { type: 1 })),
        merge(admin, theirs.client, mine.client),
        merge(admin, mine.client, theirs.client),
        admin('clients.purge', on(theirs.client)),
      ])
      for (const { status, body } of replies)
        expect([200, 201, 404, 409], JSON.stringify(body)).toContain(status)
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from clients
        where id in (${mine.client}, ${theirs.client})`.execute(context.db)
      const merged = [replies[0], replies[4], replies[5]].filter(({ status }) => status === 200)
      expect([rows[0].n, merged.length]).toEqual(merged.length > 0 ? [1, 1] : [2, 0])
      const { rows: lost } = await sql`select i.id from issues i left join clients c on c.id = i.client
        where c.id is null or i.client <> (select k.client from cases k where k.id = i."case")
        union all select a.id from actions a left join clients c on c.id = a.client where c.id is null`.execute(
        context.db,
      )
      expect(lost).toEqual([])
      expect(await verifyAccess(context.db, { rebuild: false })).toMatchObject({ differing: 0 })
    }
  }, 120_000)

  it('a merge and a purge leave a client that was merged or one that is gone, and nothing of it elsewhere', async () => {
    for (let round = 0; round < (FULL ? 30 : 2); round++) {
      const [mine, theirs] = [await made(), await made()]
      await manager('issues.retire', on(theirs.issue))
      await manager('cases.retire', on(theirs.id))
      await manager('clients.retire', on(theirs.client))
      const [merged, purged] = await Promise.all([
        merge(manager, mine.client, theirs.client),
        admin('clients.purge', on(theirs.client)),
      ])
      const outcome = [merged.status, purged.status, purged.body.code ?? null]
      expect([
        [200, 409, 'merged'],
        [404, 200, null],
      ]).toContainEqual(outcome)
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from issues
        where id = ${theirs.issue} and client = ${mine.client}`.execute(context.db)
      expect(rows[0].n).toBe(merged.status === 200 ? 1 : 0)
    }
  }, 120_000)
})
