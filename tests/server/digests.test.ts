import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callerById } from '../../src/server/access/session.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { linesFor, sendDigests } from '../../src/server/ops/jobs/sendDigests.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { outboxOf } from './mails.ts'
import { createCase } from './newCase.ts'
import { startMailServer } from './smtp.ts'

/** A Monday at eight in London, and other times of that week. */
const MONDAY = new Date('2026-06-08T07:00:00Z')
const after = (hours: number) => new Date(MONDAY.getTime() + hours * 3_600_000)

let context: TestContext
let advocate: Caller
let job: JobContext
let folder: string
const errors: unknown[] = []
beforeAll(async () => {
  context = await startTestServer()
  folder = temporaryFolder('digests-')
  advocate = await context.as('advocate')
  const log = {
    info: () => undefined,
    warn: (...said: unknown[]) => errors.push(said),
  } as unknown as JobContext['log']
  const settings = readSettings({ DATA_DIR: folder, PUBLIC_URL: 'https://cases.example.org' })
  job = { contract: context.contract, db: context.db, settings, log, ending: new AbortController().signal }
  const { issue } = await createCase(advocate)
  await advocate('issues.update', { params: { id: issue }, body: { advocate: advocate.id } })
  await advocate('tasks.create', {
    body: { title: 'Ring Ann Ames', due: '2020-01-01', assignee: advocate.id },
  })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await context?.end()
})
beforeEach(async () => {
  rmSync(join(folder, 'outbox'), { recursive: true, force: true })
  await sql`update staff set digest = 'none', digest_sent = null, email = coalesce(email, username || '@example.org')`.execute(
    context.db,
  )
})

const choose = async (digest: string, who = advocate) => {
  const { status, body } = await who('auth.setDigest', { body: { digest } })
  expect([status, body.digest]).toEqual([200, digest])
  await sql`update staff set digest_sent = '2026-06-01' where id = ${who.id}`.execute(context.db)
}

