import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compare } from '../../src/server/features/likeness/compare.ts'
import type { Person } from '../../src/server/features/likeness/person.ts'
import { alikePairs } from '../fixtures/alikePairs.ts'
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
  unknownBirthday = await add({ first_name: 'Mary', last_name: 'Jones', phone: '01632 960001' })
})
beforeEach(() => sql`delete from audit where action = 'search'`.execute(context.db))

const NAME = { first_name: 'mary', last_name: 'Jónes' }
interface Found {
  id: number
  certainty: string
  reasons: string[]
}
const ask = async (who: Caller, body: object): Promise<Found[]> => (await who('clients.alike', { body })).body
const searches = async () => {
  const { rows } = await sql<{ staff: number; record: number | null; term: string }>`
    select staff, record, changes -> 'term' ->> 'to' as term from audit where action = 'search' and entity = 'client' order by id`.execute(
    context.db,
  )
  return rows
}

describe('the comparison of two people', () => {
  const { same, different } = alikePairs(500, 35)

  it('misses at most 2 % of 500 pairs of one person', () => {
    const missed = same.filter(({ a, b }) => compare(a, b).certainty === null)
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(10)
  })

  it('calls at most 5 % of 500 pairs of two people likely, and none certain', () => {
    const found = different.filter(({ a, b }) => compare(a, b).certainty !== null)
    expect(found.length, JSON.stringify(found)).toBeLessThanOrEqual(25)
    expect(found.filter(({ a, b }) => compare(a, b).certainty === 'certain')).toEqual([])
  })

  it('does not depend on who comes first', () => {
    for (const { a, b } of [...same, ...different])
      expect(compare(a, b)).toMatchObject({ score: compare(b, a).score })
  })

  const DEIRDRE: Person = {
    first_name: 'Deirdre',
    last_name: 'Dubois',
    dob: '1949-07-25',
    phone: '07700 901942',
    postcode: 'MK40 2AB',
  }
  it.each<[Person, string | null, string[]]>([
    [{ ...DEIRDRE }, 'certain', ['same date of birth', 'same name', 'same telephone', 'same postcode']],
    [
      { first_name: 'Deirdre', last_name: 'Dubios', dob: '1949-07-25' },
      'likely',
      ['same date of birth', 'surname with two letters exchanged', 'same first name'],
    ],
    [
      { first_name: 'Dee', last_name: 'Dubose', dob: '1949-07-25' },
      'likely',
      ['same date of birth', 'surname sounds alike', 'Dee is a form of Deirdre'],
    ],
    [
      { first_name: 'Deirdre', last_name: 'Dubois', dob: '1994-07-25' },
      'likely',
      ['two digits of the date of birth exchanged', 'same name'],
    ],
    [
      { first_name: 'Dubois', last_name: 'Deirdre', dob: '1949-07-25', phone: '+44 7700 901 942' },
      'certain',
      ['same date of birth', 'same name', 'same telephone'],
    ],
    [
      { first_name: 'Colette', last_name: 'Dubois', dob: '1949-07-25', phone: '07700 901942' },
      null,
      ['same date of birth', 'same surname', 'another first name', 'same telephone'],
    ],
    [
      { first_name: 'Deirdre', last_name: 'Dubois', dob: '1975-01-02', phone: '07700 901942' },
      null,
      ['another date of birth', 'same name', 'same telephone'],
    ],
  ])('of %j is %s', (other, certainty, reasons) => {
    expect(compare(DEIRDRE, other)).toMatchObject({ certainty, reasons })
  })

  it('does not take a placeholder for an NHS number, a telephone or a postcode', () => {
    const numbers = { nhs_number: '999 999 9999', phone: '00000 000000', postcode: 'ZZ99 3VZ' }
    const [ann, joe] = ['Ann Ames', 'Joe Dodd'].map((name) => {
      const [first_name, last_name] = name.split(' ')
      return { first_name, last_name, ...numbers }
    })
    expect(compare(ann, joe)).toMatchObject({ certainty: null })
    expect(
      compare({ ...ann, nhs_number: '943 476 5919' }, { ...joe, nhs_number: '9434765919' }),
    ).toMatchObject({
      certainty: 'certain',
      reasons: expect.arrayContaining(['same NHS number']),
    })
  })
})

describe('finding who is alike', () => {
  it('finds the person of nearly every pair by the indexes alone', async () => {
    const { same } = alikePairs(40, 7)
    const people = same.map(({ a }) => a)
    const { rows } = await sql<{
      id: number
    }>`insert into clients (first_name, last_name, known_as, dob, nhs_number, phone, mobile, postcode, created_by)
      select first_name, last_name, known_as, dob, nhs_number, phone, mobile, postcode, ${advocate.id}
      from jsonb_populate_recordset(null::clients, ${JSON.stringify(people)}::jsonb) returning id`.execute(
      context.db,
    )
    const missed: string[] = []
    for (const [i, { rule, b }] of same.entries()) {
      const body = Object.fromEntries(Object.entries(b).filter(([, value]) => value))
      const found = await ask(advocate, body)
      if (!found.some(({ id }) => id === rows[i].id)) missed.push(`${rule}: ${JSON.stringify(b)}`)
    }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(1)
    await sql`delete from clients where id = any(${rows.map(({ id }) => id)}::int[])`.execute(context.db)
  })

  it('gives only the id of other people’s clients, matched by name and date of birth', async () => {
    expect(await ask(stranger, { ...NAME, dob: '1950-02-03' })).toEqual([
      expect.objectContaining({
        id: known,
        first_name: null,
        certainty: 'elsewhere',
        visible: false,
        reasons: [],
      }),
    ])
  })

  it.each([
    NAME,
    { ...NAME, dob: '1950-02-04' },
    { first_name: 'Mary', last_name: 'Jone', dob: '1950-02-03' },
    { last_name: 'Jones', dob: '1950-02-03' },
    { first_name: 'Mary', dob: '1950-02-03' },
    { ...NAME, phone: '01632 960001' },
    { dob: '1950-02-03' },
    {},
  ])('says nothing of them by %j', async (body) => {
    expect(await ask(stranger, body)).toEqual([])
  })

  it('gives all details of one’s own clients, with the reasons', async () => {
    expect(await ask(advocate, { ...NAME, dob: '1950-03-02' })).toEqual([
      expect.objectContaining({
        id: known,
        first_name: 'Mary',
        dob: '1950-02-03',
        certainty: 'likely',
        reasons: ['day and month of birth exchanged', 'same name'],
        visible: true,
      }),
      expect.objectContaining({ id: unknownBirthday, reasons: ['same name'] }),
    ])
  })
})

describe('whom somebody looked for', () => {
  it('is audited, by whichever call', async () => {
    await ask(stranger, { ...NAME, dob: '1950-02-03' })
    await ask(stranger, { last_name: 'Jones' })
    await stranger('search.quick', { query: { term: ' Jones' } })
    await stranger('clients.list', { query: { term: 'Jones ' } })
    expect(await searches()).toEqual(
      ['mary, Jónes, 1950-02-03', 'Jones', 'Jones', 'Jones'].map((term) => ({
        staff: stranger.id,
        record: null,
        term,
      })),
    )
  })

  it('is nobody where no name or number is given', async () => {
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
