import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let manager: Caller
let advocate: Caller
let volunteer: Caller
const issues: number[] = []
beforeAll(async () => {
  admin = await context.as('admin')
  manager = await context.as('manager')
  advocate = await context.as('advocate')
  volunteer = await context.as('volunteer')
  for (let n = 0; n < 3; n++) issues.push((await createCase(advocate)).issue)
})
beforeEach(async () => {
  await sql`update issues set advocate = ${advocate.id}, is_opened = true, status = 1 where id = any(${issues})`.execute(
    context.db,
  )
  await sql`update staff set status = 1, contracts = '{}', services = '{1}' where id = ${volunteer.id}`.execute(
    context.db,
  )
})

const handOver = (body: object, who = admin, id = advocate.id) =>
  who('staff.handOver', { params: { id }, body })
const holders = async () => {
  const { rows } = await sql<{ advocate: number }>`select advocate from issues
    where id = any(${issues}) order by id`.execute(context.db)
  return rows.map((row) => row.advocate)
}
const to = (...advocates: (number | undefined)[]) =>
  advocates.map((one, i) => ({ issue: issues[i], advocate: one }))

describe('open work of a person', () => {
  it('goes to one other person in one step, each issue audited', async () => {
    const { status, body } = await handOver({ advocate: volunteer.id })
    expect([status, body]).toEqual([
      200,
      {
        count: 3,
        words: '3 issues of 3 clients are handed over from advocate Example to volunteer Example',
        undo: { issues: [...issues].sort((a, b) => a - b) },
      },
    ])
    expect(await holders()).toEqual([volunteer.id, volunteer.id, volunteer.id])
    const { rows } = await sql<{ record: number; changes: object }>`select record, changes from audit
      where entity = 'issue' and action = 'assign' order by record`.execute(context.db)
    expect(rows).toEqual(
      issues.map((record) => ({ record, changes: { advocate: { from: advocate.id, to: volunteer.id } } })),
    )
    const [entry] = (await admin('staff.history', { params: { id: advocate.id } })).body.data
    expect(entry).toMatchObject({
      title: 'Work handed over',
      changes: [{ label: 'Open issues', from: '3', to: '0' }],
    })
  })

  it('goes to several, the rest to one or to nobody', async () => {
    expect((await handOver({ to: to(volunteer.id) })).body.count).toBe(1)
    expect(await holders()).toEqual([volunteer.id, advocate.id, advocate.id])
    const other = await context.as('hub')
    const mixed = { to: [{ issue: issues[1], advocate: other.id }], advocate: volunteer.id }
    expect((await handOver(mixed)).body.count).toBe(2)
    expect(await holders()).toEqual([volunteer.id, other.id, volunteer.id])
  })

  it('raises the version of each issue, so that an open page notices', async () => {
    const read = async () => (await admin('issues.read', { params: { id: issues[0] } })).body
    const before = await read()
    await handOver({ advocate: volunteer.id })
    const after = await read()
    expect([after.version, after.advocate]).toEqual([before.version + 1, volunteer.id])
  })

  it('leaves what is closed or retired where it is', async () => {
    await sql`update issues set is_opened = false, close_date = current_date where id = ${issues[0]}`.execute(
      context.db,
    )
    await sql`update issues set status = 2 where id = ${issues[1]}`.execute(context.db)
    expect((await handOver({ to: to(volunteer.id) })).body).toEqual({
      'to.0.issue': ['Issue must be open work of this person that you may see'],
    })
    expect((await handOver({ advocate: volunteer.id })).body.count).toBe(1)
    expect(await holders()).toEqual([advocate.id, advocate.id, volunteer.id])
  })
})

