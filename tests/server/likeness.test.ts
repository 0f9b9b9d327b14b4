import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compare } from '../../src/server/features/likeness/compare.ts'
import type { Person } from '../../src/server/features/likeness/person.ts'
import { storePairs } from '../../src/server/features/likeness/storePairs.ts'
import { alikePairs } from '../fixtures/alikePairs.ts'
import { type Caller, describeServer, type Reply } from './context.ts'
import { createCase } from './newCase.ts'
import { recordStatements } from './recordStatements.ts'

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

describe('a client out of sight', () => {
  const person = { first_name: 'Mary', last_name: 'Jones', dob: '1950-02-03' }

  it('can be asked about by name and date of birth, and the answer reaches the bell', async () => {
    const askAbout = (body: object, id = known) => stranger('clientQuestions.ask', { params: { id }, body })
    expect((await askAbout({ ...person, dob: '1950-02-04' })).status).toBe(404)
    expect((await askAbout(person, unknownBirthday)).status).toBe(404)
    // Twenty within a day are the most; a day later they no longer count.
    const addQuestions = (times: number, hours: number) =>
      sql`insert into client_questions (client, asked_by, asked_of, asked_at, answer)
        select ${unknownBirthday}, ${stranger.id}, ${advocate.id}, now() - make_interval(hours => ${hours}::int), 'other'
        from generate_series(1, ${times}::int)`.execute(context.db)
    await addQuestions(1, 25)
    await addQuestions(20, 23)
    expect((await askAbout(person)).status).toBe(429)
    await sql`delete from client_questions where id = (select max(id) from client_questions)`.execute(
      context.db,
    )
    const { status, body } = await askAbout(person)
    expect(status).toBe(201)
    await sql`delete from client_questions where client = ${unknownBirthday}`.execute(context.db)
    // The second question is the first one.
    expect((await askAbout(person)).body.id).toBe(body.id)
    const { rows } = await sql<{
      username: string
    }>`select username from staff where id = ${body.asked_of}`.execute(context.db)
    const colleague = await context.as(rows[0].username)
    const [question] = (await colleague('clientQuestions.list')).body.data
    expect(question).toMatchObject({ id: body.id, client: known, is_mine: true, answer: null })
    const reply = { answer: 'same', words: 'Ring me' }
    const answer = (who: Caller) => who('clientQuestions.answer', { params: { id: body.id }, body: reply })
    expect((await answer(await context.as('partner'))).status).toBe(404)
    expect((await answer(stranger)).status).toBe(403)
    expect((await answer(colleague)).body).toMatchObject(reply)
    const { data } = (await stranger('workNotices.list')).body
    expect(JSON.stringify(data)).toContain(`It is the same person as client ${known}`)
  })

  it('sends questions only to people who see it, not to those who lead its advocate and do not', async () => {
    const hidden = { first_name: 'Olga', last_name: 'Petrova', dob: '1961-05-06' }
    const { issue, client } = await createCase(advocate, 1, { client: hidden })
    const set = (column: string, value: number, staff: number) =>
      sql`update staff set ${sql.ref(column)} = ${value} where id = ${staff}`.execute(context.db)
    await sql`update issues set advocate = ${advocate.id}, hub = null where id = ${issue}`.execute(context.db)
    // A partner sees only their own work.
    const [partner, manager] = [await context.as('partner'), await context.as('manager')]
    await set('line_manager', partner.id, advocate.id)
    const { body } = await stranger('clientQuestions.ask', {
      params: { id: client },
      body: hidden,
    })
    await set('line_manager', manager.id, advocate.id)
    expect(body.asked_of).toBe(advocate.id)
    const reply = { answer: 'other', words: 'w'.repeat(200) }
    await advocate('clientQuestions.answer', { params: { id: body.id }, body: reply })
    const { rows } = await sql<{ title: string }>`select title from tasks where assignee = ${stranger.id}
      order by id desc limit 1`.execute(context.db)
    expect(rows[0].title).toMatch(/^It is another person .* is in Questions about people$/)
  })

  it('is told by no call from somebody who is not there: by reply, count or work done', async () => {
    await sql`update clients set nhs_number = '401 023 2137', mobile = '07700 900942' where id = ${known}`.execute(
      context.db,
    )
    const [first] = await sql<{
      id: number
    }>`insert into referral_requests (hub, channel, person, case_type, service)
      values (1, 'public', ${JSON.stringify({ ...person, dob: '1950-02-04' })}, 1, 1), (1, 'public', '{"first_name": "Xerxes", "last_name": "Quibb", "dob": "1911-01-01"}', 1, 1)
      returning id`
      .execute(context.db)
      .then(({ rows }) => rows)
    const adviser = await context.as('hub')
    type Sought = {
      words: string
      typo: string
      dob: string
      nhs: string
      phone: string
      id: number
      referral: number
    }
    const hidden: Sought = {
      words: 'Mary Jones',
      typo: 'Marry Jnoes',
      dob: '1950-02-04',
      nhs: '401 023 2137',
      phone: '07700 900942',
      id: known,
      referral: first.id,
    }
    const nobody: Sought = {
      words: 'Xerxes Quibb',
      typo: 'Xerxse Qubib',
      dob: '1911-01-02',
      nhs: '987 654 3210',
      phone: '07700 900111',
      id: 999_999,
      referral: first.id + 1,
    }
    const names = (words: string) => {
      const [first_name, last_name] = words.split(' ')
      return { first_name, last_name }
    }
    const ways: [string, (sought: Sought) => Promise<Reply>][] = [
      ['likeness by name', ({ words }) => stranger('clients.alike', { body: names(words) })],
      ['likeness by a slip', ({ typo, dob }) => stranger('clients.alike', { body: { ...names(typo), dob } })],
      ['likeness by NHS number', ({ nhs }) => stranger('clients.alike', { body: { nhs_number: nhs } })],
      ['likeness by telephone', ({ phone }) => stranger('clients.alike', { body: { phone } })],
      ['the box by name', ({ words }) => stranger('clients.find', { body: { term: words } })],
      ['the box by a slip', ({ typo }) => stranger('clients.find', { body: { term: typo } })],
      ['the box by day', ({ dob }) => stranger('clients.find', { body: { term: dob } })],
      ['the box by number', ({ nhs }) => stranger('clients.find', { body: { term: nhs } })],
      ['the box by ID', ({ id }) => stranger('clients.find', { body: { term: String(id) } })],
      ['quick search', ({ words }) => stranger('search.quick', { query: { term: words } })],
      ['the list of clients', ({ words }) => stranger('clients.list', { query: { term: words } })],
      ['the search page', ({ words }) => stranger('search.clients', { body: names(words) })],
      [
        'a question about a number',
        ({ id, typo, dob }) =>
          stranger('clientQuestions.ask', { params: { id }, body: { ...names(typo), dob } }),
      ],
      ['the page of a referral', ({ referral: id }) => adviser('referrals.likely', { params: { id } })],
      ['why a number is visible', ({ id }) => stranger('clients.whyVisible', { params: { id } })],
      ['a comparison', ({ id }) => adviser('merges.compare', { params: { id, other: unknownBirthday } })],
    ]
    await sql`delete from call_count`.execute(context.db)
    for (const [way, call] of ways) {
      const [ofHidden, workOnHidden] = await recordStatements(() => call(hidden))
      const [ofNobody, workOnNobody] = await recordStatements(() => call(nobody))
      expect([way, ofHidden.status, ofHidden.body]).toEqual([way, ofNobody.status, ofNobody.body])
      expect([way, workOnHidden]).toEqual([way, workOnNobody])
    }
    await sql`update clients set nhs_number = null, mobile = null where id = ${known}`.execute(context.db)
    await sql`delete from referral_requests where id in (${hidden.referral}, ${nobody.referral})`.execute(
      context.db,
    )
  })

  it('is found neither by likeness nor by the box', async () => {
    for (const term of [
      'Mary Jones',
      'Jones 1950',
      '3 February 1950',
      '01632 960001',
      `${known}`,
      'marry jnes',
    ])
      expect((await stranger('clients.find', { body: { term } })).body, term).toEqual([])
    expect((await stranger('clients.find', { body: { term: 'mary jones 3/2/1950' } })).body).toEqual([
      expect.objectContaining({ id: known, certainty: 'elsewhere', visible: false, first_name: null }),
    ])
  })
})

