import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { forgetUploads } from '../../src/server/ops/jobs/forgetUploads.ts'
import { goodRows } from './bulkFiles.ts'
import { bulkUploads, type GoodRows } from './bulkUploads.ts'
import { type Caller, describeServer } from './context.ts'

const context = describeServer()
let hub: Caller
let good: GoodRows
beforeAll(async () => {
  hub = await context.as('hub')
  good = await goodRows(hub, context.address)
})

const { read, settled, check, apply, rowsOf } = bulkUploads(() => ({ context, hub, good }))

interface Ids {
  client: number
  case: number
  issue: number
}
const REASONS = {
  issue: 'Kept, because an issue was added since',
  action: 'Kept, because an action was added since',
  task: 'Kept, because a task was added since',
  document: 'Kept, because a document was added since',
  signpost: 'Kept, because signposting was added since',
  referral: 'Kept, because a referral was added since',
  client: 'The case is gone; the client is kept, because something was added to it since',
}
const MANY = 1_000_000

/** What people add later, by the column that refers to the client, case or issue, with the note of the row that is undone. */
const ADDED_LATER: Record<string, { note: string; insert: (ids: Ids) => RawBuilder<unknown> }> = {
  'actions.case': {
    note: REASONS.action,
    insert: (to) => sql`insert into actions (client, "case", type, done_on)
      values (${to.client}, ${to.case}, 1, '2026-01-01')`,
  },
  'actions.issue': {
    note: REASONS.action,
    insert: (to) => sql`insert into actions (client, "case", issue, type, done_on)
      values (${to.client}, ${to.case}, ${to.issue}, 1, '2026-01-01')`,
  },
  'cases.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into cases (client, service, case_type, case_type_version, contract)
      select client, service, case_type, case_type_version, contract from cases where id = ${to.case}`,
  },
  'communication_issues.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into communication_issues (client, type) values (${to.client}, 1)`,
  },
  'issue_documents.issue': {
    note: REASONS.document,
    insert: (to) => sql`with f as (insert into files (name, type, size, content, created_by)
        values ('a.pdf', 'application/pdf', 1, 'x', ${hub.id}) returning id)
      insert into issue_documents (issue, name, file) select ${to.issue}, 'a.pdf', id from f`,
  },
  'issues.case': {
    note: REASONS.issue,
    insert: (to) => sql`insert into issues
      select (jsonb_populate_record(i, jsonb_build_object('id', ${MANY}::int))).* from issues i where id = ${to.issue}`,
  },
  'referral_requests.case': {
    note: REASONS.referral,
    insert: (to) => sql`insert into referral_requests (hub, service, "case") values (1, 1, ${to.case})`,
  },
  'referral_requests.from_case': {
    note: REASONS.referral,
    insert: (to) => sql`insert into referral_requests (hub, service, from_client, from_case)
      values (2, 1, ${to.client}, ${to.case})`,
  },
  'referral_requests.from_client': {
    note: REASONS.client,
    insert: (to) =>
      sql`insert into referral_requests (hub, service, from_client) values (2, 1, ${to.client})`,
  },
  'risks.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into risks (client, type) values (${to.client}, 1)`,
  },
  'signposts.case': {
    note: REASONS.signpost,
    insert: (to) => sql`insert into signposts (client, "case", sp_org) values (${to.client}, ${to.case}, 1)`,
  },
  'signposts.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into signposts (client, sp_org) values (${to.client}, 1)`,
  },
  'tasks.case': {
    note: REASONS.task,
    insert: (to) => sql`insert into tasks (title, due, "case") values ('Ring', '2026-01-01', ${to.case})`,
  },
  'tasks.client': {
    note: REASONS.client,
    insert: (to) => sql`insert into tasks (title, due, client) values ('Ring', '2026-01-01', ${to.client})`,
  },
  'tasks.issue': {
    note: REASONS.task,
    insert: (to) => sql`insert into tasks (title, due, issue) values ('Ring', '2026-01-01', ${to.issue})`,
  },
  'drafts about the issue': {
    note: 'Kept, because somebody is writing about it since',
    insert: (to) => sql`insert into drafts (staff, kind, title, address, payload)
      values (${hub.id}, 'action', 'Action', ${`/issues/${to.issue}/actions/new`}, '{}')`,
  },
  'drafts about the client': {
    note: REASONS.client,
    insert: (to) => sql`insert into drafts (staff, kind, title, address, payload)
      values (${hub.id}, 'risk', 'Risk', ${`/clients/${to.client}/risks/new`}, '{}')`,
  },
}
/**
 * What the server adds with a case, or keeps of it for itself; an action has the client of its case. A merge changes the
 * version of what remains. Who is alike follows from the clients.
 */
