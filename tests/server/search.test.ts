import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const NAMES = [
  ['Agnieszka', 'Zielińska'],
  ['Minh', 'Nguyễn'],
  ['Łukasz', 'Żółć'],
  ['Jürgen', 'Weiß'],
  ['Bjørn', 'Ærøskøbing'],
  ['Đorđe', 'Ştefănescu'],
  ['Þóra', 'Œuvrard'],
  ['Iğdır', 'İnci'],
  ['Mary', 'Jones'],
  ['Joan', 'Smith'],
  ['Marjorie', "O'Hara-Lee"],
] as const

const context = describeServer()
let admin: Caller
const ids: Record<string, number> = {}
beforeAll(async () => {
  admin = await context.as('admin')
  for (const [first_name, last_name] of NAMES) {
    const { client } = await createCase(admin, 1, { client: { first_name, last_name } })
    ids[last_name] = client
  }
})

const quick = async (term: string, who = admin): Promise<number[]> =>
  (await who('search.quick', { query: { term } })).body.map((c: { id: number }) => c.id)
const list = async (term: string): Promise<number[]> =>
  (await admin('clients.list', { query: { term } })).body.data.map((c: { id: number }) => c.id)

describe('a number', () => {
  const numbered = async (number: number, who = admin) =>
    (await who('search.numbered', { query: { number } })).body.map((found: { kind: string }) => found.kind)

  it('finds the case and the issue that the person may see, for every role', async () => {
    const { id, issue } = await createCase(admin, 1, {})
    for (const { demo } of context.contract.roles.roles) {
      const who = await context.as(demo)
      for (const number of [id, issue]) {
        const status = async (call: string) => (await who(call, { params: { id: number } })).status
        const readable = [
          ...((await status('cases.read')) === 200 ? ['case'] : []),
          ...((await status('issues.read')) === 200 ? ['issue'] : []),
        ]
        expect(await numbered(number, who), demo).toEqual(readable)
      }
    }
    expect(await numbered(999_999_999)).toEqual([])
  })
})

describe('a name with letters that are not on the keyboard', () => {
  it.each([
    ['zielinska', 'Zielińska'],
    ['Zielińska', 'Zielińska'],
    ['ZIELIŃSKA', 'Zielińska'],
    ['Zielin\u0301ska', 'Zielińska'],
    ['nguyen', 'Nguyễn'],
    ['Nguyễn', 'Nguyễn'],
    ['lukasz zolc', 'Żółć'],
    ['weiss', 'Weiß'],
    ['Weiß', 'Weiß'],
    ['bjorn aeroskobing', 'Ærøskøbing'],
    ['dorde stefanescu', 'Ştefănescu'],
    ['thora oeuvrard', 'Œuvrard'],
    ['igdir inci', 'İnci'],
    ['ohara', "O'Hara-Lee"],
    ['O’Hara-Lee', "O'Hara-Lee"],
  ])('is found by %s', async (term, name) => {
    expect(await quick(term)).toEqual([ids[name]])
    expect(await list(term)).toEqual([ids[name]])
    const { body } = await admin('cases.list', { query: { client: term } })
    expect(Object.values(body.data)).toMatchObject([{ client: ids[name] }])
  })

  it('counts as the same name for the warning about people who are known', async () => {
    const { body } = await admin('clients.alike', {
      body: { first_name: 'Minh', last_name: 'Nguyen' },
    })
    expect(body).toMatchObject([{ id: ids.Nguyễn }])
  })
})

