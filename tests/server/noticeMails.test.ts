import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { sendMails } from '../../src/server/ops/jobs/sendMails.ts'
import { queueMails } from '../../src/server/records/workNotices/queueMails.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { type MailServer, startMailServer } from './smtp.ts'

const context = describeServer()
let advocate: Caller
let volunteer: Caller
let manager: Caller
let server: MailServer
/** Addresses that the mail server refuses, for ever or for now. */
const refused = new Set<string>()
const putOff = new Set<string>()
beforeAll(async () => {
  advocate = await context.as('advocate')
  volunteer = await context.as('volunteer')
  manager = await context.as('manager')
  server = await startMailServer({
    refusalOf: (address) =>
      refused.has(address) ? '550 unknown' : putOff.has(address) ? '450 try again later' : undefined,
  })
  await sql`update staff set email = username || '@example.org'`.execute(context.db)
})
afterAll(() => server?.end())
beforeEach(async () => {
  server.mails.length = 0
  await sql`delete from mail_outbox`.execute(context.db)
})

const jobAt = (SMTP_URL: string) =>
  ({
    db: context.db,
    settings: readSettings({ SMTP_URL, PUBLIC_URL: 'https://cases.example.org' }),
    log: { info: () => undefined, warn: () => undefined },
    ending: new AbortController().signal,
  }) as unknown as JobContext
const sendAll = (url = server.url) => sendMails(jobAt(url))
const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })
const recipients = () => server.mails.map(({ to }) => to[0]).sort()
const messageIds = () => server.mails.map(({ text }) => text.match(/^Message-ID: (.*)$/im)![1])

/** Records a safeguarding concern, of which the manager gets an urgent notice. */
async function recordConcern() {
  const { issue, client } = await createCase(advocate)
  await sql`update issues set advocate = ${advocate.id} where id = ${issue}`.execute(context.db)
  const answers = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
  expect((await advocate('issues.update', on(issue, { answers }))).status).toBe(200)
  return (await advocate('clients.read', on(client))).body
}
async function unallocated(): Promise<number> {
  const { issue } = await createCase(advocate)
  await sql`update issues set advocate = null where id = ${issue}`.execute(context.db)
  return issue
}
const stored = async () =>
  (
    await sql<{ attempts: number; last_error: string | null; waits: boolean }>`select attempts, last_error,
      run_at > now() as waits from mail_outbox`.execute(context.db)
  ).rows

