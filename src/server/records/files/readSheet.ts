import { problem } from '../../core/problems.ts'
import { decodeText, HOW_TO_SAVE, textReadings } from './decodeText.ts'
import { inThread } from './inThread.ts'
import { UNSTORABLE } from './unstorable.ts'
import { FORMATTED_CODE, type ReadCell, type SheetCell, writtenCell } from './writtenCell.ts'
import { zipContents } from './zip.ts'

/** Rows of the first sheet. */
export type Sheet = SheetCell[][]

interface ReadSheet {
  rows: ReadCell[][]
  date1904: boolean
}
/** The first cell that cannot be stored, and why. */
interface Unstorable {
  cell: string
  wrong: string
}

const MAX_ROWS = 2000
const MAX_COLUMNS = 100
const MAX_CHARACTERS = 5_000_000
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024
const MAX_ENTRIES = 1000
const THREAD_LIMITS = { milliseconds: 10_000, megabytes: 256 }
const UNREADABLE = 'The file cannot be read as a spreadsheet: it must be an .xlsx or .csv file'

/** Reads an uploaded spreadsheet in a thread with limited memory and time, because it may be a zip bomb. */
export async function readSheet(content: Buffer, name: string): Promise<Sheet> {
  const isCsv = /\.csv$/i.test(name)
  if (!isCsv && !isSmallZip(content)) throw problem('badRequest', { message: UNREADABLE })
  const bounds = { most: MAX_ROWS + 2, widest: MAX_COLUMNS + 1, mostText: MAX_CHARACTERS }
  const input = isCsv ? textOf(content) : content
  const data = { input, isCsv, unstorable: UNSTORABLE, ...bounds }
  const read = await inThread<ReadSheet | 'tooMuchText' | Unstorable>(CODE, data, THREAD_LIMITS)
  if (!read) throw problem('badRequest', { message: UNREADABLE })
  if (read === 'tooMuchText')
    throw problem('tooLarge', {
      message: `A sheet has at most ${MAX_CHARACTERS.toLocaleString('en-GB')} characters`,
    })
  if ('cell' in read) throw problem('badRequest', { message: `Cell ${read.cell} ${read.wrong}` })
  const { rows, date1904 } = read
  if (rows.length > MAX_ROWS + 1 || rows.some((row) => row.length > MAX_COLUMNS))
    throw problem('tooLarge', {
      message: `A sheet has at most ${MAX_ROWS.toLocaleString('en-GB')} rows and ${MAX_COLUMNS} columns`,
    })
  return rows.map((row) => row.map((cell) => writtenCell(cell, date1904)))
}

/** The text of a CSV file; throws if its encoding is unclear, because there is nobody to ask between two calls. */
function textOf(content: Buffer): string {
  const read = textReadings(content)
  if ('clear' in read) return decodeText(content, read.clear)
  if (read.possible.length === 0) throw problem('badRequest', { message: UNREADABLE })
  const words = read.possible.flatMap((one) => one.words.slice(0, 1).map((word) => `'${word}'`))
  const unclear = `The file does not say how its letters are stored: a word of it may be ${words.join(' or ')}`
  throw problem('badRequest', { message: `${unclear}. ${HOW_TO_SAVE}` })
}

const CODE = `
const { parentPort, workerData } = require('node:worker_threads')
const xlsx = require(workerData.xlsx)
const { isCsv, most, widest, mostText } = workerData
const input = isCsv ? workerData.input : Buffer.from(workerData.input)
const unstorable = workerData.unstorable.map(([pattern, wrong]) => [new RegExp(pattern, 'u'), wrong])
const options = { type: isCsv ? 'string' : 'array', raw: true, dense: true, sheetRows: most, cellFormula: false, cellHTML: false, cellNF: true }
const book = xlsx.read(input, options)
const sheet = book.Sheets[book.SheetNames[0]]
${FORMATTED_CODE}
const rows = sheet ? xlsx.utils.sheet_to_json(sheet, { header: 1, defval: null, blankrows: true, raw: true }) : []
const first = sheet?.['!ref'] ? xlsx.utils.decode_range(sheet['!ref']).s : { r: 0, c: 0 }
// Rows below the first begin with its column and row, and may be without cells.
for (const [r, row] of rows.entries())
  for (const [c, cell] of row.entries())
    if (typeof cell === 'number') row[c] = formatted(sheet['!data'][r + first.r][c + first.c])
// Do not post more than the limit plus one, which is enough to refuse: a large message would block the main thread.
const cut = rows.map((row) => row.slice(0, widest))
const text = cut.flat().reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
const wrongOf = (cell) => typeof cell === 'string' && unstorable.find(([pattern]) => pattern.test(cell))?.[1]
const findWrong = () => {
  for (const [r, row] of cut.entries())
    for (const [c, cell] of row.entries()) {
      const wrong = wrongOf(cell)
      if (wrong) return { cell: xlsx.utils.encode_cell({ r, c }), wrong }
    }
}
parentPort.postMessage(text > mostText ? 'tooMuchText' : (findWrong() ?? { rows: cut, date1904: book.Workbook?.WBProps?.date1904 === true }))
`

/** True if a zip is small when unpacked, by its central directory. */
function isSmallZip(content: Buffer): boolean {
  const contents = zipContents(content)
  return contents !== undefined && contents.names.length <= MAX_ENTRIES && contents.size <= MAX_UNPACKED_BYTES
}
