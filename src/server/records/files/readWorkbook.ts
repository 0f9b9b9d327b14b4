import { decodeText, type Encoding, HOW_TO_SAVE, type TextReading, textReadings } from './decodeText.ts'
import { inThread } from './inThread.ts'
import { type OfficeFault, officeFault } from './officeFile.ts'
import { UNSTORABLE } from './unstorable.ts'
import { FORMATTED_CODE, type ReadCell } from './writtenCell.ts'

/** A row of a sheet: Excel's number of the row, its cells, and 1 if the row is hidden or filtered out. */
export type ReadRow = [row: number, cells: ReadCell[], hidden: 0 | 1]

/** A sheet with headings in its first row. */
export interface SheetTable {
  headings: string[]
  /** Batches of ReadRow as JSON, so that they are built one after the other. */
  chunks: string[]
  total: number
  /** True if dates count from 1904. */
  date1904: boolean
  /** Readings of a text in an unclear encoding, of which the first was used. */
  encodings: TextReading[]
  /** Custom properties of the workbook, such as the case type of a template. */
  properties: Record<string, unknown>
}

export const MAX_ROWS = 10_000
const MAX_COLUMNS = 300
const MAX_CHARACTERS = 20_000_000
const THREAD_LIMITS = { milliseconds: 30_000, megabytes: 400 }
const ROWS_PER_CHUNK = 500

const NO_SPREADSHEET = 'The file cannot be read as a spreadsheet: it must be an .xlsx or .csv file'
const NO_TEXT = `The letters of the file cannot be read. ${HOW_TO_SAVE}`
const TOO_LARGE = 'The file is too large to be read: split it into several'
const MACROS = 'The file holds macros: save it as an .xlsx workbook without them'
const FAULT_MESSAGES: Record<OfficeFault, string> = {
  other: NO_SPREADSHEET,
  macros: MACROS,
  tooLarge: TOO_LARGE,
}

/**
 * Reads the sheet 'data' of a workbook, or its only one, in a limited thread; returns a sentence if it is refused.
 * `encoding` is what a person said of a text whose encoding is unclear.
 */
export async function readWorkbook(
  content: Buffer,
  name: string,
  encoding?: Encoding,
): Promise<SheetTable | string> {
  const isCsv = /\.csv$/i.test(name)
  const fault = isCsv ? undefined : officeFault(content, 'xl/')
  if (fault) return FAULT_MESSAGES[fault]
  const read = isCsv ? textReadings(content) : undefined
  const encodings = read && 'possible' in read ? read.possible : []
  const chosen = read && 'clear' in read ? read.clear : (encoding ?? encodings[0]?.encoding)
  if (isCsv && !chosen) return NO_TEXT
  const data = {
    input: chosen ? decodeText(content, chosen) : content,
    isCsv,
    unstorable: UNSTORABLE,
    mostRows: MAX_ROWS,
    mostColumns: MAX_COLUMNS,
    mostText: MAX_CHARACTERS,
    chunk: ROWS_PER_CHUNK,
  }
  const table = await inThread<Omit<SheetTable, 'encodings'> | string>(CODE, data, THREAD_LIMITS)
  if (table === undefined) return TOO_LARGE
  return typeof table === 'string' ? table : { ...table, encodings }
}

