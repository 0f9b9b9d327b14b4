import { problem } from '../problems.ts'
import { inThread } from './inThread.ts'
import { zipContents } from './zip.ts'

/** Rows of the first sheet as texts, numbers and booleans; empty cells are null. */
export type Sheet = unknown[][]

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
  const rows = await inThread<Sheet | 'tooMuchText'>(CODE, { content, isCsv, ...bounds }, THREAD_LIMITS)
  if (!rows) throw problem('badRequest', { message: UNREADABLE })
  if (rows === 'tooMuchText')
    throw problem('tooLarge', {
      message: `A sheet has at most ${MAX_CHARACTERS.toLocaleString('en-GB')} characters`,
    })
  if (rows.length > MAX_ROWS + 1 || rows.some((row) => row.length > MAX_COLUMNS))
    throw problem('tooLarge', {
      message: `A sheet has at most ${MAX_ROWS.toLocaleString('en-GB')} rows and ${MAX_COLUMNS} columns`,
    })
  return rows
}

const CODE = `
const { parentPort, workerData } = require('node:worker_threads')
const xlsx = require(workerData.xlsx)
const { content, isCsv, most, widest, mostText } = workerData
// Texts of old programs are not in UTF-8.
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
// Do not post more than the limit plus one, which is enough to refuse: a large message would block the main thread.
const cut = rows.map((row) => row.slice(0, widest))
const text = cut.flat().reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
parentPort.postMessage(text > mostText ? 'tooMuchText' : cut)
`

/** True if a zip is small when unpacked, by its central directory. */
function isSmallZip(content: Buffer): boolean {
  const contents = zipContents(content)
  return contents !== undefined && contents.names.length <= MAX_ENTRIES && contents.size <= MAX_UNPACKED_BYTES
}