describe('a digest', () => {
  it('is chosen by each person, is in their history, and begins on the next day', async () => {
    expect((await advocate('auth.me')).body.digest).toBe('none')
    expect((await advocate('auth.setDigest', { body: { digest: 'hourly' } })).status).toBe(400)
    await advocate('auth.setDigest', { body: { digest: 'daily' } })
    expect((await advocate('auth.me')).body.digest).toBe('daily')
    const { rows } =
      await sql`select staff, changes from audit where entity = 'staff' and record = ${advocate.id}
      order by id desc limit 1`.execute(context.db)
    expect(rows).toEqual([{ staff: advocate.id, changes: { digest: { from: 'none', to: 'daily' } } }])
    await sendDigests(job, new Date())
    expect(outboxOf(folder)).toEqual([])
  })

  it('has the counts of the worklist, each with the address of its rows, and no names', async () => {
    await choose('daily')
    await sendDigests(job, MONDAY)
    const [mail, ...others] = outboxOf(folder)
    expect(others).toEqual([])
    expect(mail).toContain(`Subject: ${job.settings.PRODUCT_NAME}`)
    expect(mail).not.toMatch(/Ann|Ames|Ring/)
    const { body } = await advocate('worklist.list')
    expect(body.chips.overdue).toBeGreaterThan(0)
    expect(mail).toContain(
      `${body.chips.overdue} overdue\r\nhttps://cases.example.org/dashboard/my-cases?due=overdue`,
    )
    const lines = await linesFor(job, (await callerById(context.db, advocate.id))!)
    for (const { words, count, to } of lines) {
      const query = Object.fromEntries(new URL(to).searchParams)
      const { body: rows } = await advocate('worklist.list', { query })
      expect([words, count]).toEqual([words, rows.pagination.count])
    }
  })

  it('lists for others what their bell counts', async () => {
    const manager = await context.as('manager')
    await choose('weekly', manager)
    await sendDigests(job, MONDAY)
    const [mail = ''] = outboxOf(folder)
    const { body } = await manager('reports.allocations', { query: { page_size: 1 } })
    const count = body.pagination.count
    if (count > 0) expect(mail).toContain(`${count} issues to allocate`)
    expect(mail).not.toContain('/dashboard/my-cases')
  })

  it('counts the unread notices of the kinds that are chosen for it', async () => {
    const volunteer = await context.as('volunteer')
    const manager = await context.as('manager')
    await choose('daily', volunteer)
    const { issue } = await createCase(advocate)
    await sql`update issues set advocate = null where id = ${issue}`.execute(context.db)
    await manager('issues.assign', { params: { id: issue }, body: { advocate: volunteer.id } })
    const lines = async () =>
      (await linesFor(job, (await callerById(context.db, volunteer.id))!)).filter(({ to }) =>
        /new-work/.test(to),
      )
    expect(await lines()).toEqual([])
    await volunteer('workNotices.choose', { body: { notify_issue: 'digest' } })
    const to = 'https://cases.example.org/dashboard/new-work?kind=issue'
    expect(await lines()).toEqual([{ words: 'issues newly assigned to you', count: 1, to }])
    await volunteer('workNotices.readAll')
    expect(await lines()).toEqual([])
    await choose('none', volunteer)
  })

  it('is sent once a day by however many servers, from seven on, on working days', async () => {
    await choose('daily')
    await sendDigests(job, after(-2))
    expect(outboxOf(folder)).toHaveLength(0)
    await Promise.all([sendDigests(job, MONDAY), sendDigests(job, MONDAY), sendDigests(job, after(3))])
    expect(outboxOf(folder)).toHaveLength(1)
    await sendDigests(job, after(24))
    expect(outboxOf(folder)).toHaveLength(2)
    await sendDigests(job, after(5 * 24))
    await sendDigests(job, after(6 * 24))
    expect(outboxOf(folder)).toHaveLength(2)
  })

  it('comes once a week where that is chosen, also when nobody was there on Monday', async () => {
    await choose('weekly')
    await sendDigests(job, after(24))
    await sendDigests(job, after(48))
    expect(outboxOf(folder)).toHaveLength(1)
    await sendDigests(job, after(7 * 24))
    expect(outboxOf(folder)).toHaveLength(2)
  })

  it('goes to nobody who has left or for whom nothing waits', async () => {
    await choose('daily', await context.as('commissioner'))
    await choose('daily')
    await sql`update staff set status = 3 where id = ${advocate.id}`.execute(context.db)
    await sendDigests(job, MONDAY)
    await sql`update staff set status = 1 where id = ${advocate.id}`.execute(context.db)
    expect(outboxOf(folder)).toEqual([])
  })

  it('reaches the others where the mail server refuses one address, which is tried again only if it may be accepted', async () => {
    let reply = '550 unknown'
    const server = await startMailServer({
      refusalOf: (address) => (address.startsWith('aaa@') ? reply : undefined),
    })
    const first = await context.as('manager')
    await sql`update staff set email = 'aaa@example.org' where id = ${first.id}`.execute(context.db)
    const smtp = { ...job, settings: { ...job.settings, SMTP_URL: server.url } }
    const sent = () => server.mails.flatMap(({ to }) => to)
    const attempts = () => server.lines.filter((line) => line.includes('aaa@')).length
    await choose('daily', first)
    await choose('daily')
    await expect(sendDigests(smtp, MONDAY)).rejects.toThrow('550')
    expect(sent()).toHaveLength(1)
    await sendDigests(smtp, after(1))
    expect(attempts()).toBe(1)
    reply = '451 later'
    await expect(sendDigests(smtp, after(24))).rejects.toThrow('451')
    await expect(sendDigests(smtp, after(25))).rejects.toThrow('451')
    expect([sent().length, attempts()]).toEqual([2, 3])
    server.end()
  })

  it('that no mail server took is sent later', async () => {
    await choose('daily')
    const broken = { ...job, settings: { ...job.settings, SMTP_URL: 'smtp://127.0.0.1:1' } }
    await expect(sendDigests(broken, MONDAY)).rejects.toThrow()
    await sendDigests(job, after(1))
    expect(outboxOf(folder)).toHaveLength(1)
  })
})