const ADDED_WITH_A_CASE = [
  'actions.client',
  'alike_pairs.client',
  'alike_pairs.other',
  'answer_index.case',
  'answer_index.issue',
  'answer_values.case',
  'answer_values.issue',
  'automation_events.case',
  'automation_events.client',
  'automation_events.issue',
  'automation_states.case',
  'automation_states.client',
  'automation_states.issue',
  'case_access.case',
  'case_monitoring.case',
  'client_access.client',
  'client_questions.client',
  'deadline_pauses.case',
  'deadline_pauses.issue',
  'deadlines.case',
  'deadlines.client',
  'deadlines.issue',
  'issue_monitoring.issue',
  'merges.case',
  'merges.client',
  'not_same_person.client',
  'not_same_person.other',
  'replaced_answers.case',
  'replaced_answers.issue',
  'same_nhs_numbers.client',
  'same_nhs_numbers.other',
  'work_notices.client',
  'work_notices.issue',
]

describe('undoing', () => {
  const undo = async (id: number) => {
    expect((await hub('bulk.undo', { params: { id } })).status).toBe(200)
    return settled(id)
  }

  it('deletes what nobody touched since, and says what it left and why', async () => {
    const rows = ['Cy', 'Di', 'Ed', 'Flo'].map((name) => good.row(name, 'Undone'))
    const upload = await apply((await check(rows)).id)
    const [cy, di, ed, flo] = await rowsOf(upload.id)
    await hub('cases.update', { params: { id: di.case }, body: { answers: { ward: 'Seven' } } })
    await sql`insert into actions (client, "case", type, done_on, time_taken, created_by)
      values (${ed.client}, ${ed.case}, 1, '2026-01-01', 0, ${hub.id})`.execute(context.db)
    await hub('clients.update', { params: { id: flo.client }, body: { notes: 'Rings on Mondays' } })
    expect((await hub('bulk.undo', { params: { id: upload.id } })).status).toBe(200)
    const undone = await settled(upload.id)
    expect(undone).toMatchObject({ state: 'undone', undone: 2, kept: 2, added: 0 })
    expect((await rowsOf(upload.id)).map(({ state, note }) => [state, note])).toEqual([
      ['undone', null],
      ['kept', 'Kept, because the case was changed since'],
      ['kept', 'Kept, because an action was added since'],
      ['undone', 'The case is gone; the client is kept, because something was added to it since'],
    ])
    const status = async (call: string, id: number) => (await hub(call, { params: { id } })).status
    expect(await status('cases.read', cy.case)).toBe(404)
    expect(await status('clients.read', cy.client)).toBe(404)
    expect(await status('cases.read', di.case)).toBe(200)
    expect(await status('cases.read', flo.case)).toBe(404)
    const { rows: left } =
      await sql`select id from clients where id = any(${[cy.client, flo.client]}::int[])`.execute(context.db)
    expect(left).toEqual([{ id: flo.client }])
  })

  it('keeps a record to which anything was added since', async () => {
    const all = Object.values(ADDED_LATER)
    const upload = await apply((await check(all.map((_, i) => good.row(`Person${i}`, 'Later')))).id)
    for (const [i, { client, case: caseRecord }] of (await rowsOf(upload.id)).entries()) {
      const { rows } = await sql<{
        id: number
      }>`select id from issues where "case" = ${caseRecord}`.execute(context.db)
      await all[i].insert({ client, case: caseRecord, issue: rows[0].id }).execute(context.db)
    }
    await undo(upload.id)
    const notes = (await rowsOf(upload.id)).map(({ note }, i) => [Object.keys(ADDED_LATER)[i], note])
    expect(notes).toEqual(Object.entries(ADDED_LATER).map(([column, { note }]) => [column, note]))
  })

  it('takes a step along that an automation has planned', async () => {
    const upload = await apply((await check([good.row('Stella', 'Planned')])).id)
    const [{ client, case: caseRecord }] = await rowsOf(upload.id)
    await sql`with event as (
        insert into automation_events (case_type, name, version, client, "case", label, because)
        select case_type, 'planned', 1, client, id, 'Planned', '' from cases where id = ${caseRecord} returning id
      )
      insert into tasks (title, due, "case", client, event)
      select 'Ring', '2030-01-01', ${caseRecord}, ${client}, id from event`.execute(context.db)
    await undo(upload.id)
    expect((await rowsOf(upload.id)).map(({ state, note }) => [state, note])).toEqual([['undone', null]])
  })

  it('keeps a record that something holds, and nothing of it is lost', async () => {
    const { id } = await apply((await check([good.row('Hal', 'Held'), good.row('Finn', 'Free')])).id)
    const [held, free] = await rowsOf(id)
    await sql`with state as (
      insert into automation_states (case_type, name, version, client, "case", label, because)
      select case_type, 'held', 1, client, id, 'Held', 'x' from cases where id = ${held.case} returning id
    ) insert into automation_holds (state, call, text) select id, 'close', 'Not yet' from state`.execute(
      context.db,
    )
    await undo(id)
    expect((await rowsOf(id)).map(({ state, note }) => [state, note])).toEqual([
      ['kept', 'Kept, because something holds the case'],
      ['undone', null],
    ])
    expect((await hub('cases.read', { params: { id: held.case } })).status).toBe(200)
    expect((await hub('cases.read', { params: { id: free.case } })).status).toBe(404)
  })

  it('knows every table that refers to a client, case or issue', async () => {
    const { rows } = await sql<{ name: string }>`select c.conrelid::regclass || '.' || a.attname as name
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid in ('clients'::regclass, 'cases'::regclass, 'issues'::regclass)`.execute(
      context.db,
    )
    const names = rows.map(({ name }) => name)
    expect(names).toContain('tasks.case')
    expect(names.filter((name) => !(name in ADDED_LATER) && !ADDED_WITH_A_CASE.includes(name))).toEqual([])
  })

  it('waits for what somebody is adding to a case at the moment', async () => {
    const upload = await apply((await check([good.row('Wanda', 'Waited')])).id)
    const [{ client, case: caseRecord }] = await rowsOf(upload.id)
    await context.db.transaction().execute(async (tx) => {
      await sql`insert into actions (client, "case", type, done_on)
        values (${client}, ${caseRecord}, 1, '2026-01-01')`.execute(tx)
      expect((await hub('bulk.undo', { params: { id: upload.id } })).status).toBe(200)
      const isWaiting = async () =>
        (
          await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
        ).rows.length
      await expect.poll(isWaiting, { interval: 10 }).toBeGreaterThan(0)
    })
    await settled(upload.id)
    expect(await rowsOf(upload.id)).toMatchObject([
      { state: 'kept', note: 'Kept, because an action was added since' },
    ])
  })

  it('is possible for 14 days; then rows and file are forgotten', async () => {
    const upload = await apply((await check([good.row('Gil', 'Late')])).id)
    const waiting = await check([good.row('Hugo', 'Waiting')])
    await sql`update bulk_uploads set applied_at = applied_at - interval '15 days', updated_at = now() - interval '15 days'
      where id = any(${[upload.id, waiting.id]}::int[])`.execute(context.db)
    const params = { id: upload.id }
    expect((await hub('bulk.undo', { params })).body.message).toBe('An upload can be undone for 14 days')
    await forgetUploads({ db: context.db })
    expect(await read(waiting.id)).toMatchObject({ state: 'failed', left_out: 0 })
    const { rows } = await sql`select state, cells, person, "case" is not null as has_case from bulk_rows
      where upload = any(${[upload.id, waiting.id]}::int[]) order by upload`.execute(context.db)
    expect(rows).toEqual([
      { state: 'added', cells: [], person: null, has_case: true },
      { state: 'skipped', cells: [], person: null, has_case: false },
    ])
    const { rows: files } = await sql`select 1 from files
      where entity = 'bulkUpload' and record = any(${[upload.id, waiting.id]}::int[])`.execute(context.db)
    expect(files).toEqual([])
  })

  it('is refused with all other changes once the rows are forgotten', async () => {
    const { id } = await check([good.row('Jan', 'Forgotten'), good.row('Kay', 'Forgotten')])
    const [, kay] = await rowsOf(id)
    await sql`update bulk_rows set state = 'skipped', decision = 'skip' where id = ${kay.id}`.execute(
      context.db,
    )
    await apply(id)
    await sql`update bulk_uploads set applied_at = applied_at - interval '15 days' where id = ${id}`.execute(
      context.db,
    )
    await forgetUploads({ db: context.db })
    const refused = [409, expect.stringMatching(/older than 14 days/)]
    for (const [call, options] of [
      ['bulk.decide', { params: { id: kay.id }, body: { decision: 'new' } }],
      ['bulk.change', { params: { id }, body: { decision: 'new' } }],
      ['bulk.apply', { params: { id } }],
      ['bulk.undo', { params: { id } }],
    ] as const) {
      const { status, body } = await hub(call, options)
      expect([call, status, body.message]).toEqual([call, ...refused])
    }
    expect((await rowsOf(id))[1].state).toBe('skipped')
  })

  it('of a purge leaves nothing of the client in the upload', async () => {
    const upload = await apply((await check([good.row('Iris', 'Purged')])).id)
    const [{ case: caseId, client }] = await rowsOf(upload.id)
    const admin = await context.as('admin')
    const [issue] = (await admin('cases.issues', { params: { id: caseId } })).body.data
    await admin('issues.retire', { params: { id: issue.id } })
    await admin('cases.retire', { params: { id: caseId } })
    await admin('clients.retire', { params: { id: client } })
    expect((await admin('clients.purge', { params: { id: client } })).status).toBe(200)
    const { rows } =
      await sql`select cells, person, client from bulk_rows where upload = ${upload.id}`.execute(context.db)
    expect(rows).toEqual([{ cells: [], person: null, client: null }])
    const { rows: files } =
      await sql`select 1 from files where entity = 'bulkUpload' and record = ${upload.id}`.execute(context.db)
    expect(files).toEqual([])
  })
})
