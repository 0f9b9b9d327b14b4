import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fillNoticeText } from '../../src/contract/automations/noticeText.ts'
import type { Contract } from '../../src/contract/contract.ts'
import type { EntityAutomation } from '../../src/contract/generated.ts'
import { JOBS } from '../../src/server/ops/jobs/jobs.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { notifyOfChanges } from '../../src/server/records/workNotices/notifyOfChanges.ts'
import { FULL } from '../full.ts'
import { goodRows, send, workbook } from './bulkFiles.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()
let manager: Caller
let advocate: Caller
let volunteer: Caller
let hub: Caller
let hubManager: Caller
beforeAll(async () => {
  manager = await context.as('manager')
  advocate = await context.as('advocate')
  volunteer = await context.as('volunteer')
  hub = await context.as('hub')
  hubManager = await context.as('hubmanager')
  await sql`insert into lookup (kind, value, label) values ('hub', 1, 'East'), ('hub', 2, 'West') on conflict do nothing`.execute(
    context.db,
  )
})

interface Notice {
  id: number
  kind: string
  title: string
  state: string
  page: string
  created_by_name: string | null
}
const list = async (who: Caller, query: object = { seen: 'Unread' }): Promise<Notice[]> =>
  (await who('workNotices.list', { query: { page_size: 500, ...query } })).body.data
const counts = async (who: Caller) => (await who('workNotices.counts')).body
const assign = (issue: number, to: Caller, by = manager) =>
  by('issues.assign', { params: { id: issue }, body: { advocate: to.id } })
const readAll = (who: Caller) => who('workNotices.readAll')
const issueFor = async ({ id }: Caller) => ({ ...((await newCase(advocate)).issue as object), advocate: id })
/** An issue that waits to be allocated, which managers see. */
async function unallocated(): Promise<{ id: number; issue: number; client: number }> {
  const made = await createCase(advocate)
  await sql`update issues set advocate = null where id = ${made.issue}`.execute(context.db)
  return made
}

const give = async (to: Caller, body: object = {}) =>
  (await manager('tasks.create', { body: { title: 'Ring', due: '2030-01-01', assignee: to.id, ...body } }))
    .body

describe('a task that somebody else gave', () => {
  const tasks = async (who: Caller) => (await list(who)).filter(({ kind }) => kind === 'task')
  const set = (who: Caller, id: number, body: object) => who('tasks.update', { params: { id }, body })

  it('is new to whom it was given to, with who did it and the way to it, until it is done', async () => {
    const { id: caseId, issue } = await createCase(advocate, 1, { issue: await issueFor(advocate) })
    const { id } = await give(advocate, { issue })
    const [notice] = await tasks(advocate)
    expect(notice).toMatchObject({
      title: expect.stringMatching(/^Ring, /),
      page: `/cases/${caseId}/issues/${issue}/tasks`,
      created_by_name: 'manager Example',
      state: 'Given',
    })
    expect((await counts(advocate)).tasks).toBe(1)
    await advocate('tasks.complete', { params: { id } })
    expect([await tasks(advocate), (await counts(advocate)).tasks]).toEqual([[], 0])
  })

  it('does not notify its creator, nor when its date changes, but notifies a new assignee', async () => {
    await readAll(advocate)
    await advocate('tasks.create', { body: { title: 'Ring', due: '2030-01-01' } })
    const { id } = await give(volunteer)
    await readAll(volunteer)
    await set(manager, id, { due: '2030-02-01' })
    await set(manager, id, { assignee: volunteer.id })
    expect([await tasks(advocate), await tasks(volunteer)]).toEqual([[], []])
    await set(manager, id, { assignee: advocate.id })
    expect(await tasks(advocate)).toMatchObject([{ page: '/dashboard/my-cases', title: 'Ring' }])
    await set(manager, id, { assignee: manager.id })
    expect([await tasks(advocate), await tasks(manager)]).toEqual([[], []])
  })
})

