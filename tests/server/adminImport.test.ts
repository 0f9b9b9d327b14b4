import iconv from 'iconv-lite'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { letterOf } from '../../src/server/records/files/sheetColumns.ts'
import { FULL } from '../full.ts'
import { type Caller, describeServer } from './context.ts'

const context = describeServer()
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
})

type Rows = unknown[][]
const excel = (rows: Rows): Blob => {
  const book = xlsx.utils.book_new()
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'data')
  return new Blob([new Uint8Array(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }))])
}
const send = (type: string, step: 'preview' | 'apply', file: Blob, name = 'list.xlsx') => {
  const body = new FormData()
  body.append('file', file, name)
  return admin.raw(`/api_admin/core/${type}/import/${step}/`, { method: 'POST', body })
}
const table = async () => (await sql`select * from lookup order by kind, value`.execute(context.db)).rows
const exported = async (type: string): Promise<Rows> => {
  const reply = await fetch(`${context.address}/api_admin/core/${type}/list/?format=xlsx`, {
    headers: { authorization: `Token ${admin.key}` },
  })
  const book = xlsx.read(Buffer.from(await reply.arrayBuffer()))
  return xlsx.utils.sheet_to_json(book.Sheets.data, { header: 1 })
}

it('columns have the letters that Excel gives them', () => {
  const indexes = Array.from({ length: 2000 }, (_, index) => index)
  expect(indexes.map(letterOf)).toEqual(indexes.map((index) => xlsx.utils.encode_col(index)))
})

