import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let advocate: Caller
let stranger: Caller
let known: number
let unknownBirthday: number
beforeAll(async () => {
  advocate = await context.as('advocate')
  stranger = await context.as('stranger')
  const add = async (client: object) => (await createCase(advocate, 1, { client })).client
  known = await add({ first_name: 'Mary', last_name: 'Jones', dob: '1950-02-03' })
  unknownBirthday = await add({ first_name: 'Mary', last_name: 'Jones' })
})
beforeEach(() => sql`delete from audit where action = 'search'`.execute(context.db))

const NAME = { first_name: 'mary', last_name: 'Jónes' }
const ask = async (who: Caller, query: object) =>
  (await who('clients.duplicates', { query: query as Record<string, unknown> })).body
const searches = async () => {
  const { rows } = await sql<{ staff: number; record: number | null; term: string }>`
    select staff, record, changes -> 'term' ->> 'to' as term from audit where action = 'search' and entity = 'client' order by id`.execute(
    context.db,
  )
  return rows
}

describe('the warning about duplicates', () => {
  it('gives only the id of other people’s clients, matched by name and date of birth', async () => {
    expect(await ask(stranger, { ...NAME, dob: '1950-02-03' })).toEqual([
      { id: known, name: null, dob: null, dod: null, visible: false, alerts: [] },
    ])
  })

  it.each([
    NAME,
    { ...NAME, dob: '1950-02-04' },
    { last_name: 'Jones', dob: '1950-02-03' },
    { first_name: 'Mary', dob: '1950-02-03' },
    { dob: '1950-02-03' },
    {},
  ])('tells nothing of them by %j', async (query) => {
    expect(await ask(stranger, query)).toEqual([])
  })

  it('gives all details of one’s own clients, matched by name alone too', async () => {
    const ids = async (query: object) =>
      (await ask(advocate, query)).map(({ id, visible }: { id: number; visible: boolean }) => [id, visible])
    expect(await ids(NAME)).toEqual([
      [unknownBirthday, true],
      [known, true],
    ])
    expect(await ids({ ...NAME, dob: '1950-02-03' })).toHaveLength(2)
    expect(await ids({ ...NAME, dob: '1950-02-04' })).toEqual([[unknownBirthday, true]])
  })
})

describe('whom somebody looked for', () => {
  it('is written down, by whichever call', async () => {
    await ask(stranger, { ...NAME, dob: '1950-02-03' })
    await ask(stranger, { last_name: 'Jones' })
    await stranger('search.quick', { query: { term: ' Jones' } })
    await stranger('clients.list', { query: { term: 'Jones ' } })
    expect(await searches()).toEqual(
      ['mary Jónes, 1950-02-03', 'Jones', 'Jones', 'Jones'].map((term) => ({
        staff: stranger.id,
        record: null,
        term,
      })),
    )
  })

  it('is nobody where no name is given', async () => {
    await ask(stranger, { dob: '1950-02-03' })
    await stranger('clients.list')
    await stranger('clients.list', { query: { term: ' ' } })
    expect(await searches()).toEqual([])
  })

  it('leaves the list of clients as it is', async () => {
    const { body } = await advocate('clients.list', { query: { term: 'jones', page_size: 1 } })
    expect(body.data).toHaveLength(1)
    expect(body.pagination).toMatchObject({ count: 2, num_pages: 2 })
    const { status, headers } = await advocate('clients.list', { query: { term: 'jones', format: 'xlsx' } })
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('spreadsheetml')])
  })
})
