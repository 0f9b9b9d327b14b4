import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { dateCell, goodRows, type Rows, send, workbook } from './bulkFiles.ts'
import { bulkUploads, type GoodRows, type Upload } from './bulkUploads.ts'
import { type Caller, describeServer } from './context.ts'

const context = describeServer()
let hub: Caller
let good: GoodRows
beforeAll(async () => {
  hub = await context.as('hub')
  good = await goodRows(hub, context.address)
})

const { read, settled, check, apply, errorsOf } = bulkUploads(() => ({ context, hub, good }))

describe('wrong rows', () => {
  it('are corrected all at once where they have the same mistake', async () => {
    const upload = await check([
      good.row('Ned', 'Wrong', { Contract: 'Hearts' }),
      good.row('Oda', 'Wrong', { Contract: 'Hearts' }),
      good.row('Pia', 'Wrong', { Contract: 'Spades' }),
    ])
    const right = good.row('', '')[good.headings.indexOf('Contract')]
    const column = good.headings.indexOf('Contract')
    const correct = (body: object) =>
      hub('bulk.correct', { params: { upload: upload.id }, body: { column, ...body } })
    expect((await correct({ value: 'Clubs', to: right })).status).toBe(400)
    expect((await correct({ value: 'Hearts', to: right })).status).toBe(200)
    const corrected = await settled(upload.id)
    expect([corrected.ready, corrected.wrong]).toEqual([2, 1])
  })

  it('ask for the value of a column among its choices, and refuse another one at once', async () => {
    const upload = await check([good.row('Uma', 'Wrong', { Contract: 'Hearts' })])
    const { body } = await hub('bulk.errorGroups', { params: { id: upload.id } })
    const { column_index: column, target } = body.data[0]
    const params = { upload: upload.id, target }
    const { body: form } = await hub('bulk.correctionForm', { params })
    const right = good.row('', '')[good.headings.indexOf('Contract')]
    expect([form.name, form.fields[0].type]).toEqual(['Contract', 'select'])
    expect(form.fields[0].attrs.options).toContainEqual({ value: right, label: right })
    const correct = (to: unknown) =>
      hub('bulk.correct', { params: { upload: upload.id }, body: { column, value: 'Hearts', to } })
    expect((await correct('Spades')).body).toEqual({ to: ["Contract: there is no choice 'Spades'"] })
    expect((await correct(right)).status).toBe(200)
    expect((await settled(upload.id)).ready).toBe(1)
    expect((await hub('bulk.correctionForm', { params: { ...params, target: 'case.id' } })).status).toBe(400)
  })

  it('of a column that the file does not have say so, and get it with one value for all', async () => {
    const at = good.headings.indexOf('Contract')
    const without = (row: unknown[]) => row.filter((_, i) => i !== at)
    const rows = [good.row('Vic', 'Missing'), good.row('Wes', 'Missing')]
    const upload = await check(rows.map(without), without(good.headings) as string[])
    expect([upload.ready, upload.wrong, upload.all_wrong]).toEqual([0, 2, true])
    const { body } = await hub('bulk.errorGroups', { params: { id: upload.id } })
    expect(body.data).toMatchObject([
      { message: "The file has no column 'Contract'", rows: 2, column: null, target: 'case.contract' },
    ])
    const set = () =>
      hub('bulk.correct', {
        params: { upload: upload.id },
        body: { target: 'case.contract', to: rows[0][at] },
      })
    expect((await set()).status).toBe(200)
    const corrected = await settled(upload.id)
    expect([corrected.ready, corrected.wrong, corrected.all_wrong]).toEqual([2, 0, false])
    expect((await set()).body).toEqual({ target: ['The file has this column already'] })
    expect((await apply(upload.id)).added).toBe(2)
  })

  it('come back as a file with as many rows as the screen says, and corrected take the place of the old ones', async () => {
    const upload = await check([
      good.row('Quin', 'Right'),
      good.row('', 'Nameless', { 'Date of birth': dateCell(25569) }),
      good.row('Ron', 'Wrong', { 'Date of birth': 'soon' }),
    ])
    const reply = await fetch(`${context.address}/api/bulk/${upload.id}/file`, {
      headers: { authorization: `Token ${hub.key}`, accept: 'application/json' },
    })
    const book = xlsx.read(Buffer.from(await reply.arrayBuffer()))
    const rows: Rows = xlsx.utils.sheet_to_json(book.Sheets.data, { header: 1, defval: null })
    expect(rows.length - 1).toBe(upload.wrong)
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['What is wrong', 'Row of the uploaded file'],
      ['Enter first name', 3],
      ['Date of birth must be a date such as 4/6/2026 or 2026-06-04', 4],
    ])
    const dob = rows[0].indexOf('Date of birth')
    expect(rows[1][dob]).toBe('01/01/1970')
    rows[1][rows[0].indexOf('First name')] = 'Sue'
    rows[2][dob] = '2/3/1981'
    const path = `/api/bulk/${upload.id}/corrected`
    const { body } = await send(hub, workbook(rows), { path })
    const corrected = await settled(body.data[0].id)
    expect([corrected.state, corrected.ready, corrected.replaces]).toEqual(['ready', 2, upload.id])
    expect(await read(upload.id)).toMatchObject({
      wrong: 0,
      left_out: 2,
      ready: 1,
      replaced_by: corrected.id,
    })
  })
})

