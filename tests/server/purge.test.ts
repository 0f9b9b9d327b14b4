import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { upload } from './upload.ts'

const context = describeServer()
let advocate: Caller
let manager: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
  manager = await context.as('manager')
})

interface Made {
  id: number
  client: number
  issue: number
  files: number[]
}

/** A client with one of everything below it. */
async function whole(): Promise<Made> {
  const made = await createCase(advocate, 1, { signposting: [{ sp_org: 1 }] })
  const [client, file, issue] = [made.client, made.id, made.issue].map((id) => ({ params: { id } }))
  await sql`update issues set advocate = ${advocate.id} where id = ${made.issue}`.execute(context.db)
  await advocate('actions.addToIssue', { ...issue, body: ACTION })
  await advocate('actions.addToCase', { ...file, body: ACTION })
  const letter = (await upload(advocate, `/issue/${made.issue}/file/`, 'letter.txt', 'words')).body.file
  const risk = (await advocate('risks.create', { ...client, body: { type: 1 } })).body.id
  const plan = (await upload(advocate, `/risk/${risk}/upload_file/`, 'plan.txt', 'words')).body.file
  const kept = (await upload(advocate, '/api/files', 'kept.txt', 'words')).body.id
  await advocate('communicationIssues.create', { ...client, body: { type: 1, file: kept } })
  await advocate('clients.read', client)
  await advocate('files.download', { params: { id: letter } })
  return { ...made, files: [letter, plan, kept] }
}