describe('an issue that is assigned to somebody', () => {
  it('is new to them, with who did it and the way to it, until they open it', async () => {
    const { id, issue } = await unallocated()
    await assign(issue, advocate)
    const [notice] = await list(advocate)
    expect(notice).toMatchObject({
      kind: 'issue',
      page: `/cases/${id}/issues/${issue}/details`,
      created_by_name: 'manager Example',
      state: 'Assigned',
    })
    expect(notice.title).toMatch(new RegExp(`^Issue ${issue}, `))
    const { body } = await advocate('issues.read', { params: { id: issue } })
    expect(body.notice).toBe(notice.id)
    expect((await manager('issues.read', { params: { id: issue } })).body.notice).toBeNull()
    const read = await advocate('workNotices.read', { params: { id: notice.id } })
    expect([read.status, read.body.seen]).toEqual([200, 'Read'])
    expect(await list(advocate)).toEqual([])
    expect((await list(advocate, { seen: 'Read' })).map(({ id: one }) => one)).toEqual([notice.id])
    expect((await advocate('issues.read', { params: { id: issue } })).body.notice).toBeNull()
  })

  it('does not notify the person who assigned it, nor when nothing changed', async () => {
    await readAll(advocate)
    const { issue } = await unallocated()
    await createCase(advocate, 1, { issue: await issueFor(advocate) })
    expect(await list(advocate)).toEqual([])
    await assign(issue, advocate)
    await readAll(advocate)
    await assign(issue, advocate)
    expect(await list(advocate)).toEqual([])
  })

  it('is gone from the list once it is somebody else’s, closed or retired, and new again when it comes back', async () => {
    await readAll(advocate)
    await readAll(volunteer)
    const { issue } = await unallocated()
    await assign(issue, advocate)
    await assign(issue, volunteer)
    expect([await counts(advocate), await counts(volunteer)]).toMatchObject([{ issues: 0 }, { issues: 1 }])
    await assign(issue, advocate)
    expect([await counts(advocate), await counts(volunteer)]).toMatchObject([{ issues: 1 }, { issues: 0 }])
    await manager('issues.retire', { params: { id: issue } })
    expect(await counts(advocate)).toMatchObject({ issues: 0 })
    await manager('issues.unretire', { params: { id: issue } })
    await manager('issues.close', { params: { id: issue }, body: { reasons: [1] } })
    expect(await list(advocate)).toEqual([])
  })

  it('notifies by every way to assign: several at once, a hand-over, a case and an issue made for somebody', async () => {
    await readAll(volunteer)
    const several = [await unallocated(), await unallocated()]
    await manager('issues.assignSeveral', {
      body: { issues: several.map(({ issue }) => issue), advocate: volunteer.id },
    })
    expect(await counts(volunteer)).toMatchObject({ issues: 2 })
    await readAll(volunteer)
    await manager('staff.handOver', { params: { id: volunteer.id }, body: { advocate: advocate.id } })
    expect((await counts(advocate)).issues).toBeGreaterThanOrEqual(2)
    const issue = await issueFor(volunteer)
    const made = await createCase(manager, 1, { issue })
    expect(await counts(volunteer)).toMatchObject({ issues: 1 })
    const added = await manager('cases.addIssue', { params: { id: made.id }, body: issue })
    expect([added.status, await counts(volunteer)]).toEqual([201, expect.objectContaining({ issues: 2 })])
  })

  it('takes its notice along when it is deleted', async () => {
    const { issue } = await unallocated()
    await assign(issue, advocate)
    await sql`delete from issues where id = ${issue}`.execute(context.db)
    const { rows } = await sql`select 1 from work_notices where issue = ${issue}`.execute(context.db)
    expect(rows).toEqual([])
  })
})