describe('undoing a hand-over', () => {
  const undo = (ids: number[], who = admin) => who('issues.undoAssign', { body: { issues: ids } })

  it('puts every issue and its steps back', async () => {
    const task = await advocate('tasks.create', {
      body: { title: 'Ring', due: '2030-01-01', issue: issues[0] },
    })
    const { undo: sent } = (await handOver({ advocate: volunteer.id })).body
    const { status, body } = await undo(sent.issues)
    expect([status, body.words]).toEqual([200, '3 issues of 3 clients are back'])
    expect(await holders()).toEqual([advocate.id, advocate.id, advocate.id])
    const { rows } = await sql`select assignee from tasks where id = ${task.body.id}`.execute(context.db)
    expect(rows).toEqual([{ assignee: advocate.id }])
  })

  it('takes back the notices of who got them, and keeps what was asked about them', async () => {
    await sql`update issues set allocation_asked = jsonb_build_object('by', ${manager.id}::int, 'note', 'Too much')
      where id = ${issues[0]}`.execute(context.db)
    const notices = async () => {
      const { rows } = await sql<{ staff: number }>`select staff from work_notices
        where issue = any(${issues}) and staff = ${volunteer.id}`.execute(context.db)
      return rows.length
    }
    const { undo: sent } = (await handOver({ advocate: volunteer.id })).body
    expect(await notices()).toBe(3)
    expect((await undo(sent.issues)).status).toBe(200)
    expect(await notices()).toBe(0)
    const { rows } = await sql`select allocation_asked ->> 'note' as note from issues
      where id = ${issues[0]}`.execute(context.db)
    expect(rows).toEqual([{ note: 'Too much' }])
    await sql`update issues set allocation_asked = null where id = ${issues[0]}`.execute(context.db)
  })

  it('works for somebody who was retired meanwhile', async () => {
    await handOver({ advocate: volunteer.id })
    await sql`update staff set status = 2 where id = ${advocate.id}`.execute(context.db)
    expect((await undo(issues)).status).toBe(200)
    expect(await holders()).toEqual([advocate.id, advocate.id, advocate.id])
    await sql`update staff set status = 1 where id = ${advocate.id}`.execute(context.db)
  })

  it('is refused as a whole, in words, if one issue was changed meanwhile', async () => {
    await handOver({ advocate: volunteer.id })
    await admin('issues.update', { params: { id: issues[1] }, body: { start_date: '2026-01-02' } })
    const { status, body } = await undo(issues)
    expect([status, body.message]).toEqual([
      409,
      `Issue ${issues[1]} was changed meanwhile by admin Example, so nothing is put back. Assign the issues again instead.`,
    ])
    expect(await holders()).toEqual([volunteer.id, volunteer.id, volunteer.id])
  })

  it('is for who did it, just now', async () => {
    await handOver({ to: to(volunteer.id) })
    const [issue] = issues
    for (const who of [manager, await context.as('partnermanager')])
      expect((await undo([issue], who)).body.message).toMatch(/can no longer be undone/)
    expect((await undo([issue], volunteer)).status).toBe(403)
    await sql`update audit set at = now() - interval '2 minutes' where action = 'assign'`.execute(context.db)
    expect((await undo([issue])).status).toBe(409)
    for (const wrong of [[], ['x'], [0], 'all', undefined])
      expect((await admin('issues.undoAssign', { body: { issues: wrong } })).status).toBe(400)
    expect(await holders()).toEqual([volunteer.id, advocate.id, advocate.id])
  })
})

describe('the new advocate', () => {
  it.each([
    ['is retired', sql`status = 2`],
    ['is suspended', sql`status = 3`],
    ['is on leave', sql`status = 4`],
  ])('must not be somebody who %s', async (_, change) => {
    await sql`update staff set ${change} where id = ${volunteer.id}`.execute(context.db)
    const { status, body } = await handOver({ advocate: volunteer.id })
    const words = ['Advocate must be somebody else at work in a role with cases']
    expect([status, body]).toEqual([400, { advocate: words }])
    const assignees = (await admin('staff.assignees', { query: { page_size: 500 } })).body.data
    expect(assignees.map(({ id }: { id: number }) => id)).not.toContain(volunteer.id)
  })

  it('has cases, and is not the one who goes', async () => {
    for (const id of [advocate.id, manager.id, 987654]) {
      expect((await handOver({ to: to(id) })).body).toEqual({
        'to.0.advocate': ['Advocate must be somebody else at work in a role with cases'],
      })
    }
  })

  it('works on the service and contract, or nothing of it is done', async () => {
    const stranger = await context.as('stranger')
    const { status, body } = await handOver({ to: to(volunteer.id, stranger.id) })
    expect([status, body]).toEqual([
      400,
      {
        'to.1.advocate': [`stranger Example does not work on the service and contract of issue ${issues[1]}`],
      },
    ])
    expect(await holders()).toEqual([advocate.id, advocate.id, advocate.id])
    const { rows } = await sql<{ service: number; contract: number }>`select service, contract from issues
      where id = ${issues[0]}`.execute(context.db)
    const found = async () => {
      const query = { ...rows[0], page_size: 500 }
      const { body } = await admin('staff.assignees', { query })
      return body.data.map(({ id }: { id: number }) => id)
    }
    expect(await found()).toContain(volunteer.id)
    expect(await found()).not.toContain(stranger.id)
    await sql`update staff set contracts = '{999}' where id = ${volunteer.id}`.execute(context.db)
    expect(await found()).not.toContain(volunteer.id)
    expect((await handOver({ advocate: volunteer.id })).status).toBe(400)
  })

  it('is notified, once for each issue', async () => {
    expect((await handOver({})).body).toEqual({ advocate: ['Choose who takes the work over'] })
    expect((await handOver({ to: to(undefined) })).body).toEqual({ 'to.0.advocate': ['Advocate is needed'] })
    const twice = [...to(volunteer.id), ...to(volunteer.id)]
    expect((await handOver({ to: twice })).body).toEqual({ 'to.1.issue': ['Issue is named twice'] })
    const nobody = await handOver({ advocate: volunteer.id }, admin, volunteer.id)
    expect(nobody.body).toEqual({ advocate: ['There is no open work to hand over'] })
  })
})

