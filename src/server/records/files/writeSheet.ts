import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { SHEET_NAME } from '../../../contract/limits.ts'
import { XLSX_PROGRAM } from './xlsxProgram.ts'

/** Document properties of a workbook: its title, the request in words, and its author and time. */
interface FileProperties {
  Title: string
  Subject: string
  Author: string
  CreatedDate: Date
}

const ROWS_PER_MESSAGE = 200

/** Longest text of a cell in Excel, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 32_767
const CUT_MARK = '… (cut)'

const CODE = `
const { parentPort, workerData } = require('node:worker_threads')
const xlsx = require(workerData.xlsx)
const sheet = xlsx.utils.aoa_to_sheet([])
let next = 0
parentPort.on('message', (rows) => {
  if (rows) {
    xlsx.utils.sheet_add_aoa(sheet, rows, { origin: next })
    next += rows.length
    return
  }
  const book = xlsx.utils.book_new()
  book.Props = workerData.properties
  xlsx.utils.book_append_sheet(book, sheet, workerData.sheetName)
  const content = new Uint8Array(xlsx.write(book, { type: 'array', bookType: 'xlsx' }))
  parentPort.postMessage(content, [content.buffer])
})
`

/**
 * Writes rows to an Excel file with one sheet, 'data', and these document properties. A worker thread writes it, and
 * `cellsOf` makes the cells of a few rows at a time, so that other requests are served meanwhile.
 */
export async function writeSheet<Row>(
  headings: unknown[],
  rows: Row[],
  cellsOf: (row: Row) => unknown[],
  properties: FileProperties,
): Promise<Buffer> {
  const worker = new Worker(CODE, {
    eval: true,
    workerData: {
      xlsx: XLSX_PROGRAM,
      sheetName: SHEET_NAME,
      properties,
    },
  })
  const written = new Promise<Uint8Array>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread that writes a sheet ended with ${code}`)))
  })
  // It may reject before it is awaited, while rows are still being posted.
  written.catch(() => undefined)
  try {
    worker.postMessage([headings])
    for (let i = 0; i < rows.length; i += ROWS_PER_MESSAGE) {
      worker.postMessage(rows.slice(i, i + ROWS_PER_MESSAGE).map((row) => cellsOf(row).map(cutLongText)))
      await nextTurn()
    }
    worker.postMessage(null)
    return Buffer.from((await written).buffer)
  } finally {
    void worker.terminate()
  }
}

function cutLongText(cell: unknown): unknown {
  if (typeof cell !== 'string' || cell.length <= MAX_TEXT_LENGTH) return cell
  return cell.slice(0, MAX_TEXT_LENGTH - CUT_MARK.length).replace(/\p{Cs}$/u, '') + CUT_MARK
}
