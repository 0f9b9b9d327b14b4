import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeKey, nameKey, phoneKey, searchWords, textKey } from '../../src/contract/compareKey.ts'
import { clientsOfName } from '../../src/server/records/query/query.ts'
import { random, SPELT_NAMES, SPELT_PHONES, SPELT_POSTCODES } from '../contract/spellings.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
})

/** Ranges of code points with letters, marks, blanks and invisible characters. */
const RANGES = [
  [0x01, 0x17f],
  [0x180, 0x24f],
  [0x2b0, 0x36f],
  [0x370, 0x58f],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x3000, 0x3164],
  [0xac00, 0xac20],
  [0xfe00, 0xffff],
  [0x1f600, 0x1f610],
]
const PIECES = ['+44', '0044', '(0)', '01632', ' 960001', 'ext 5', 'CB7', '4ae', 'van der ', "O'", 'ß', 'Σας']

function textsOf(count: number): string[] {
  const next = random(7)
  const piece = () => {
    if (next() < 0.3) return PIECES[Math.floor(next() * PIECES.length)]
    const [from, to] = RANGES[Math.floor(next() * RANGES.length)]
    return String.fromCodePoint(from + Math.floor(next() * (to - from)))
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(next() * 8) }, piece).join(''),
  )
}

describe('the database and the browser', () => {
  it('make the same keys of every text', async () => {
    const texts = [...textsOf(8000), ...PIECES, '', ' ', ...SPELT_PHONES.flatMap(([, all]) => all)]
    const rows: Record<'text' | 't' | 'n' | 'p' | 'c', string>[] = []
    // A statement of all would take longer than the server allows on a slow machine.
    for (let i = 0; i < texts.length; i += 200) {
      const some = JSON.stringify(texts.slice(i, i + 200))
      const made = await sql<(typeof rows)[0]>`
        select text, text_key(text) as t, name_key(text, text) as n, coalesce(phone_key(text), '') as p,
          coalesce(code_key(text), '') as c
        from jsonb_array_elements_text(${some}::jsonb) text`.execute(context.db)
      rows.push(...made.rows)
    }
    const wrong = rows.filter(
      ({ text, t, n, p, c }) =>
        t !== textKey(text) || n !== nameKey(text, text) || p !== phoneKey(text) || c !== codeKey(text),
    )
    expect(
      wrong.slice(0, 5).map((row) => ({ ...row, key: textKey(row.text), phone: phoneKey(row.text) })),
    ).toEqual([])
    expect(rows.length).toBe(texts.length)
  })
})

/** A call without the limit of searches a minute. */
const unlimited = async (...args: Parameters<Caller>) => {
  await sql`delete from call_count`.execute(context.db)
  return admin(...args)
}
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

describe('a person', () => {
  it.each(SPELT_NAMES)('is found by every spelling of $first $last', async ({ first, last, terms }) => {
    const { client } = await createCase(admin, 1, { client: { first_name: first, last_name: last } })
    for (const term of terms) {
      const { rows } = await clientsOfName(searchWords(term)).execute(context.db)
      expect(idsOf(rows as { id: number }[]), JSON.stringify(term)).toContain(client)
    }
    for (const term of terms.filter((_, i) => i % 20 === 0)) {
      const quick = await unlimited('search.quick', { query: { term } })
      expect(idsOf(quick.body), `quick search: ${JSON.stringify(term)}`).toContain(client)
      const listed = await unlimited('clients.list', { query: { term, page_size: 100 } })
      expect(idsOf(listed.body.data), `list: ${JSON.stringify(term)}`).toContain(client)
      const searched = await unlimited('search.clients', { body: { term }, query: { page_size: 100 } })
      expect(idsOf(searched.body.data), `search: ${JSON.stringify(term)}`).toContain(client)
    }
  })

  it('is found by the name that they are known as', async () => {
    const client = { first_name: 'Philippa', last_name: 'Quennell', known_as: 'Pip-Squeak' }
    const { client: id } = await createCase(admin, 1, { client })
    for (const term of ['Quennell, Pip', 'pipsqueak', 'Pip Squeak'])
      for (const found of [
        (await unlimited('search.quick', { query: { term } })).body,
        (await unlimited('clients.list', { query: { term } })).body.data,
      ])
        expect(idsOf(found), term).toEqual([id])
  })
})