describe('the box that finds people', () => {
  it.each([
    ['mary jnoes', 'Jones: with two letters exchanged'],
    ['jones 3 February 1950', 'Same date of birth'],
    ['JONES 3.2.50', 'Same date of birth'],
    ['mary 1950', 'born in 1950'],
    ['jones, molly', 'Molly is a form of Mary'],
    ['xyzzy jones', 'not called Xyzzy'],
  ])('finds a person by %s', async (term, reason) => {
    const { body } = await advocate('clients.find', { body: { term } })
    expect(body[0]).toMatchObject({ first_name: 'Mary', last_name: 'Jones' })
    expect(
      body
        .flatMap((one: Found) => one.reasons)
        .join('; ')
        .toLowerCase(),
    ).toContain(reason.toLowerCase())
  })

  it.each([
    ['mary jnoes', 'likely'],
    ['mray jnoes 3/2/1950', 'likely'],
    ['molly jones', 'likely'],
    ['mary 1950', 'likely'],
    ['mray jnoes', 'less likely'],
    ['mary jnoes 3/2/1905', 'less likely'],
    ['mary jones 1951', 'less likely'],
    ['xyzzy jones 3/2/1950', 'less likely'],
    ['jones', 'possible'],
    ['jon jones', 'possible'],
    ['3/2/1950', 'possible'],
  ])('says how well a person fits %s', async (term, certainty) => {
    const { body } = await advocate('clients.find', { body: { term } })
    expect(body.find(({ id }: Found) => id === known)).toMatchObject({ certainty })
  })

  it('finds a person by a number that may be a year of birth', async () => {
    await sql`insert into clients (id, first_name, last_name, created_by) overriding system value
      values (1987, 'Number', 'Nineteen', ${advocate.id})`.execute(context.db)
    const { body } = await advocate('clients.find', { body: { term: '1987' } })
    await sql`delete from clients where id = 1987`.execute(context.db)
    expect(body).toMatchObject([{ id: 1987, certainty: 'likely', reasons: ['this ID'] }])
  })

  it('finds a person by telephone, postcode and place', async () => {
    await sql`update clients set address = '3 Hazel Court, Bedford', postcode = 'MK40 2AB' where id = ${unknownBirthday}`.execute(
      context.db,
    )
    for (const term of ['01632 960 001', 'mk402ab', 'mary bedford', 'hazel court'])
      expect((await advocate('clients.find', { body: { term } })).body, term).toEqual([
        expect.objectContaining({ id: unknownBirthday }),
      ])
  })
})

