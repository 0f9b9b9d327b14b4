import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let services: Map<number, number>
beforeAll(async () => {
  admin = await context.as('admin')
  const { body } = await admin.raw('/contracts_lookup/')
  services = new Map(body.map((one: { value: number; service: number }) => [one.value, one.service]))
  await sql`update staff set contracts = '{8}', services = '{1,2}' where username = 'volunteer'`.execute(
    context.db,
  )
})

const ids = async (query: string, who = admin): Promise<number[]> =>
  (await who.raw(`/contracts_lookup/?${query}`)).body.map(({ value }: { value: number }) => value)
const ofService = (...wanted: number[]) =>
  [...services].filter(([, service]) => wanted.includes(service)).map(([id]) => id)

describe('contracts', () => {
  it('of a person who names none are all of their services', async () => {
    const { id } = await context.as('advocate')
    expect(ofService(1).length).toBeGreaterThan(1)
    expect(await ids(`staff=${id}`)).toEqual(ofService(1))
    expect(await ids('staff=me', await context.as('advocate'))).toEqual(ofService(1))
  })

  it('of a person who names some are those', async () => {
    expect(await ids('staff=me', await context.as('volunteer'))).toEqual([8])
  })

  it('of a person without services are none', async () => {
    expect(await ids(`staff=${(await context.as('hubmanager')).id}`)).toEqual([])
  })

  it('of a role are those that somebody of it works on', async () => {
    expect(await ids('role=4')).toEqual(ofService(1, 4))
    expect(await ids('role=6')).toEqual([8])
    expect((await ids('role=4,6')).sort()).toEqual([...ofService(1, 4), 8].sort())
    expect(await ids('role=7')).toEqual([])
    expect(await ids('role=99')).toEqual([])
  })

  it('of unallocated issues, and of the issues of a person, are those of visible issues alone', async () => {
    const add = async (contract: number, advocate: number | null) => {
      const { issue } = await createCase(admin)
      await sql`update issues set contract = ${contract}, advocate = ${advocate} where id = ${issue}`.execute(
        context.db,
      )
    }
    const [advocate, commissioner] = [await context.as('advocate'), await context.as('commissioner')]
    const [first, second] = ofService(1)
    await add(first, advocate.id)
    await add(second, null)
    for (const [query, contract] of [
      [`own_cases=true&staff=${advocate.id}`, first],
      ['unallocated=true', second],
    ] as const) {
      expect([query, await ids(query)]).toEqual([query, [contract]])
      expect([query, await ids(query, advocate)]).toEqual([query, [contract]])
      expect([query, await ids(query, commissioner)]).toEqual([query, []])
    }
  })

  it('of a role are not those of people who left', async () => {
    await sql`update staff set status = 2 where username = 'stranger'`.execute(context.db)
    expect(await ids('role=4')).toEqual(ofService(1))
  })
})
