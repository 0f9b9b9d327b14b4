import { problem } from '../problems.ts'
import { inThread } from './inThread.ts'
import { zipContents } from './zip.ts'

/** Rows of the first sheet as texts, numbers and booleans, its first row first; empty cells are null. */
export type Sheet = unknown[][]

const MOST_ROWS = 2000
const MOST_COLUMNS = 100
const MOST_TEXT = 5_000_000
const LARGEST = 50 * 1024 * 1024
const MOST_ENTRIES = 1000
const BOUNDS = { milliseconds: 10_000, megabytes: 256 }
const CANNOT = 'The file cannot be read as a spreadsheet: it must be an .xlsx or .csv file'

/** Reads a spreadsheet that somebody sent, in a thread of its own with bounds on memory and time: a small file can hold a bomb. */
export async function readSheet(content: Buffer, name: string): Promise<Sheet> {
  const isCsv = /\.csv$/i.test(name)
  if (!isCsv && !isSmallZip(content)) throw problem('badRequest', { message: CANNOT })
  const bounds = { most: MOST_ROWS + 2, widest: MOST_COLUMNS + 1, mostText: MOST_TEXT }
  const rows = await inThread<Sheet | 'tooMuchText'>(CODE, { content, isCsv, ...bounds }, BOUNDS)
  if (!rows) throw problem('badRequest', { message: CANNOT })
  if (rows === 'tooMuchText')
    throw problem('tooLarge', {
      message: `A sheet has at most ${MOST_TEXT.toLocaleString('en-GB')} characters`,
    })
  if (rows.length > MOST_ROWS + 1 || rows.some((row) => row.length > MOST_COLUMNS))
    throw problem('tooLarge', {
      message: `A sheet has at most ${MOST_ROWS.toLocaleString('en-GB')} rows and ${MOST_COLUMNS} columns`,
    })
  return rows
}

const CODE = `
const { parentPort, workerData } = require('node:worker_threads')
const xlsx = require(workerData.xlsx)
const { content, isCsv, most, widest, mostText } = workerData
// Texts of old programs are no UTF-8.
const decode = () => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}
const input = isCsv ? decode() : Buffer.from(content)
const options = { type: isCsv ? 'string' : 'array', raw: true, dense: true, sheetRows: most, cellFormula: false, cellHTML: false }
const book = xlsx.read(input, options)
const sheet = book.Sheets[book.SheetNames[0]]
const rows = sheet ? xlsx.utils.sheet_to_json(sheet, { header: 1, defval: null, blankrows: true, raw: true }) : []
// What is too much is not taken over, because that would hold the main thread up. One column too many is enough to refuse.
const cut = rows.map((row) => row.slice(0, widest))
const text = cut.flat().reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
parentPort.postMessage(text > mostText ? 'tooMuchText' : cut)
`

/** Whether a zip's own table of contents says that it stays small when unpacked. */
function isSmallZip(content: Buffer): boolean {
  const contents = zipContents(content)
  return contents !== undefined && contents.names.length <= MOST_ENTRIES && contents.size <= LARGEST
}