describe('a list as a spreadsheet', () => {
  it.each(['contracts', 'icr', ...(FULL ? ['council_area', 'ethnicity', 'sfg_ooc', 'section_status'] : [])])(
    '%s goes out and comes back unchanged',
    async (type) => {
      const rows = await exported(type)
      const before = await table()
      const { status, body } = await send(type, 'apply', excel(rows))
      expect([status, body.errors, body.counts]).toEqual([
        200,
        [],
        { added: 0, changed: 0, unchanged: rows.length - 1 },
      ])
      expect(await table()).toEqual(before)
    },
  )

  it('says at the cell of a code what is wrong with it', async () => {
    const rows = [
      ['Label', 'Name in automations'],
      ['Ward leads', 'Ward Leads!'],
      ['Other leads', 'safeguarding_leads'],
    ]
    const { body } = await send('staff_groups', 'preview', excel(rows))
    expect(body.errors).toMatchObject([
      { row: 2, column: 'B', message: expect.stringMatching(/must be small letters/) },
      { row: 3, column: 'B', message: "The group 'Safeguarding leads' has this name" },
    ])
  })

  it('is previewed: what would be added, changed and stay, and nothing of it is done', async () => {
    const before = await table()
    const rows = [
      ['ID', 'Label', 'Service', 'Status'],
      [1, 'Medical treatment', 'Independent Mental Capacity Advocacy (IMCA)', 'Active'],
      [2, 'Change of accommodation', 1, null],
      [null, 'Brand new', 'Help Hub', ''],
    ]
    const { status, body } = await send('issue_types', 'preview', excel(rows))
    expect([status, body.counts, body.errors]).toEqual([200, { added: 1, changed: 1, unchanged: 1 }, []])
    expect(body.rows[0]).toMatchObject({
      row: 2,
      id: 1,
      state: 'changed',
      changes: [{ label: 'Label', from: 'Serious medical treatment', to: 'Medical treatment' }],
    })
    expect(body.rows[2]).toMatchObject({ row: 4, state: 'added', label: 'Brand new' })
    expect(await table()).toEqual(before)
    const { body: done } = await send('issue_types', 'apply', excel(rows))
    expect(done.counts).toEqual(body.counts)
    const { rows: found } = await sql`select label, attrs, active from lookup
      where kind = 'issue_types' and value in (1, 2, 54) order by value`.execute(context.db)
    expect(found).toEqual([
      { label: 'Medical treatment', attrs: { service: 1 }, active: true },
      { label: 'Change of accommodation', attrs: { service: 1 }, active: true },
      { label: 'Brand new', attrs: { service: 12 }, active: true },
    ])
  })

  it('with mistakes loses nothing, and names each by row and column', async () => {
    const before = await table()
    const rows = [
      ['ID', 'Label', 'Service', 'Status'],
      [null, 'Good', 'Help Hub', 'Active'],
      [999, 'No such', '', ''],
      [3, '', '', ''],
      [4, 'Other', 'Nobody knows it', 'Perhaps'],
      [4, 'Again', '', ''],
      [4, 'Twice', '', ''],
      ['x', 'Letters', '', ''],
    ]
    const { status, body } = await send('issue_types', 'apply', excel(rows))
    expect([status, body.code]).toEqual([400, 'badSheet'])
    expect(body.errors).toEqual([
      { row: 3, column: 'A', message: 'there is no ID 999' },
      { row: 4, column: 'B', message: 'Enter label' },
      { row: 5, column: 'C', message: "Service: there is no choice 'Nobody knows it'" },
      { row: 5, column: 'D', message: "Status: there is no choice 'Perhaps'" },
      { row: 7, column: 'A', message: 'ID 4 is there twice' },
      { row: 8, column: 'A', message: 'ID must be a whole number' },
    ])
    expect(await table()).toEqual(before)
    const { body: heads } = await send('issue_types', 'preview', excel([['Lable', 'Service', 'service']]))
    expect(heads.errors.map((e: { row: number; column: string }) => [e.row, e.column])).toEqual([
      [1, 'A'],
      [1, 'C'],
    ])
    expect(heads.errors[0].message).toContain("did you mean 'Label'")
  })

  it('reports duplicate rows by their place in the sheet, and an existing item by its ID', async () => {
    const label = String((await exported('gender')).find(([id]) => id === 2)![1])
    const added = ['Quite new', 'quite new', label].map((text) => [null, text])
    const rows = [['ID', 'Label'], ...added, [1, 'Renamed'], [null, 'Renamed']]
    const { body } = await send('gender', 'preview', excel(rows))
    expect(body.errors).toEqual([
      { row: 3, column: 'B', message: 'Row 2 of this sheet is the same' },
      { row: 4, column: 'B', message: 'There is already one like this: ID 2' },
      { row: 6, column: 'B', message: 'Row 5 of this sheet is the same' },
    ])
  })

  it('may be a CSV file, of UTF-8 or of an old program', async () => {
    const csv = 'Label\r\nZoë’s own\r\n"With, comma"\r\n\'=1+1\r\n'
    const { body } = await send('hos', 'preview', new Blob([csv]), 'list.csv')
    expect(body.rows.map((r: { label: string }) => r.label)).toEqual(['Zoë’s own', 'With, comma', '=1+1'])
    const latin = new Blob([Buffer.from('Label\nZo\xeb\n', 'latin1')])
    expect((await send('hos', 'preview', latin, 'old.csv')).body.rows[0].label).toBe('Zoë')
    const long = new Blob([`Label\n${'x'.repeat(5_000_001)}\n`])
    const tooLong = await send('hos', 'preview', long, 'long.csv')
    expect([tooLong.status, tooLong.body.message]).toEqual([413, 'A sheet has at most 5,000,000 characters'])
  })

  it('is refused if it is not one, is too long, or is for files', async () => {
    expect((await send('hos', 'preview', new Blob(['no zip']))).status).toBe(400)
    expect((await send('file', 'preview', excel([['Label']]))).status).toBe(400)
    const long = new Blob([`Label\n${Array.from({ length: 2500 }, (_, i) => `Item ${i}`).join('\n')}`])
    expect((await send('hos', 'preview', long, 'long.csv')).status).toBe(413)
    expect((await admin.raw('/api_admin/core/hos/import/preview/', { method: 'POST' })).status).toBe(415)
  })
})

describe('a list as a CSV file', () => {
  const preview = (text: string, encoding: string) =>
    send('issue_types', 'preview', new Blob([new Uint8Array(iconv.encode(text, encoding))]), 'list.csv')

  it.each(['utf-8', 'utf-16le', 'windows-1252', 'macintosh'])('in %s keeps its letters', async (encoding) => {
    const mark = encoding === 'utf-16le' ? '\uFEFF' : ''
    const { body } = await preview(`${mark}Label,Service\nCarer’s café,Help Hub`, encoding)
    expect([body.errors, body.rows?.map((row: { label: string }) => row.label)]).toEqual([
      [],
      ['Carer’s café'],
    ])
  })

  it('says how to save it where its letters are not clear, and which cell holds none', async () => {
    const unclear = await preview('Label,Service\nGarcía,Help Hub', 'macintosh')
    expect([unclear.status, unclear.body.message]).toEqual([
      400,
      "The file does not say how its letters are stored: a word of it may be 'Garc’a' or 'García'. In Excel choose 'Save As', then 'CSV UTF-8 (Comma delimited)'",
    ])
    const control = await preview('Label,Service\nO\u0092Brien,Help Hub', 'utf-8')
    expect([control.status, control.body.message]).toEqual([
      400,
      'Cell A2 holds a control character: type it again',
    ])
  })
})