describe('managers', () => {
  it('hand over within their team alone', async () => {
    expect((await handOver({ to: to(volunteer.id) }, manager)).body.count).toBe(1)
    const partnermanager = await context.as('partnermanager')
    expect((await handOver({ advocate: volunteer.id }, partnermanager)).status).toBe(404)
    expect((await handOver({ advocate: volunteer.id }, advocate)).status).toBe(403)
  })
})

describe('before somebody is retired', () => {
  it('a list shows what they leave behind, and where to hand it over', async () => {
    await sql`update issues set next_step = 'Ring', next_due = current_date where id = ${issues[0]}`.execute(
      context.db,
    )
    const said = await admin('staff.openWork', { params: { id: advocate.id } })
    expect(said.body).toEqual([
      {
        id: 'issues',
        label: '3 open issues, 1 next step: hand over',
        to: `/advocate/${advocate.id}/hand-over`,
      },
    ])
    const led = (await admin('staff.openWork', { params: { id: manager.id } })).body
    expect(led).toEqual([
      { id: 'people', label: '2 people have them as line manager', to: null },
      ...[advocate, volunteer].map(({ id }) => ({
        id: `person-${id}`,
        label: expect.stringMatching(/^Give .+ another line manager$/),
        to: `/advocate/${id}/details`,
      })),
    ])
    expect((await admin('staff.openWork', { params: { id: volunteer.id } })).body).toEqual([])
  })

  describe('next steps on a case as such', () => {
    const leftBy = async (id: number) => (await admin('staff.openWork', { params: { id } })).body
    const plan = async (file: number, more: object = {}) => {
      const body = {
        case: file,
        type: 1,
        done_on: '2026-02-10',
        next_step: 'Ring',
        next_due: '2026-02-20',
        ...more,
      }
      const reply = await volunteer('actions.create', { body })
      expect(reply.status).toBe(201)
      return reply.body.id as number
    }
    const doneOn = (id: number) =>
      volunteer('actions.update', { params: { id }, body: { next_done_on: '2026-02-19' } })

    it('are said by case, each where it can be seen to, until they are done', async () => {
      const { id, client } = await createCase(volunteer)
      const steps = [await plan(id), await plan(id)]
      // Nothing is to be done any more, or nothing was by a day; or it is an issue's.
      await plan(id, { next_due: null })
      const name = (await admin('clients.read', { params: { id: client } })).body
      const words = `on case ${id} of ${name.first_name} ${name.last_name}, on no issue`
      const left = (label: string) => [{ id: `case-${id}`, label, to: `/clients/${client}/actions` }]
      expect(await leftBy(volunteer.id)).toEqual(left(`2 next steps ${words}`))
      await doneOn(steps[0])
      expect(await leftBy(volunteer.id)).toEqual(left(`1 next step ${words}`))
      await doneOn(steps[1])
      expect(await leftBy(volunteer.id)).toEqual([])
    })

    it('are counted beyond ten cases', async () => {
      for (let n = 0; n < 12; n++) await plan((await createCase(volunteer)).id)
      const left = await leftBy(volunteer.id)
      expect(left).toHaveLength(11)
      expect(left.at(-1)).toEqual({ id: 'cases', label: 'Next steps on 2 more cases, on no issue', to: null })
    })

    it('can be completed by the new advocate of an issue of the case', async () => {
      const { id, issue } = await createCase(advocate)
      const body = { case: id, type: 1, done_on: '2026-02-10', next_step: 'Ring', next_due: '2026-02-20' }
      const action = (await advocate('actions.create', { body })).body.id
      const changing = { params: { id: action }, body: { next_done_on: '2026-02-19' } }
      await sql`update issues set advocate = ${advocate.id} where id = ${issue}`.execute(context.db)
      expect((await volunteer('actions.update', changing)).status).toBe(404)
      await handOver({ to: [{ issue, advocate: volunteer.id }] })
      expect((await volunteer('actions.update', changing)).status).toBe(200)
    })
  })
})