describe('notices', () => {
  it('are each person’s own', async () => {
    const { issue } = await unallocated()
    await assign(issue, advocate)
    const [{ id }] = await list(advocate)
    const admin = await context.as('admin')
    for (const who of [volunteer, manager, admin]) {
      expect((await list(who, {})).some((notice) => notice.id === id)).toBe(false)
      expect((await who('workNotices.read', { params: { id } })).status).toBe(404)
    }
    await readAll(admin)
    expect((await list(advocate)).some((notice) => notice.id === id)).toBe(true)
  })

  it('are forgotten after 30 days', async () => {
    const { issue } = await unallocated()
    await assign(issue, advocate)
    await sql`update work_notices set created_at = now() - interval '31 days' where issue = ${issue}`.execute(
      context.db,
    )
    const before = (await list(advocate)).length
    await JOBS['forget notices of work']({ db: context.db } as JobContext)
    expect((await list(advocate)).length).toBe(before - 1)
  })
})

describe('a referral', () => {
  it('notifies its sender of the decision and of questions', async () => {
    const { rows } = await sql<{
      id: number
    }>`insert into referral_requests (hub, from_hub, from_client, service, case_type, created_by)
      values (1, 2, ${(await createCase(advocate)).client}, 1, 1, ${advocate.id}) returning id`.execute(
      context.db,
    )
    const [{ id }] = rows
    const decide = (body: object) => hub('referrals.setStatus', { params: { id }, body })
    expect((await decide({ status: 4, text: 'Which ward?' })).status).toBe(200)
    const kind = { kind: 'referral', seen: 'Unread' }
    const [asked] = await list(advocate, kind)
    expect(asked).toMatchObject({ state: 'More information needed', title: `Referral ${id} to East` })
    expect(asked.page).toMatch(/^\/clients\/\d+\/referrals$/)
    await advocate('workNotices.read', { params: { id: asked.id } })
    expect((await decide({ status: 3, reason: 1, text: 'Not ours' })).status).toBe(200)
    expect(await list(advocate, kind)).toMatchObject([{ id: asked.id, state: 'Rejected' }])
    expect(await counts(advocate)).toMatchObject({ referrals: 1 })
    await advocate('workNotices.read', { params: { id: asked.id } })
    const again = await hubManager('referrals.setStatus', { params: { id }, body: { status: 1 } })
    expect([again.status, await list(advocate, kind)]).toEqual([200, []])
  })
})

describe('an upload', () => {
  it('notifies the person who uploaded it once it is checked', async () => {
    const good = await goodRows(hubManager, context.address)
    await readAll(hubManager)
    const reply = await send(hubManager, workbook([good.headings, good.row('Ada', 'Lovell')]), {
      case_type: '1',
      check: 'true',
    })
    const [{ id }] = reply.body.data
    await expect.poll(async () => (await counts(hubManager)).uploads, { timeout: 20_000 }).toBe(1)
    expect(await list(hubManager)).toMatchObject([
      {
        kind: 'upload',
        state: 'Checked',
        page: `/dashboard/case-uploads/${id}/summary`,
        created_by_name: null,
      },
    ])
    expect((await hubManager('bulk.read', { params: { id } })).body.notice).toEqual(expect.any(Number))
    expect(await list(hub)).toEqual([])
  })
})