describe('a quick search', () => {
  it('finds by one or two letters where a word begins, of the last name too', async () => {
    expect((await quick('jo')).sort()).toEqual([ids.Jones, ids.Smith].sort())
    expect(await quick('Jö')).toEqual(await quick('jo'))
    expect(await quick("o'h")).toEqual([ids["O'Hara-Lee"]])
    expect((await quick('z')).sort()).toEqual([ids.Zielińska, ids.Żółć].sort())
  })

  it('has those first whose names begin so', async () => {
    const { rows } = await sql<{ id: number }>`insert into clients (first_name, last_name)
      values ('Yasmin', 'Abbott'), ('Winifred', 'Sminth') returning id`.execute(context.db)
    const [within, begun] = rows.map(({ id }) => id)
    expect(await quick('smin')).toEqual([begun, within])
    await sql`delete from clients where id = any(${[within, begun]}::int[])`.execute(context.db)
  })

  it('finds by three letters within a word', async () => {
    expect(await quick('arj')).toEqual([ids["O'Hara-Lee"]])
    expect(await quick('one')).toEqual([ids.Jones])
  })

  it.each(['-', "'", '%', '_', '\\', '...', '\u0301'])('for %j finds nobody', async (term) => {
    expect(await quick(term)).toEqual([])
  })

  it('finds by words in any order, and by numbers, a date and a postcode as people write them', async () => {
    const { client } = await createCase(admin, 1, {
      client: {
        first_name: 'Perpetua',
        last_name: 'Quillfeather',
        dob: '1950-06-04',
        nhs_number: '943 476 5919',
        phone: '01632 960182',
        postcode: 'SG1 3XY',
      },
    })
    const terms = ['quill perp', 'Quillfeather, Perpetua', '4/6/1950', '04.06.1950', '1950-06-04']
    for (const term of [...terms, '943-476-5919', '9434765919', '01632 960 182', 'sg13xy', 'SG1 3'])
      expect(await quick(term), term).toEqual([client])
  })

  it('keeps to the scope of the person', async () => {
    const stranger = await context.as('stranger')
    for (const term of ['z', 'jo', 'ziel']) expect(await quick(term, stranger)).toEqual([])
  })

  it('has an index for one letter as for many', async () => {
    for (const term of ['z', 'zi', 'ziel']) {
      const { rows } = await context.db.transaction().execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx)
        return sql<{ 'QUERY PLAN': string }>`explain select id from clients c
          where c.search like searchable(${term}) || '%' or c.search like '% ' || searchable(${term}) || '%'`.execute(
          tx,
        )
      })
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('Bitmap Index Scan on clients_search')
      expect(plan).not.toContain('Seq Scan')
    }
  })
})

describe('the list of clients', () => {
  it('is searched by one or two letters where a name begins, and so is any list by its client', async () => {
    expect(await list('jo')).toEqual([ids.Smith, ids.Jones])
    expect(await list('hn')).toEqual([])
    const { body } = await admin('cases.active', { query: { term: 'jo ma' } })
    expect(body.data.map(({ client }: { client: number }) => client)).toEqual([ids.Jones])
  })
  it('finds the cases and actions of clients off indexes alone, through their views', async () => {
    for (const [view, index] of [
      ['case_rows', 'cases_client'],
      ['action_record', 'actions_client'],
    ]) {
      const { rows } = await context.db.transaction().execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx)
        await sql`set local enable_bitmapscan = off`.execute(tx)
        return sql<{ 'QUERY PLAN': string }>`explain select r.id from ${sql.table(view)} r
          where r.client = any(array(select id from clients where search like 'smi%'))`.execute(tx)
      })
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain(`Index Only Scan using ${index}`)
    }
  })
  it('is searched by number too', async () => {
    expect(await list(String(ids.Jones))).toEqual([ids.Jones])
  })
})

it('writes down who searched for what', async () => {
  await admin('search.quick', { query: { term: 'Zielinska' } })
  const { rows } = await sql<{ staff: number; term: string }>`
    select staff, changes #>> '{term,to}' as term from audit where action = 'search' order by id desc limit 1`.execute(
    context.db,
  )
  expect(rows).toEqual([{ staff: admin.id, term: 'Zielinska' }])
})

describe('the titles of pages that were opened before', () => {
  const titles = async (addresses: string[], who = admin) =>
    (await who('search.recent', { query: { addresses: addresses.join(',') } })).body
  const opened = (db: typeof context.db) =>
    sql<{ n: number }>`select count(*)::int as n from audit where action = 'open'`.execute(db)

  it('are those that the person may see, in the order of the addresses, and count as no opening', async () => {
    const { id, client, issue } = await createCase(admin, 1, {
      client: { first_name: 'Una', last_name: 'Titled' },
    })
    const addresses = [`/cases/${id}`, `/clients/${client}`, `/cases/${id}/issues/${issue}`]
    const before = (await opened(context.db)).rows
    expect(await titles(addresses)).toMatchObject([
      { address: addresses[0], values: { id, client_name: 'Una Titled' } },
      { address: addresses[1], values: { first_name: 'Una', last_name: 'Titled' } },
      { address: addresses[2], values: { id: issue } },
    ])
    expect((await opened(context.db)).rows).toEqual(before)
    expect(await titles(addresses, await context.as('hub'))).toEqual([])
  })

  it('are left out of addresses that are not a page of a record, and of more than a browser stores', async () => {
    const [client] = Object.values(ids)
    const wrong = [
      '',
      '/',
      '/clients',
      '/clients/x',
      '/clients/0',
      '/clients/99999999999',
      '/profile',
      "/clients/1'",
    ]
    expect(await titles(wrong)).toEqual([])
    expect(await titles(Array(12).fill(`/clients/${client}`))).toHaveLength(10)
    expect(await titles([`/advocate/${admin.id}`], await context.as('advocate'))).toEqual([])
    expect(await titles([`/advocate/${admin.id}`])).toMatchObject([{ values: { name: 'admin Example' } }])
  })
})