const CODE = `
const { parentPort, workerData } = require('node:worker_threads')
const xlsx = require(workerData.xlsx)
const { isCsv, mostRows, mostColumns, mostText, chunk } = workerData
const number = (n) => n.toLocaleString('en-GB')
const unstorable = workerData.unstorable.map(([pattern, wrong]) => [new RegExp(pattern, 'u'), wrong])
const NO_SPREADSHEET = ${JSON.stringify(NO_SPREADSHEET)}
function read() {
  const input = isCsv ? workerData.input : Buffer.from(workerData.input)
  const type = isCsv ? 'string' : 'array'
  let sheetName
  let properties = {}
  if (!isCsv) {
    const { SheetNames, Custprops } = xlsx.read(input, { type, bookSheets: true, bookProps: true })
    properties = Custprops ?? {}
    sheetName = SheetNames.find((name) => name.trim().toLowerCase() === 'data') ?? SheetNames[0]
    if (sheetName === undefined) return NO_SPREADSHEET
    if (sheetName.trim().toLowerCase() !== 'data' && SheetNames.length > 1)
      return "The file has " + SheetNames.length + " sheets: call the one with the cases 'data', or delete the others"
  }
  const book = xlsx.read(input, {
    type, raw: true, dense: true, sheetRows: mostRows + 2, cellFormula: true, cellHTML: false, cellText: false,
    // The formats of numbers, to know dates; and styles, because only with them are hidden rows marked.
    cellNF: true, cellStyles: true,
    ...(sheetName !== undefined && { sheets: [sheetName] }),
  })
  const sheet = book.Sheets[sheetName ?? book.SheetNames[0]]
  const grid = sheet && sheet['!data']
  if (!grid || !grid.some((row) => row && row.some(isFilled))) return 'The file is empty'
  const merged = sheet['!merges'] ?? []
  if (merged.some(({ s }) => s.r === 0)) return 'Headings are merged: each column needs a heading of its own in row 1'
  if (merged.length > 0)
    return 'Cells ' + xlsx.utils.encode_range(merged[0]) + ' are merged: split them, so that each row has its own values'
  const headings = (grid[0] ?? []).map((cell) => String(isFilled(cell) ? cell.v : '').trim().slice(0, 300))
  if (!headings.some(Boolean)) return 'The first row must hold the headings'
  for (const [i, heading] of headings.entries()) {
    const wrong = wrongOf(heading)
    if (wrong) return 'Cell ' + xlsx.utils.encode_col(i) + '1 ' + wrong
  }
  const seen = new Map()
  for (const [i, heading] of headings.entries()) {
    const key = (heading ?? '').toLowerCase()
    if (!key) continue
    if (seen.has(key))
      return "Columns " + xlsx.utils.encode_col(seen.get(key)) + " and " + xlsx.utils.encode_col(i)
        + " have the same heading '" + heading + "': give each its own"
    seen.set(key, i)
  }
  const rows = []
  let width = headings.length
  let text = 0
  for (let r = 1; r < grid.length; r++) {
    const row = grid[r]
    if (!row || !row.some(isFilled)) continue
    if (rows.length === mostRows) return 'A file has at most ' + number(mostRows) + ' rows: split it into several'
    const cells = Array.from(row, compact)
    while (cells.length > 0 && cells[cells.length - 1] === null) cells.pop()
    width = Math.max(width, cells.length)
    if (width > mostColumns) return 'A file has at most ' + mostColumns + ' columns'
    for (const cell of cells) if (typeof cell === 'string') text += cell.length
    if (text > mostText) return 'A file has at most ' + number(mostText) + ' characters: split it into several'
    rows.push([r + 1, cells, sheet['!rows']?.[r]?.hidden ? 1 : 0])
  }
  if (rows.length === 0) return 'The file has headings, but no rows below them'
  const chunks = []
  for (let i = 0; i < rows.length; i += chunk) chunks.push(JSON.stringify(rows.slice(i, i + chunk)))
  return {
    headings: Array.from({ length: width }, (_, i) => headings[i] ?? ''),
    chunks,
    total: rows.length,
    date1904: book.Workbook?.WBProps?.date1904 === true,
    properties,
  }
}
function wrongOf(text) {
  return unstorable.find(([pattern]) => pattern.test(text))?.[1]
}
${FORMATTED_CODE}function isFilled(cell) {
  return cell !== undefined && cell !== null && cell.v !== undefined && cell.v !== null && cell.v !== ''
}
const ERRORS = { 0: '#NULL!', 7: '#DIV/0!', 15: '#VALUE!', 23: '#REF!', 29: '#NAME?', 36: '#NUM!', 42: '#N/A' }
function compact(cell) {
  if (cell && cell.f) return { wrong: 'holds a formula: put its value there instead', value: '=' + String(cell.f).slice(0, 200) }
  if (!isFilled(cell)) return null
  if (cell.t === 'e') return { wrong: 'holds an error of the spreadsheet', value: ERRORS[cell.v] ?? '#ERROR' }
  if (typeof cell.v === 'number') {
    return Number.isFinite(cell.v) ? formatted(cell) : null
  }
  if (cell.t !== 's') return cell.v
  const value = String(cell.v)
  if (value.length > 20000) return { wrong: 'holds more than 20,000 characters', value: value.slice(0, 100) }
  const wrong = wrongOf(value)
  if (wrong) return { wrong, value: value.replace(/[\\p{C}\uFFFD]/gu, '�').slice(0, 100) }
  return value.trim() === '' ? null : value
}
let answer
try {
  answer = read()
} catch {
  answer = NO_SPREADSHEET
}
parentPort.postMessage(answer)
`