describe('a number or postcode', () => {
  it.each(SPELT_PHONES)('is found by every spelling of %s', async (phone, spellings) => {
    const { client } = await createCase(admin, 1, {
      client: { first_name: 'Tel', last_name: 'Ephone', phone },
    })
    // The contract's tests compare the keys of all spellings; here each call has a part of them.
    for (const text of spellings.filter((_, i) => i % 5 === 0)) {
      const quick = await unlimited('search.quick', { query: { term: text } })
      expect(idsOf(quick.body), `quick search: ${JSON.stringify(text)}`).toContain(client)
      const searched = await unlimited('search.clients', { body: { phone: text }, query: { page_size: 100 } })
      expect(idsOf(searched.body.data), `search: ${JSON.stringify(text)}`).toContain(client)
    }
  })

  it.each(SPELT_POSTCODES)('is found by every spelling of %s', async (postcode, spellings) => {
    const client = { first_name: 'Post', last_name: 'Code', postcode: spellings.at(-1) }
    const { client: id, issue } = await createCase(admin, 1, { client })
    const { body } = await admin('clients.read', { params: { id } })
    expect(body.postcode).toBe(postcode)
    // The contract's tests compare the keys of all spellings; here each call has a part of them.
    for (const text of spellings.filter((_, i) => i % 5 === 0)) {
      const quick = await unlimited('search.quick', { query: { term: text } })
      expect(idsOf(quick.body), `quick search: ${JSON.stringify(text)}`).toContain(id)
      const listed = await unlimited('clients.list', { query: { postcode: text, page_size: 100 } })
      expect(idsOf(listed.body.data), `list: ${JSON.stringify(text)}`).toContain(id)
      const issues = await unlimited('issues.open', { query: { postcode: text, page_size: 100 } })
      expect(idsOf(issues.body.data), `issues: ${JSON.stringify(text)}`).toContain(issue)
    }
  })
})

describe('lists of people', () => {
  it('are sorted by name without regard to case, accents and marks', async () => {
    const surnames = ['Zebra', 'van der Berg', 'ap Rhys', 'Élan', "O'Toole", 'OToole-Ash']
    for (const last of surnames)
      await createCase(admin, 1, { client: { first_name: 'Sortable', last_name: last } })
    const right = [
      'Sortable ap Rhys',
      'Sortable Élan',
      "Sortable O'Toole",
      'Sortable OToole-Ash',
      'Sortable van der Berg',
      'Sortable Zebra',
    ]
    const names = async (call: 'clients.list' | 'issues.open', query: object, field: string) =>
      (await unlimited(call, { query: { page_size: 50, ...query } })).body.data.map(
        (row: Record<string, string>) => row[field],
      )
    const clients = { term: 'sortable', order_by: 'last_name' }
    expect(await names('clients.list', clients, 'name')).toEqual(right)
    expect(await names('clients.list', { ...clients, sort_order: 'desc' }, 'name')).toEqual(
      right.toReversed(),
    )
    expect(
      await names('issues.open', { client: 'sortable', order_by: 'client_name' }, 'client_name'),
    ).toEqual(right)
  })

  it('are sorted by its key wherever a view makes the name of a person', async () => {
    const { rows } = await sql<{
      view: string
      column: string
    }>`select table_name as view, column_name as column
      from information_schema.columns where table_schema = 'public'`.execute(context.db)
    const columns = new Set(rows.map(({ view, column }) => `${view}.${column}`))
    // A single record is not sorted.
    const listed = Object.values(context.contract.entities).filter(({ $id }) => $id !== 'leave')
    const missing = listed.flatMap((entity) => {
      const view = entity.view ?? entity.table ?? ''
      return Object.entries(entity.properties).flatMap(([name, { sortBy, type, computed }]) => {
        if (view && sortBy) return columns.has(`${view}.${sortBy}`) ? [] : `${view} has no column ${sortBy}`
        // A computed one depends on the reader, who cannot sort by it.
        return type === 'array' || computed || !namesMadeBy(view).includes(name)
          ? []
          : `${entity.$id}.${name} has no sortBy`
      })
    })
    expect(missing).toEqual([])
    expect(namesMadeBy('risk_record')).toEqual(['created_by_name'])
  })

  it('can be sorted by every column of a name', async () => {
    for (const [name, endpoint] of Object.entries(context.contract.endpoints)) {
      const entity = /^list /.test(endpoint.does) && context.contract.entities[endpoint.does.slice(5)]
      if (!entity || endpoint.call.includes('{') || !endpoint.query?.includes('sorted')) continue
      for (const [field, { sortBy }] of Object.entries(entity.properties)) {
        if (!sortBy) continue
        const { status, body } = await unlimited(name, { query: { order_by: field } })
        expect(status, `${name} by ${field}: ${JSON.stringify(body).slice(0, 200)}`).not.toBe(500)
      }
    }
  })
})

/** The columns of a view that are made of a first and a last name. */
function namesMadeBy(view: string): string[] {
  const file = `src/server/ops/views/${view}.sql`
  if (!existsSync(file)) return []
  const made = readFileSync(file, 'utf8')
    .replaceAll(/\s+/g, ' ')
    .split(/ as (?=\w+)/)
  return made.slice(0, -1).flatMap((sql, i) => {
    // What stands before an alias, from the column before it on.
    const isName =
      /(?<!\|\| (trim\()?(\w\.)?)first_name'?( \|\||,)[^;]*last_name'?\)*(, ''\)|, 'The system'\)| end)*$/.test(
        sql,
      )
    return isName ? made[i + 1].match(/^\w+/)![0] : []
  })
}