describe('a new person of whom somebody is certain', () => {
  it('is entered with the reason, which the history has', async () => {
    const client = { first_name: 'Ida', last_name: 'Twin', dob: '1950-02-03' }
    const { client: id } = await createCase(advocate, 1, { client, new_because: 'A cousin of the same name' })
    const { rows } = await sql<{ changes: unknown }>`select changes from audit
      where action = 'enter as new' and entity = 'client' and record = ${id}`.execute(context.db)
    expect(rows).toEqual([{ changes: { reason: { from: null, to: 'A cousin of the same name' } } }])
  })
})

describe('one NHS number on two records', () => {
  it('is a finding for those who see both', async () => {
    const manager = await context.as('manager')
    const admin = await context.as('admin')
    const add = (who: Caller, last_name: string) =>
      createCase(who, 1, { client: { first_name: 'Nia', last_name, nhs_number: '943 476 5919' } })
    const [own, other] = [await add(advocate, 'Pugh'), await add(stranger, 'Prys')]
    const findings = async (who: Caller) => {
      const { data } = (await who('validation.issues', { query: { page_size: 100 } })).body
      return data
        .filter(({ client }: { client: number }) => [own.client, other.client].includes(client))
        .map(({ client, same_nhs }: Record<string, number>) => [client, same_nhs])
    }
    expect((await findings(admin)).sort()).toEqual(
      [
        [own.client, other.client],
        [other.client, own.client],
      ].sort(),
    )
    await sql`update issues set advocate = case id when ${own.issue} then ${advocate.id}::int else ${stranger.id}::int end
      where id = any(${[own.issue, other.issue]}::int[])`.execute(context.db)
    expect(await findings(manager)).toEqual([])
    // As if both were saved at once.
    await sql`delete from same_nhs_numbers`.execute(context.db)
    await storePairs({ db: context.db })
    expect(await findings(admin)).toHaveLength(2)
    await admin('clients.update', { params: { id: other.client }, body: { nhs_number: null } })
    expect(await findings(admin)).toEqual([])
  })
})

describe('the job that lists likely pairs', () => {
  it('finds pairs among all clients, and forgets those that are alike no more', async () => {
    await storePairs({ db: context.db })
    const admin = await context.as('admin')
    const pairs = async () => (await admin('clients.alikePairs', { query: { page_size: 100 } })).body.data
    expect(await pairs()).toContainEqual(
      expect.objectContaining({
        client: known,
        other: unknownBirthday,
        certainty: 'likely',
        reasons: 'same name',
      }),
    )
    await sql`insert into not_same_person (client, other) values (${known}, ${unknownBirthday})`.execute(
      context.db,
    )
    expect((await pairs()).map(({ client }: Record<string, number>) => client)).not.toContain(known)
    await sql`delete from not_same_person`.execute(context.db)
    await sql`update clients set first_name = 'Zebedee', updated_at = now() where id = ${unknownBirthday}`.execute(
      context.db,
    )
    await storePairs({ db: context.db, since: new Date(Date.now() - 60_000) })
    const clients = (await pairs()).flatMap(({ client, other }: Record<string, number>) => [client, other])
    expect(clients).not.toContain(unknownBirthday)
  })
})
