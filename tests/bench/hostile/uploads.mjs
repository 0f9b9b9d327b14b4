import { randomBytes } from 'node:crypto'
import { CFB } from 'xlsx'

/** Bytes of a file, a little below the server's limit of 10 MB. */
const SIZE = 10_000_000
/** Cells of the widest sheet that may be imported, and more rows than it may have. */
const [COLUMNS, ROWS] = [100, 10_000]

const cells = (columns) => Array.from({ length: columns }, (_, i) => (i === 0 ? 'label' : `c${i}`)).join(',')
const lines = (count, line) => `${cells(COLUMNS)}\n${`${line}\n`.repeat(count)}`
const fit = (line) => Math.floor(SIZE / (line.length + 1)) - COLUMNS

/** An .xlsx file whose first sheet has this XML as its rows. */
function workbook(rows) {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packages = 'http://schemas.openxmlformats.org/package/2006'
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  }
  const zip = CFB.utils.cfb_new()
  for (const [name, text] of Object.entries(parts)) CFB.utils.cfb_add(zip, `/${name}`, Buffer.from(text))
  return CFB.write(zip, { fileType: 'zip', compression: true, type: 'buffer' })
}
const cell = (text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const row = (count) => `<row>${cell('x').repeat(count)}</row>`

/** Hostile files by what they are: [name, content]. Each is made when it is sent, because together they are large. */
export const FILES = {
  'random bytes': () => ['a.pdf', randomBytes(SIZE)],
  'zeros named as a workbook': () => ['a.xlsx', Buffer.alloc(SIZE)],
  'a workbook of the most rows and columns': () => ['a.xlsx', workbook(row(COLUMNS).repeat(2000))],
  'a workbook of 10,000 rows': () => ['a.xlsx', workbook(row(10).repeat(ROWS))],
  'a workbook of 16,000 columns': () => ['a.xlsx', workbook(row(16_000).repeat(20))],
  'a workbook that unpacks to 49 MB': () => [
    'a.xlsx',
    workbook(`<row>${cell('x'.repeat(49_000_000))}</row>`),
  ],
  'a workbook that unpacks to 200 MB': () => ['a.xlsx', workbook(' '.repeat(200_000_000))],
  'CSV of the most rows and columns': () => ['a.csv', lines(2000, 'x,'.repeat(COLUMNS - 1))],
  'CSV of 10,000 rows': () => ['a.csv', lines(ROWS, 'x,y,z')],
  'CSV of one line': () => ['a.csv', 'x'.repeat(SIZE)],
  'CSV of commas': () => ['a.csv', ','.repeat(SIZE)],
  'CSV of line ends': () => ['a.csv', '\n'.repeat(SIZE)],
  'CSV of open quotes': () => ['a.csv', '"'.repeat(SIZE - 1)],
  'CSV of labels that are there': () => ['a.csv', `label\n${'Mr\n'.repeat(2000)}`],
  'CSV in no UTF-8': () => ['a.csv', Buffer.alloc(SIZE, 0xe9)],
  'CSV of long lines': () => ['a.csv', `${'x'.repeat(4999)}\n`.repeat(fit('x'.repeat(4999)))],
  'a name of 10,000 letters': () => [`${'x'.repeat(10_000)}.pdf`, '%PDF-1.7'],
  'no file': () => undefined,
}

/** A multipart body with one file, or with none. */
export function formOf(file) {
  const form = new FormData()
  if (file) form.append('file', new Blob([file[1]]), file[0])
  return form
}

/** Multipart bodies that no form would send. */
export const FORMS = {
  'many fields': () => {
    const form = new FormData()
    for (let i = 0; i < 20_000; i++) form.append(`f${i}`, 'x')
    return form
  },
  'many files': () => {
    const form = new FormData()
    for (let i = 0; i < 5000; i++) form.append('file', new Blob(['x']), `${i}.pdf`)
    return form
  },
  'a long field': () => {
    const form = new FormData()
    form.append('name', 'x'.repeat(SIZE))
    return form
  },
}