describe('automations of entities', () => {
  const sentences = async (who: Caller) =>
    (await who('workNotices.list', { query: { seen: 'Unread', page_size: 500 } })).body.data.map(
      ({ sentence }: { sentence: string }) => sentence,
    )
  const FAR: EntityAutomation = {
    name: 'far',
    label: 'Issue changed',
    changed: 'start_date',
    when: { 'record.start_date': { set: true } },
    then: [{ notify: ['line_manager', 'advocate'], text: 'Began on {start_date}', urgent: true }],
  }
  /** The contract with a further automation of issues. */
  const withFar = (): Contract => {
    const { entities } = context.contract
    return {
      ...context.contract,
      entities: { ...entities, issue: { ...entities.issue, automations: [FAR] } },
    }
  }
  const recordOf = async (issue: number) => {
    const { rows } = await sql<Record<string, unknown>>`select * from issues where id = ${issue}`.execute(
      context.db,
    )
    return rows[0]
  }

  it('notify receivers other than the record’s own of its case, once a change, and never the person who made it', async () => {
    const { issue } = await createCase(advocate, 1, { issue: await issueFor(advocate) })
    const before = await recordOf(issue)
    const after = { ...before, start_date: '2026-01-05' }
    const notify = (by: number | null, change = { before, after }) =>
      notifyOfChanges({ db: context.db, contract: withFar(), by }, 'issue', [change])
    await readAll(manager)
    await readAll(advocate)
    await notify(advocate.id)
    expect((await sentences(manager))[0]).toMatch(/^Began on 2026-01-05: .+, by advocate Example, urgent$/)
    expect(await sentences(advocate)).toEqual([])
    await readAll(manager)
    await notify(null, { before: after, after })
    expect(await sentences(manager)).toEqual([])
  })

  it('say no more than label and number to those who do not see the record', async () => {
    const { issue } = await createCase(advocate, 1, { issue: await issueFor(advocate) })
    const after = await recordOf(issue)
    const stranger = await context.as('partnermanager')
    await sql`update staff set line_manager = ${stranger.id} where id = ${advocate.id}`.execute(context.db)
    await notifyOfChanges({ db: context.db, contract: withFar(), by: manager.id }, 'issue', [{ after }])
    await sql`update staff set line_manager = ${manager.id} where id = ${advocate.id}`.execute(context.db)
    expect(await sentences(stranger)).toEqual([`Issue changed: issue ${issue}. Ask advocate Example`])
    const [{ page }] = await list(stranger)
    expect(page).toBeNull()
  })

  it('notify of no condition that held before a hand-over, a move of a task or a decision', async () => {
    const { issue, task, referralRequest } = context.contract.entities
    const always = (name: string, path: string): EntityAutomation => ({
      name,
      label: name,
      when: { [path]: { set: true } },
      then: [{ notify: ['line_manager'], text: name }],
    })
    const shipped = [issue, task, referralRequest].map(({ automations }) => automations)
    onTestFinished(() => {
      ;[issue.automations, task.automations, referralRequest.automations] = shipped
    })
    issue.automations = [always('An issue', 'record.id')]
    task.automations = [always('A task', 'record.id')]
    referralRequest.automations = [
      { ...always('A referral', 'record.id'), then: [{ notify: ['created_by'], text: 'A referral' }] },
    ]
    await readAll(manager)
    const admin = await context.as('admin')
    const [from, to] = [await createCase(advocate), await createCase(advocate)]
    await sql`update issues set advocate = ${volunteer.id} where id = ${from.issue}`.execute(context.db)
    const step = await advocate('tasks.create', {
      body: { title: 'Ring', due: '2030-01-01', assignee: advocate.id, issue: to.issue },
    })
    expect((await sentences(manager)).join()).toMatch(/^A task: /)
    await readAll(manager)
    const { rows } = await sql<{
      id: number
    }>`insert into referral_requests (hub, from_hub, service, case_type, created_by)
      values (1, 2, 1, 1, ${advocate.id}) returning id`.execute(context.db)
    const replies = [
      await admin('staff.handOver', { params: { id: volunteer.id }, body: { advocate: advocate.id } }),
      await admin('entries.move', {
        params: { entity: 'task', id: step.body.id },
        body: { issue: from.issue },
      }),
      await hub('referrals.setStatus', { params: { id: rows[0].id }, body: { status: 4, text: 'Why?' } }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([
      await sentences(manager),
      (await list(advocate)).filter(({ kind }) => kind === 'referral'),
    ]).toEqual([[], []])
  })

  it('notify of a referral once it has waited, once, and only those who may decide it', async () => {
    const { rows } = await sql<{
      id: number
    }>`insert into referral_requests (hub, service, case_type, created_at, status)
      values (1, 1, 1, now() - interval '4 days', 1), (1, 1, 1, now() - interval '2 days', 1), (1, 1, 1, now() - interval '4 days', 3)
      returning id`.execute(context.db)
    await readAll(hubManager)
    await sql`insert into staff (username, first_name, last_name, password_hash, groups, hub)
      select 'westmanager', 'westmanager', 'Example', password_hash, groups, 2 from staff where username = 'hubmanager'`.execute(
      context.db,
    )
    const elsewhere = await context.as('westmanager')
    const run = () =>
      JOBS['notify of what waits']({ db: context.db, contract: context.contract } as JobContext)
    await run()
    const waiting = `Referral ${rows[0].id} to East has waited for 3 days`
    expect(await sentences(hubManager)).toEqual([waiting])
    expect((await list(hubManager))[0].page).toBe(`/dashboard/referral-requests/${rows[0].id}`)
    await readAll(hubManager)
    await run()
    expect([await sentences(hubManager), await sentences(hub)]).toEqual([[], []])
    expect(await sentences(elsewhere)).toEqual([])
  })

  it('notify of what has waited however many records of those days are decided', async () => {
    const { rows } = await sql<{
      id: number
    }>`insert into referral_requests (hub, service, case_type, created_at, status)
      select 1, 1, 1, now() - (case n when 0 then 4 else 6 end) * interval '1 day', case n when 0 then 1 else 3 end
      from generate_series(0, 500) n returning id`.execute(context.db)
    await JOBS['notify of what waits']({ db: context.db, contract: context.contract } as JobContext)
    expect(await sentences(hubManager)).toContain(`Referral ${rows[0].id} to East has waited for 3 days`)
    await sql`delete from referral_requests where id = any(${rows.map(({ id }) => id)}::int[])`.execute(
      context.db,
    )
  })

  it('notify nobody any more of what has ended, and leave the notices of other automations alone', async () => {
    const { rows } = await sql<{
      id: number
    }>`insert into referral_requests (hub, from_hub, from_client, service, case_type, created_by, created_at)
      values (1, 2, ${(await createCase(advocate)).client}, 1, 1, ${advocate.id}, now() - interval '5 days')
      returning id`.execute(context.db)
    const [{ id }] = rows
    const unread = async (who: Caller) =>
      (await sentences(who)).filter((sentence: string) => sentence.includes(`eferral ${id} `))
    await JOBS['notify of what waits']({ db: context.db, contract: context.contract } as JobContext)
    expect(await unread(hubManager)).toEqual([`Referral ${id} to East has waited for 3 days`])
    const decide = (body: object, who = hub) => who('referrals.setStatus', { params: { id }, body })
    await decide({ status: 3, reason: 1, text: 'Not ours' })
    expect([await unread(hubManager), await unread(advocate)]).toEqual([
      [],
      [`hub Example rejected your referral ${id} to East`],
    ])
    await decide({ status: 1 }, hubManager)
    expect(await unread(advocate)).toEqual([])
    await decide({ status: 4, text: 'Which ward?' })
    expect(await unread(advocate)).toEqual([`hub Example asks about your referral ${id} to East`])
    await sql`update staff set hub = 2 where id = ${hubManager.id}`.execute(context.db)
    const answer = await hubManager('referrals.write', { params: { id }, body: { text: 'The first' } })
    await sql`update staff set hub = 1 where id = ${hubManager.id}`.execute(context.db)
    expect([answer.status, await unread(advocate)]).toEqual([201, []])
  })

  it.each([
    '[{by} gave you|You were given] “{title}”[ for {client}][, {overdue}]',
    '{client} died on {day}',
    'No values, {unknown}. 100 % [of {by} and {title}|of nobody]',
  ])('have the same text in the database as in TypeScript: %s', async (text) => {
    for (const values of [
      { by: '{day} [x]', title: 'Ring', client: null },
      { client: 'A|B', day: '1 May' },
      {},
    ]) {
      const { rows } = await sql<{
        text: string
      }>`select fill_notice(${text}, ${JSON.stringify(values)}::jsonb) as text`.execute(context.db)
      expect(rows[0].text).toBe(fillNoticeText(text, values))
    }
  })
})

it('counts of the bell are those of the lists, whatever happened', async () => {
  const people = [advocate, volunteer, manager]
  const issues = await Promise.all(Array.from({ length: 6 }, unallocated))
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const one = () => issues[random(issues.length)].issue
  const operations = [
    () => assign(one(), people[random(2)]),
    () => manager('issues.retire', { params: { id: one() } }),
    () => manager('issues.unretire', { params: { id: one() } }),
    () => manager('issues.close', { params: { id: one() }, body: { reasons: [1] } }),
    () => sql`update staff set services = '{}' where id = ${volunteer.id}`.execute(context.db),
    () => sql`update issues set advocate = null, is_opened = true where id = ${one()}`.execute(context.db),
    () => readAll(people[random(2)]),
    () => give(people[random(2)]),
  ]
  let largest = 0
  for (let i = 0; i < (FULL ? 30 : 10); i++) {
    await operations[random(10) < 5 ? 0 : random(operations.length)]()
    for (const who of people) {
      const unread = await list(who)
      const of = (kind: string) => unread.filter((notice) => notice.kind === kind).length
      expect(await counts(who)).toEqual({
        issues: of('issue'),
        referrals: of('referral'),
        uploads: of('upload'),
        tasks: of('task'),
        deaths: of('client'),
        automations: of('automation'),
        comments: of('comment'),
        open: (await who('worklist.list')).body.issues,
      })
      largest = Math.max(largest, unread.length)
      for (const { page } of unread.filter(({ kind }) => kind === 'issue')) {
        const [, , , , id] = page.split('/')
        expect((await who('issues.read', { params: { id } })).status).toBe(200)
      }
    }
  }
  expect(largest).toBeGreaterThan(FULL ? 2 : 0)
})

describe('the choice of how notices reach a person', () => {
  const choose = (body: object) => advocate('workNotices.choose', { body })

  it('is of each for themselves, with its audit', async () => {
    expect((await advocate('workNotices.choices')).body).toMatchObject({
      notify_automation: 'digest',
      notify_issue: 'bell',
    })
    expect((await choose({ notify_issue: 'pigeon' })).status).toBe(400)
    expect((await choose({ notify_issue: 'none' })).body).toMatchObject({ notify_issue: 'none' })
    expect((await volunteer('workNotices.choices')).body).toMatchObject({ notify_issue: 'bell' })
    const { rows } =
      await sql`select staff, changes from audit where entity = 'staff' and record = ${advocate.id}
      order by id desc limit 1`.execute(context.db)
    expect(rows).toEqual([{ staff: advocate.id, changes: { notify_issue: { from: 'bell', to: 'none' } } }])
  })

  it('keeps a kind out of the bell, but not out of the list, and urgent ones in both', async () => {
    await readAll(advocate)
    await choose({ notify_issue: 'none' })
    const { id, issue } = await unallocated()
    await assign(issue, advocate)
    expect([(await counts(advocate)).issues, (await list(advocate)).length]).toEqual([0, 1])
    expect(await list(advocate, { seen: 'Unread', bell: true })).toEqual([])
    await sql`update cases set answers = answers || '{"is_urgent": "yes"}' where id = ${id}`.execute(
      context.db,
    )
    expect((await counts(advocate)).issues).toBe(1)
    const [notice] = await list(advocate, { seen: 'Unread', bell: true })
    expect(notice).toMatchObject({
      sentence: expect.stringMatching(/^manager Example assigned you Ann .*, urgent$/),
    })
    await choose({ notify_issue: 'bell' })
  })

  it('is there for every kind of notice', async () => {
    const { workNotice, noticeChoices } = context.contract.entities
    const kinds = workNotice.properties.kind.options!.map(({ value }) => `notify_${value}`)
    expect(Object.keys(noticeChoices.properties)).toEqual(expect.arrayContaining(kinds))
    const { rows } = await sql<{
      definition: string
    }>`select pg_get_viewdef('work_notice_rows'::regclass) as definition`.execute(context.db)
    for (const kind of kinds) expect(rows[0].definition).toContain(kind)
  })
})