describe('an email of a notice', () => {
  it('is sent for what is urgent, with a link and without names, once', async () => {
    const client = await recordConcern()
    expect(await stored()).toEqual([{ attempts: 0, last_error: null, waits: false }])
    await sendAll()
    await sendAll()
    expect([recipients(), await stored()]).toEqual([['manager@example.org'], []])
    const [{ text }] = server.mails
    expect(text).toMatch(/^Subject: .*: urgent$/m)
    expect(text).toContain('https://cases.example.org/dashboard/new-work')
    expect(text).not.toContain(client.last_name)
    expect(text).not.toMatch(/afeguarding|advocate/)
  })

  it('is sent for a kind that a person chose, once for all that came together', async () => {
    const issues = [await unallocated(), await unallocated()]
    const assign = () => manager('issues.assignSeveral', { body: { issues, advocate: volunteer.id } })
    await volunteer('workNotices.choose', { body: { notify_issue: 'mail' } })
    await assign()
    await sendAll()
    expect(recipients()).toEqual(['volunteer@example.org'])
    expect(server.mails[0].text).toMatch(/because you chose it/)
    await volunteer('workNotices.choose', { body: { notify_issue: 'bell' } })
    await manager('issues.assignSeveral', { body: { issues, advocate: advocate.id } })
    await assign()
    expect(await stored()).toEqual([])
  })

  it('is not sent for what was read meanwhile, nor to somebody who was retired', async () => {
    await recordConcern()
    await manager('workNotices.readAll')
    await sendAll()
    expect([server.mails, await stored()]).toEqual([[], []])
    await recordConcern()
    await sql`update staff set status = 2 where id = ${manager.id}`.execute(context.db)
    await sendAll()
    await sql`update staff set status = 1 where id = ${manager.id}`.execute(context.db)
    expect([server.mails, await stored()]).toEqual([[], []])
  })

  it('is one for each person until it is tried, unless an urgent notice follows another one', async () => {
    const issues = await Promise.all(Array.from({ length: 9 }, unallocated))
    await volunteer('workNotices.choose', { body: { notify_issue: 'mail' } })
    const waiting = async (...urgent: boolean[]) => {
      const rows = urgent.map((is) => ({ staff: volunteer.id, issue: issues.pop(), urgent: is }))
      const { rows: added } = await sql<{ id: number }>`insert into work_notices (staff, issue, urgent)
        select staff, issue, urgent from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as g(staff int, issue int, urgent boolean) returning id`.execute(context.db)
      await queueMails(
        context.db,
        added.map(({ id }) => id),
      )
      const { rows: queued } = await sql<{ urgent: boolean }>`select n.urgent from mail_outbox o
        join work_notices n on n.id = o.notice where n.staff = ${volunteer.id} order by o.id`.execute(
        context.db,
      )
      return queued.map((row) => row.urgent)
    }
    expect(await waiting(false)).toEqual([false])
    expect(await waiting(false)).toEqual([false])
    expect(await waiting(false, true)).toEqual([false, true])
    expect(await waiting(true)).toEqual([false, true])
    expect(await waiting(false)).toEqual([false, true])
    await sql`update mail_outbox set attempts = 1`.execute(context.db)
    expect(await waiting(false)).toEqual([false, true, false])
    await sql`delete from mail_outbox`.execute(context.db)
    expect(await waiting(false, true)).toEqual([true])
    await volunteer('workNotices.choose', { body: { notify_issue: 'bell' } })
  })

  it('is sent only for the kinds that a person chose, and to people with an address', async () => {
    const { issue, client } = await createCase(advocate)
    const task = await advocate('tasks.create', { body: { title: 'Ring', due: '2030-01-01', issue } })
    const kinds = { issue, task: task.body.id as number, client }
    const choose = (one: string, how: 'mail' | 'bell') =>
      sql`update staff set ${sql.ref(`notify_${one}`)} = ${how} where id = ${volunteer.id}`.execute(
        context.db,
      )
    const queued = async () => {
      const found: string[] = []
      for (const [kind, id] of Object.entries(kinds)) {
        const { rows } = await sql<{ id: number }>`insert into work_notices (staff, ${sql.ref(kind)})
          values (${volunteer.id}, ${id}) returning id`.execute(context.db)
        await queueMails(context.db, [rows[0].id])
        if ((await stored()).length > 0) found.push(kind)
        await sql`delete from work_notices where id = ${rows[0].id}`.execute(context.db)
      }
      return found
    }
    for (const kind of Object.keys(kinds)) await choose(kind, 'bell')
    for (const kind of Object.keys(kinds)) {
      await choose(kind, 'mail')
      expect(await queued()).toEqual([kind])
      await choose(kind, 'bell')
    }
    await choose('issue', 'mail')
    await sql`update staff set email = null where id = ${volunteer.id}`.execute(context.db)
    expect(await queued()).toEqual([])
    await sql`update staff set email = username || '@example.org' where id = ${volunteer.id}`.execute(
      context.db,
    )
    await choose('issue', 'bell')
  })

  it('goes with its notice', async () => {
    await recordConcern()
    await sql`delete from work_notices where staff = ${manager.id}`.execute(context.db)
    expect(await stored()).toEqual([])
  })
})