describe('a file that cannot be taken', () => {
  const refused = async (content: BlobPart, name: string) => {
    const { status, body } = await send(hub, content, { name, case_type: '1', check: 'true' })
    return [status, body.file?.[0] ?? body.message]
  }
  const failing = async (content: BlobPart) => {
    const { body } = await send(hub, content, { case_type: '1', check: 'true' })
    const { state, problem } = await settled(body.data[0].id)
    return [state, problem]
  }

  it('is refused at once in a sentence where its name or content says so', async () => {
    const sheet = workbook([['First name'], ['Ann']])
    expect(await refused('', 'cases.xlsx')).toEqual([400, 'The file is empty'])
    expect(await refused('%PDF-1.7', 'cases.xlsx')).toEqual([
      400,
      'The file is not an Excel workbook, although its name ends in .xlsx',
    ])
    expect(await refused(sheet, 'cases.xlsm')).toEqual([
      400,
      'A workbook with macros cannot be uploaded: save it as an .xlsx workbook without them',
    ])
    expect(await refused(sheet, 'cases.pdf')).toEqual([400, 'The file must be an .xlsx or .csv file'])
    expect(await refused(sheet, 'cases.csv')).toEqual([400, 'The file is not text, as a .csv file must be'])
    expect(await refused(new Uint8Array(26 * 1024 * 1024), 'cases.xlsx')).toEqual([
      413,
      'Uploaded file is too large',
    ])
    const { status } = await hub.raw('/api/bulk/upload', { method: 'POST', body: new FormData() })
    expect(status).toBe(400)
  })

  it('fails in a sentence where it was opened', async () => {
    const merged = workbook(
      [
        ['First name', ''],
        ['Ann', 'B'],
      ],
      ({ Sheets }) => {
        Sheets.data['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 1 } }]
      },
    )
    const sheets = workbook([['First name']], (book) => {
      book.SheetNames[0] = 'one'
      book.Sheets.one = book.Sheets.data
      for (let i = 2; i <= 30; i++)
        xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([[i]]), `s${i}`)
    })
    const macros = xlsx.CFB.read(Buffer.from(workbook([['First name'], ['Ann']])), { type: 'buffer' })
    xlsx.CFB.utils.cfb_add(macros, '/xl/vbaProject.bin', Buffer.from('x'))
    const withMacros = new Uint8Array(xlsx.CFB.write(macros, { type: 'buffer', fileType: 'zip' }) as Buffer)
    const tooMany = workbook([['First name'], ...Array.from({ length: 10_001 }, (_, i) => [`A${i}`])])
    expect(await failing(merged)).toEqual([
      'failed',
      'Headings are merged: each column needs a heading of its own in row 1',
    ])
    expect(await failing(sheets)).toEqual([
      'failed',
      "The file has 30 sheets: call the one with the cases 'data', or delete the others",
    ])
    expect(await failing(withMacros)).toEqual([
      'failed',
      'The file holds macros: save it as an .xlsx workbook without them',
    ])
    expect(await failing(tooMany)).toEqual([
      'failed',
      'A file has at most 10,000 rows: split it into several',
    ])
    expect(
      await failing(
        workbook([
          ['Name', 'name'],
          ['a', 'b'],
        ]),
      ),
    ).toEqual(['failed', "Columns A and B have the same heading 'name': give each its own"])
    expect(await failing(workbook([['Name']]))).toEqual([
      'failed',
      'The file has headings, but no rows below them',
    ])
    expect(await failing(workbook([[]]))).toEqual(['failed', 'The file is empty'])
    expect(await failing(bomb())).toEqual([
      'failed',
      'The file is too large to be read: split it into several',
    ])
    const wide = workbook([
      Array.from({ length: 301 }, (_, i) => `h${i}`),
      Array.from({ length: 301 }, () => 1),
    ])
    expect(await failing(wide)).toEqual(['failed', 'A file has at most 300 columns'])
  })

  it('reports formulas, errors and values of wrong types as errors of their rows', async () => {
    const book = workbook(
      [good.headings, good.row('Jan', 'Formula'), good.row('Kay', 'Error')],
      ({ Sheets }) => {
        const at = (heading: string, r: number) =>
          xlsx.utils.encode_cell({ r, c: good.headings.indexOf(heading) })
        Sheets.data[at('Last name', 1)] = { t: 's', f: 'A1&A2', v: 'x' }
        Sheets.data[at('Last name', 2)] = { t: 'e', v: 42 }
        Sheets.data[at('Date of birth', 2)] = { t: 'b', v: true }
      },
    )
    const { body } = await send(hub, book, { case_type: '1', check: 'true' })
    await settled(body.data[0].id)
    const column = (heading: string) => xlsx.utils.encode_col(good.headings.indexOf(heading))
    expect((await errorsOf(body.data[0].id)).map((e: Upload) => e.slice(0, 4))).toEqual(
      expect.arrayContaining([
        [2, column('Last name'), '=A1&A2', 'Last name holds a formula: put its value there instead'],
        [3, column('Last name'), '#N/A', 'Last name holds an error of the spreadsheet'],
        [3, column('Date of birth'), 'true', 'Date of birth must be a date such as 4/6/2026 or 2026-06-04'],
      ]),
    )
  })
})

/** A workbook whose table of contents says that it unpacks to far more than it is. */
function bomb(): Uint8Array<ArrayBuffer> {
  const zip = xlsx.CFB.read(Buffer.from(workbook([['First name'], ['Ann']])), { type: 'buffer' })
  xlsx.CFB.utils.cfb_add(zip, '/xl/worksheets/sheet9.xml', Buffer.alloc(130 * 1024 * 1024))
  return new Uint8Array(xlsx.CFB.write(zip, { type: 'buffer', fileType: 'zip', compression: true }) as Buffer)
}