const age = async ({ id, issue }: Made, days: number) => {
  await sql`update issues set start_date = '2020-01-01', is_opened = false, close_reasons = '{1}',
    close_date = current_date - ${days}::int, updated_at = now() - make_interval(days => ${days})
    where id = ${issue}`.execute(context.db)
  await sql`update audit set at = now() - make_interval(days => ${days}) where issue = ${issue}`.execute(
    context.db,
  )
  await sql`update cases set touched_at = now() - make_interval(days => ${days}),
    updated_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(context.db)
}

/** A further issue of the case, so that the other can be purged. */
const another = ({ id, issue }: Made) =>
  sql`insert into issues ("case", service, contract, case_type_version, issue_type, start_date, created_by)
    select ${id}, service, contract, case_type_version, issue_type, start_date, created_by from issues where id = ${issue}`.execute(
    context.db,
  )

/** Enters early dates, as if the issue had been closed long ago. */
const backdate = async ({ issue }: Made) => {
  const params = { id: issue }
  const close = { reasons: [1], close_date: '2021-01-01' }
  const moved = await advocate('issues.update', { params, body: { start_date: '2020-01-01' } })
  const closed = await advocate('issues.close', { params, body: close })
  expect([moved.status, closed.status]).toEqual([200, 200])
}

/** Adds a closed issue to the case that only somebody else may see. */
const addHidden = async (made: Made) => {
  await another(made)
  await sql`update issues set advocate = (select id from staff where username = 'stranger'),
    created_by = (select id from staff where username = 'stranger'), is_opened = false, close_date = start_date
    where "case" = ${made.id} and id <> ${made.issue}`.execute(context.db)
}

/** How many rows of each table that holds clients' data are about a client, case or issue; of the audit, its events. */
async function left({ id, client, issue, files }: Made) {
  const { rows } = await sql<{ name: string; n: number }>`
    select 'clients' as name, count(*) as n from clients where id = ${client}
    union all select 'cases', count(*) from cases where id = ${id}
    union all select 'case_monitoring', count(*) from case_monitoring where "case" = ${id}
    union all select 'issues', count(*) from issues where id = ${issue}
    union all select 'issue_monitoring', count(*) from issue_monitoring where issue = ${issue}
    union all select 'actions', count(*) from actions where client = ${client}
    union all select 'documents', count(*) from issue_documents where issue = ${issue}
    union all select 'signposts', count(*) from signposts where client = ${client}
    union all select 'risks', count(*) from risks where client = ${client}
    union all select 'communication_issues', count(*) from communication_issues where client = ${client}
    union all select 'files', count(*) from files where id = any(${files}::int[])`.execute(context.db)
  return Object.fromEntries(rows.filter(({ n }) => n > 0).map(({ name, n }) => [name, n]))
}

const ACTION = { type: 1, done_on: '2026-02-10' }

/** Drafts of two people and kept replies of what was done with a client: which drafts of all are there, how many replies. */
async function traces({ id, client, issue }: Made, key: string) {
  const volunteer = await context.as('volunteer')
  const draft = async (who: Caller, kind: string, document: object, address: string) =>
    (await who('drafts.create', { body: { kind, title: 'Ann', address, payload: { document } } })).body.id
  const drafts: Record<string, number> = {
    client: await draft(advocate, 'case', { client }, '/case'),
    case: await draft(volunteer, 'issue', {}, `/cases/${id}/issues/new`),
    chosenCase: await draft(advocate, 'action', { case: id }, '/action/new'),
    issue: await draft(volunteer, 'action', { issue, notes: 'Rang Ann' }, '/action/new'),
    fromIssue: await draft(advocate, 'action', {}, `/action/new?x=1&issue=${issue}`),
    other: await draft(advocate, 'action', { issue: issue * 1000 }, `/action/new?issue=${issue}1`),
  }
  await advocate('drafts.update', { params: { id: drafts.client }, body: { title: 'Ann Ames', version: 1 } })
  const keyed = (name: string, to: number, n: number) =>
    advocate(name, { params: { id: to }, body: ACTION, headers: { 'idempotency-key': `${key}-${n}` } })
  await keyed('actions.addToCase', id, 1)
  await keyed('actions.addToIssue', issue, 2)
  const body = { type: 1, details: 'Bites' }
  const headers = { 'idempotency-key': `${key}-3` }
  await advocate('risks.create', { params: { id: client }, body, headers })
  return async () => {
    const { rows } = await sql<{ id: number }>`select id from drafts`.execute(context.db)
    const { rows: noted } = await sql<{ record: number }>`select distinct record from audit
      where entity = 'draft'`.execute(context.db)
    const { rows: replies } = await sql<{ n: string }>`select right(key, 1) as n from idempotency
      where key like ${`${key}%`} order by 1`.execute(context.db)
    const names = (ids: number[]) => Object.keys(drafts).filter((name) => ids.includes(drafts[name]))
    return {
      drafts: names(rows.map((row) => row.id)),
      noted: names(noted.map(({ record }) => record)),
      replies: replies.map(({ n }) => Number(n)),
    }
  }
}

async function auditEvents({ id, client, issue, files }: Made) {
  const { rows } = await sql<{ event: string; staff: number; changes: unknown }>`
    select entity || ' ' || action as event, staff, changes from audit
    where client = ${client} or "case" = ${id} or issue = ${issue} or entity = 'file' and record = any(${files}::int[])
    order by id`.execute(context.db)
  return rows
}

describe('purging an issue', () => {
  it('is refused while it is open or closed not long ago, and to those who may not see it', async () => {
    const made = await whole()
    const purge = async (username: string) =>
      (await context.as(username))('issues.purge', { params: { id: made.issue } })
    expect([(await purge('advocate')).status, (await purge('advocate')).body.code]).toEqual([409, 'notOld'])
    await age(made, 364)
    expect((await purge('advocate')).body.code).toBe('notOld')
    await age(made, 365)
    expect((await purge('partner')).status).toBe(404)
    expect((await purge('admin')).status).toBe(403)
    expect((await purge('commissioner')).status).toBe(403)
    expect(await left(made)).toMatchObject({ issues: 1, actions: 2, files: 3 })
  })

  it('is refused while its dates alone say that it is old', async () => {
    const made = await whole()
    await another(made)
    await backdate(made)
    const purge = async () => (await advocate('issues.purge', { params: { id: made.issue } })).body.code
    expect(await purge()).toBe('notOld')
    await sql`update issues set updated_at = '2021-01-01' where id = ${made.issue}`.execute(context.db)
    expect(await purge()).toBe('notOld')
    expect(await left(made)).toMatchObject({ issues: 1, actions: 2, files: 3 })
  })

  it('is refused for the only one of a case', async () => {
    const made = await whole()
    await age(made, 400)
    const refused = await advocate('issues.purge', { params: { id: made.issue } })
    expect([refused.status, refused.body.code]).toEqual([409, 'lastIssue'])
    expect(await left(made)).toMatchObject({ issues: 1, actions: 2, files: 3 })
  })

  it('deletes what hangs on it and leaves the case as old as it was', async () => {
    const made = await whole()
    await another(made)
    await age(made, 400)
    const old = async () =>
      (await advocate('cases.list', { query: { page_size: 100 } })).body.data[made.id].old_since
    const before = await old()
    const { status, body } = await advocate('issues.purge', { params: { id: made.issue } })
    expect([status, body]).toEqual([200, { id: made.issue }])
    expect(await left(made)).toEqual({
      clients: 1,
      cases: 1,
      case_monitoring: 1,
      actions: 1,
      signposts: 1,
      risks: 1,
      communication_issues: 1,
      files: 2,
    })
    expect(await old()).toBe(before)
    const { rows } = await sql`select action, staff, changes from audit
      where entity = 'issue' and record = ${made.issue} or issue = ${made.issue}`.execute(context.db)
    expect(rows).toEqual([{ action: 'purge', staff: advocate.id, changes: null }])
  })
})

describe('what else is stored', () => {
  const all = ['client', 'case', 'chosenCase', 'issue', 'fromIssue', 'other']
  const both = (names: string[], replies: number[]) => ({ drafts: names, noted: names, replies })

  it('of an issue goes with it: drafts that are about it, and replies', async () => {
    const made = await whole()
    await another(made)
    const kept = await traces(made, 'issue-purge')
    expect(await kept()).toEqual(both(all, [1, 2, 3]))
    await age(made, 400)
    expect((await advocate('issues.purge', { params: { id: made.issue } })).status).toBe(200)
    expect(await kept()).toEqual(both(['client', 'case', 'chosenCase', 'other'], [1, 3]))
  })

  it('of a case goes with it', async () => {
    const made = await whole()
    const kept = await traces(made, 'case-purge')
    await age(made, 400)
    expect((await advocate('cases.purge', { params: { id: made.id } })).status).toBe(200)
    expect(await kept()).toEqual(both(['client', 'other'], [3]))
  })

  it('is counted beforehand, without what somebody may not see', async () => {
    const made = await whole()
    await addHidden(made)
    const labels = async (call: string, id: number) =>
      (await advocate(call, { params: { id } })).body.map(({ label }: { label: string }) => label)
    expect(await labels('cases.purgeCounts', made.id)).toEqual(['1 issue', '2 actions', '1 document'])
    expect(await labels('clients.purgeCounts', made.client)).toEqual([
      '1 case',
      '1 issue',
      '2 actions',
      '1 document',
    ])
    const stranger = await context.as('commissioner')
    expect((await stranger('clients.purgeCounts', { params: { id: made.client } })).status).toBe(404)
  })

  it('of a client goes with the client', async () => {
    const made = await whole()
    const kept = await traces(made, 'client-purge')
    await manager('clients.retire', { params: { id: made.client } })
    await manager('cases.retire', { params: { id: made.id } })
    await manager('issues.retire', { params: { id: made.issue } })
    expect((await manager('clients.purge', { params: { id: made.client } })).status).toBe(200)
    expect(await kept()).toEqual(both(['other'], []))
  })

  it('is not a draft’s title, which may be a name: the audit says only that it changed', async () => {
    const { id } = (await advocate('drafts.create', { body: { kind: 'case', title: 'Ann' } })).body
    const body = { title: 'Ann Ames', payload: { document: {} }, version: 1 }
    expect((await advocate('drafts.update', { params: { id }, body })).body.title).toBe('Ann Ames')
    const { rows } = await sql<{ changes: object }>`select changes from audit
      where entity = 'draft' and record = ${id} and action = 'update'`.execute(context.db)
    const hidden = { from: null, to: null }
    expect(rows).toEqual([{ changes: { title: hidden, payload: hidden } }])
  })
})

describe('purging a case', () => {
  it('is refused while it is not old', async () => {
    const made = await whole()
    const purge = () => advocate('cases.purge', { params: { id: made.id } })
    expect((await purge()).body.code).toBe('notOld')
    await age(made, 400)
    await advocate('clients.read', { params: { id: made.client } })
    expect((await (await context.as('stranger'))('cases.purge', { params: { id: made.id } })).status).toBe(
      404,
    )
    expect((await purge()).status).toBe(200)
  })

  it('is refused while its dates alone say that it is old', async () => {
    const made = await whole()
    await backdate(made)
    const listed = (await advocate('cases.list', { query: { page_size: 100 } })).body.data[made.id]
    expect(listed.old_since).toBe('2021-01-01')
    expect((await advocate('cases.purge', { params: { id: made.id } })).body.code).toBe('notOld')
    expect(await left(made)).toMatchObject({ cases: 1, issues: 1 })
  })

  it('is refused to those who may not see all of its issues', async () => {
    const made = await whole()
    await addHidden(made)
    await age(made, 400)
    const { status, body } = await advocate('cases.purge', { params: { id: made.id } })
    expect([status, body.code]).toEqual([409, 'hiddenIssues'])
    expect(await left(made)).toMatchObject({ cases: 1, issues: 1, actions: 2 })
  })

  it('deletes its issues and all that hangs on them; the client stays', async () => {
    const made = await whole()
    await age(made, 400)
    const old = async () =>
      (await advocate('reports.oldCases', { query: { page_size: 500 } })).body.data.map((row: Made) => row.id)
    expect(await old()).toContain(made.id)
    const { status, body } = await advocate('cases.purge', { params: { id: made.id } })
    expect([status, body]).toEqual([200, { id: made.id }])
    expect(await left(made)).toEqual({ clients: 1, risks: 1, communication_issues: 1, files: 2 })
    expect(await old()).not.toContain(made.id)
    expect((await advocate('cases.purge', { params: { id: made.id } })).status).toBe(404)
  })
})

describe('a case that came of a referral', () => {
  it('is purged, and the request stays without it', async () => {
    const made = await whole()
    await age(made, 400)
    await sql`insert into referral_requests (hub, service, "case") values (1, 1, ${made.id})`.execute(
      context.db,
    )
    expect((await advocate('cases.purge', { params: { id: made.id } })).status).toBe(200)
    const { rows } = await sql`select "case" from referral_requests`.execute(context.db)
    expect(rows).toEqual([{ case: null }])
  })
})

describe('purging a client', () => {
  const purge = (who: Caller, { client }: Made, headers = {}) =>
    who('clients.purge', { params: { id: client }, headers })
  const retire = async (made: Made) => {
    await manager('clients.retire', { params: { id: made.client } })
    await manager('cases.retire', { params: { id: made.id } })
    await manager('issues.retire', { params: { id: made.issue } })
  }

  it('needs a retired client without active cases', async () => {
    const made = await whole()
    expect((await purge(manager, made)).body.code).toBe('stillActive')
    await manager('clients.retire', { params: { id: made.client } })
    expect((await purge(manager, made)).body.code).toBe('stillActive')
    await manager('clients.unretire', { params: { id: made.client } })
    await manager('cases.retire', { params: { id: made.id } })
    expect((await purge(manager, made)).body.code).toBe('stillActive')
    expect(await left(made)).toMatchObject({ clients: 1, cases: 1, issues: 1, files: 3 })
  })

  it('spares a case that is closed but active, and one that only others see', async () => {
    const made = await whole()
    await manager('clients.retire', { params: { id: made.client } })
    await age(made, 1)
    expect((await purge(manager, made)).body.code).toBe('stillActive')
    await manager('cases.retire', { params: { id: made.id } })
    const stranger = await context.as('stranger')
    await sql`insert into cases (client, service, case_type, case_type_version, contract, status, created_by)
      select client, 4, case_type, case_type_version, contract, 2, ${stranger.id} from cases where id = ${made.id}`.execute(
      context.db,
    )
    expect((await purge(manager, made)).body.code).toBe('stillActive')
    expect(await left(made)).toMatchObject({ clients: 1, cases: 1, issues: 1 })
  })

  it('is refused while an issue of a retired case is open', async () => {
    const made = await whole()
    await retire(made)
    await manager('issues.unretire', { params: { id: made.issue } })
    expect((await purge(manager, made)).body.code).toBe('stillActive')
    expect(await left(made)).toMatchObject({ clients: 1, cases: 1, issues: 1 })
  })

  it('is refused to those who may not see all issues', async () => {
    const made = await whole()
    await addHidden(made)
    await retire(made)
    const { status, body } = await purge(manager, made)
    expect([status, body.code]).toEqual([409, 'hiddenIssues'])
    expect(await left(made)).toMatchObject({ clients: 1, cases: 1, issues: 1 })
  })

  it('is a GET that a link, a prefetch or another site cannot do', async () => {
    const made = await whole()
    await retire(made)
    for (const headers of [
      { 'x-csrftoken': '' },
      { 'x-csrftoken': 'made-up' },
      { 'sec-purpose': 'prefetch' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, body } = await purge(manager, made, headers)
      expect([headers, status, body.code]).toEqual([headers, 403, 'csrf'])
    }
    expect((await purge(manager, made, { authorization: '' })).status).toBe(401)
    expect((await purge(advocate, made)).status).toBe(403)
    expect((await purge(await context.as('hubmanager'), made)).status).toBe(404)
    expect(await left(made)).toMatchObject({ clients: 1, cases: 1 })
  })

  it('deletes everything about the client but that it was done, by whom and when', async () => {
    const [made, other] = [await whole(), await whole()]
    const before = [await left(other), await auditEvents(other)]
    await retire(made)
    const { status, body } = await purge(manager, made)
    expect([status, body]).toEqual([200, { id: made.client }])
    expect(await left(made)).toEqual({})
    expect(await auditEvents(made)).toEqual([{ event: 'client purge', staff: manager.id, changes: null }])
    expect([await left(other), await auditEvents(other)]).toEqual(before)
    expect((await purge(manager, made)).status).toBe(404)
  })

  it('asked for twice at once is done once', async () => {
    const made = await whole()
    await retire(made)
    const replies = await Promise.all([1, 2, 3].map(() => purge(manager, made)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect(await auditEvents(made)).toHaveLength(1)
  })

  it('that fails on the way deletes nothing', async () => {
    const made = await whole()
    await retire(made)
    await sql`create table minder (client integer references clients)`.execute(context.db)
    await sql`insert into minder values (${made.client})`.execute(context.db)
    const before = [await left(made), await auditEvents(made)]
    const refused = await purge(manager, made)
    expect([refused.status, refused.body.code]).toEqual([409, 'inUse'])
    expect([await left(made), await auditEvents(made)]).toEqual(before)
    await sql`drop table minder`.execute(context.db)
  })
})

describe('a purge is offered', () => {
  const READS = { issue: 'issues', case: 'cases', client: 'clients' } as const
  const offered = async (who: Caller, made: Made, level: keyof typeof READS) => {
    const id = level === 'case' ? made.id : made[level]
    const { body } = await who(`${READS[level]}.read`, { params: { id } })
    return body.may_purge
  }
  const purge = (who: Caller, made: Made, level: keyof typeof READS) =>
    who(`${READS[level]}.purge`, { params: { id: level === 'case' ? made.id : made[level] } })

  it.each(['issue', 'case', 'client'] as const)('for %s only where it would succeed', async (level) => {
    const states: ((made: Made) => Promise<unknown>)[] = [
      async () => undefined,
      (made) => age(made, 364),
      (made) => age(made, 365),
      async (made) => {
        await another(made)
        await age(made, 365)
      },
      async (made) => {
        await age(made, 400)
        await sql`update cases set status = 2 where id = ${made.id}`.execute(context.db)
        await sql`update clients set status = 2 where id = ${made.client}`.execute(context.db)
      },
      async (made) => {
        const { rows } = await sql<{ id: number }>`select id from staff where username = 'partner'`.execute(
          context.db,
        )
        await another(made)
        await sql`update issues set created_by = ${rows[0].id}, hub = null, advocate = ${rows[0].id}
          where "case" = ${made.id} and id <> ${made.issue}`.execute(context.db)
        await age(made, 400)
      },
    ]
    const seen: boolean[] = []
    for (const [i, prepare] of states.entries()) {
      const made = await whole()
      await prepare(made)
      const who = level === 'client' ? manager : advocate
      const isOffered = await offered(who, made, level)
      const { status } = await purge(who, made, level)
      expect([i, isOffered], level).toEqual([i, status === 200])
      seen.push(isOffered)
    }
    expect(new Set(seen)).toEqual(new Set([true, false]))
  })
})