describe('the sender', () => {
  /** Urgent notices for everybody, each with a mail. */
  async function mailEverybody() {
    const issue = await unallocated()
    await sql`insert into work_notices (staff, issue, urgent) select id, ${issue}, true from staff`.execute(
      context.db,
    )
    await sql`insert into mail_outbox (notice) select id from work_notices where issue = ${issue}`.execute(
      context.db,
    )
  }

  it('sends each email once, however many servers share them', async () => {
    await mailEverybody()
    await Promise.all([sendAll(), sendAll(), sendAll()])
    const { rows } = await sql<{ email: string }>`select email from staff order by email`.execute(context.db)
    expect(recipients()).toEqual(rows.map(({ email }) => email))
    expect(new Set(messageIds()).size).toBe(rows.length)
  })

  it('that is killed after sending leaves the email to another server, under the same Message-ID', async () => {
    await recordConcern()
    await sql`create function die() returns trigger language plpgsql as 'begin raise exception ''killed''; end'`.execute(
      context.db,
    )
    await sql`create trigger die before delete on mail_outbox for each row execute function die()`.execute(
      context.db,
    )
    await expect(sendAll()).rejects.toThrow('killed')
    await sql`drop function die cascade`.execute(context.db)
    await sendAll()
    expect(server.mails).toHaveLength(1)
    await sql`update mail_outbox set leased_until = now() - interval '1 second'`.execute(context.db)
    await sendAll()
    const [first, second, ...others] = messageIds()
    expect([second, others, await stored()]).toEqual([first, [], []])
  })

  it('waits longer each time while the mail server is away, and keeps the error', async () => {
    await recordConcern()
    const gone = await startMailServer()
    gone.end()
    await sendAll(gone.url)
    expect(await stored()).toEqual([{ attempts: 1, last_error: 'ESOCKET', waits: true }])
    await sendAll()
    expect(server.mails).toEqual([])
    await sql`update mail_outbox set run_at = now()`.execute(context.db)
    await sendAll()
    expect([recipients(), await stored()]).toEqual([['manager@example.org'], []])
  })

  it('does not repeat what the mail server refuses, and goes on with the others', async () => {
    await mailEverybody()
    refused.add('advocate@example.org')
    await sendAll()
    refused.clear()
    await sql`update mail_outbox set run_at = now()`.execute(context.db)
    await sendAll()
    expect(recipients()).not.toContain('advocate@example.org')
    expect(await stored()).toMatchObject([{ attempts: 10, last_error: 'EENVELOPE' }])
  })

  it('repeats what the mail server puts off, ten times', async () => {
    await recordConcern()
    putOff.add('manager@example.org')
    await sendAll()
    expect(await stored()).toMatchObject([{ attempts: 1, waits: true }])
    await sql`update mail_outbox set attempts = 9, run_at = now()`.execute(context.db)
    await sendAll()
    putOff.clear()
    await sql`update mail_outbox set run_at = now()`.execute(context.db)
    await sendAll()
    expect([recipients(), await stored()]).toMatchObject([[], [{ attempts: 10 }]])
    await sql`update mail_outbox set attempts = 9`.execute(context.db)
    await sendAll()
    expect([recipients(), await stored()]).toEqual([['manager@example.org'], []])
  })

  it('sends none of a notice that was read, unless a later one is new', async () => {
    await recordConcern()
    const [first] = (await sql<{ id: number }>`select notice as id from mail_outbox`.execute(context.db)).rows
    const age = (by: string) =>
      sql`update work_notices set created_at = now() + ${by}::interval, read_at = now() where id = ${first.id}`.execute(
        context.db,
      )
    await manager('workNotices.readAll')
    const { rows } = await sql<{ id: number }>`insert into work_notices (staff, issue)
      values (${manager.id}, ${await unallocated()}) returning id`.execute(context.db)
    await age('1 minute')
    await sendAll()
    expect([recipients(), await stored()]).toEqual([[], []])
    await sql`insert into mail_outbox (notice) values (${first.id})`.execute(context.db)
    await age('-1 minute')
    await sendAll()
    expect(recipients()).toEqual(['manager@example.org'])
    await sql`delete from work_notices where id = ${rows[0].id}`.execute(context.db)
  })
})
