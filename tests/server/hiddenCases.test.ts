import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
/** The advocate's case, and another one of the same client that they may not see. */
let own: { id: number; client: number; issue: number }
let hidden: { id: number; client: number; issue: number }
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  own = await createCase(advocate)
  const made = await admin('cases.create', { body: { ...(await newCase(admin)), client: own.client } })
  hidden = made.body
  await sql`update issues set advocate = (select id from staff where username = 'stranger'), start_date = '2020-01-01'
    where id = ${hidden.issue}`.execute(context.db)
  expect((await advocate('cases.read', { params: { id: hidden.id } })).status).toBe(404)
  expect((await advocate('clients.read', { params: { id: own.client } })).status).toBe(200)
})

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)

describe('to a person who sees the client but not the case', () => {
  it('its signposting is neither listed, read nor deleted', async () => {
    const add = async (caseId: number | null) => {
      const { rows } = await sql<{
        id: number
      }>`insert into signposts (client, "case", sp_org, notes, created_by)
        values (${own.client}, ${caseId}, 1, 'Private', ${admin.id}) returning id`.execute(context.db)
      return rows[0].id
    }
    const [ofClient, ofOwn, ofHidden] = [await add(null), await add(own.id), await add(hidden.id)]
    const listed = async (who: Caller) =>
      ids((await who('clients.signposts', { params: { id: own.client } })).body.data)
    expect(await listed(advocate)).toEqual([ofOwn, ofClient])
    expect(await listed(admin)).toEqual([ofHidden, ofOwn, ofClient])
    const on = async (call: string) => (await advocate(call, { params: { id: ofHidden } })).status
    expect([await on('signposts.read'), await on('signposts.remove')]).toEqual([404, 404])
  })

  it('its referrals are not listed', async () => {
    const add = async (caseId: number | null) => {
      const { rows } = await sql<{ id: number }>`insert into referral_requests
          (hub, from_hub, from_client, from_case, service, case_type, status, reason, created_by)
        values (2, 1, ${own.client}, ${caseId}, 1, 1, 1, 'Private', ${admin.id}) returning id`.execute(
        context.db,
      )
      return rows[0].id
    }
    const [ofClient, ofOwn, ofHidden] = [await add(null), await add(own.id), await add(hidden.id)]
    const listed = async (who: Caller) =>
      ids((await who('referrals.ofClient', { params: { id: own.client } })).body.data)
    expect(await listed(advocate)).toEqual([ofOwn, ofClient])
    expect(await listed(admin)).toEqual([ofHidden, ofOwn, ofClient])
  })

  it('nobody is named who opened it', async () => {
    for (const { id } of [own, hidden]) await admin('cases.read', { params: { id } })
    const opened = async (who: Caller) => {
      const { body } = await who('chronology.openings', { params: { id: own.client } })
      const rows: { entity: string; record: number }[] = body.data
      return rows.filter(({ entity }) => entity === 'case').map(({ record }) => record)
    }
    const manager = await context.as('manager')
    expect(await opened(admin)).toEqual(expect.arrayContaining([own.id, hidden.id]))
    expect(await opened(manager)).toContain(own.id)
    expect(await opened(manager)).not.toContain(hidden.id)
  })

  it('the start of a case on the client’s page is that of the issues that they see', async () => {
    await sql`insert into issues ("case", service, contract, case_type_version, issue_type, start_date, advocate, created_by)
      select "case", service, contract, case_type_version, issue_type, '2019-05-06',
        (select id from staff where username = 'stranger'), ${admin.id} from issues where id = ${own.issue}`.execute(
      context.db,
    )
    const startOf = async (who: Caller) => {
      const { body } = await who('clients.read', { params: { id: own.client } })
      return body.open_cases.find(({ id }: { id: number }) => id === own.id).start_date
    }
    expect(await startOf(admin)).toBe('2019-05-06')
    expect(await startOf(advocate)).not.toBe('2019-05-06')
  })
})
