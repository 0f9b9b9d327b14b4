import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { SHEET_NAME } from '../../contract/limits.ts'

/** What spreadsheet programs show of a file: what it is, what was asked, by whom and when. */
export interface FileProperties {
  Title: string
  Subject: string
  Author: string
  CreatedDate: Date
}

/** Rows that are handed to the writing thread at once. */
const CHUNK = 200

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
 * The rows as an Excel file with one sheet, 'data', and with these document properties. A worker thread writes it, and `cellsOf` makes the cells of a few rows
 * at a time, so that other requests are served meanwhile.
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
      xlsx: createRequire(import.meta.url).resolve('xlsx'),
      sheetName: SHEET_NAME,
      properties,
    },
  })
  const written = new Promise<Uint8Array>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread that writes a sheet ended with ${code}`)))
  })
  // The rows may still be under way when it fails.
  written.catch(() => undefined)
  try {
    worker.postMessage([headings])
    for (let i = 0; i < rows.length; i += CHUNK) {
      worker.postMessage(rows.slice(i, i + CHUNK).map(cellsOf))
      await nextTurn()
    }
    worker.postMessage(null)
    return Buffer.from((await written).buffer)
  } finally {
    void worker.terminate()
  }
}
