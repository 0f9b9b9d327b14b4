import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { problem } from '../problems.ts'

/** Rows of the first sheet as texts, numbers and booleans, its first row first; empty cells are null. */
export type Sheet = unknown[][]

const MOST_ROWS = 2000
const MOST_COLUMNS = 100
const MOST_TEXT = 5_000_000
const LARGEST = 50 * 1024 * 1024
const MOST_ENTRIES = 1000
const TIMEOUT_MS = 10_000
const CANNOT = 'The file cannot be read as a spreadsheet: it must be an .xlsx or .csv file'

/** Reads a spreadsheet that somebody sent, in a thread of its own with bounds on memory and time: a small file can hold a bomb. */
export async function readSheet(content: Buffer, name: string): Promise<Sheet> {
  const isCsv = /\.csv$/i.test(name)
  if (!isCsv && !isSmallZip(content)) throw problem('badRequest', { message: CANNOT })
  const bounds = { most: MOST_ROWS + 2, widest: MOST_COLUMNS + 1, mostText: MOST_TEXT }
  const rows = await inThread({ content, isCsv, ...bounds })
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
const options = { type: isCsv ? 'string' : 'array', raw: true, sheetRows: most, cellFormula: false, cellHTML: false }
const book = xlsx.read(input, options)
const sheet = book.Sheets[book.SheetNames[0]]
const rows = sheet ? xlsx.utils.sheet_to_json(sheet, { header: 1, defval: null, blankrows: true, raw: true }) : []
// What is too much is not taken over, because that would hold the main thread up. One column too many is enough to refuse.
const cut = rows.map((row) => row.slice(0, widest))
const text = cut.flat().reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
parentPort.postMessage(text > mostText ? 'tooMuchText' : cut)
`

function inThread(workerData: {
  content: Buffer
  isCsv: boolean
  most: number
  widest: number
  mostText: number
}): Promise<Sheet | 'tooMuchText' | undefined> {
  const xlsx = createRequire(import.meta.url).resolve('xlsx')
  const worker = new Worker(CODE, {
    eval: true,
    workerData: { ...workerData, xlsx },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(undefined), TIMEOUT_MS)
    const finish = (rows: Sheet | 'tooMuchText' | undefined) => {
      clearTimeout(timer)
      resolve(rows)
      void worker.terminate()
    }
    worker.once('message', finish)
    worker.once('error', () => finish(undefined))
    worker.once('exit', () => finish(undefined))
  })
}

const END = 0x06054b50
const ENTRY = 0x02014b50

/** Whether a zip's own table of contents says that it stays small when unpacked. */
function isSmallZip(content: Buffer): boolean {
  const from = Math.max(0, content.length - 65_557)
  const end = content.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < from || content.length < end + 22 || content.readUInt32LE(end) !== END) return false
  const entries = content.readUInt16LE(end + 10)
  if (entries > MOST_ENTRIES) return false
  let at = content.readUInt32LE(end + 16)
  let size = 0
  for (let i = 0; i < entries; i++) {
    if (at + 46 > content.length || content.readUInt32LE(at) !== ENTRY) return false
    size += content.readUInt32LE(at + 24)
    at += 46 + content.readUInt16LE(at + 28) + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32)
  }
  return size <= LARGEST
}
