import { sql } from 'kysely'
import type { Call } from '../call.ts'
import { writeSheet } from '../files/writeSheet.ts'
import { readingOf } from './examineRows.ts'
import { ROW_OF_FILE, WHAT_IS_WRONG } from './mapping.ts'
import { displayed, isWrongCell } from './rowBody.ts'
import { LEAVE_OUT } from './targets.ts'
import type { RowError, Upload, UploadRow } from './upload.ts'

/** The wrong rows of an upload as they were sent, after what is wrong in each: to be corrected and uploaded once more. */
export async function annotatedSheet(call: Call, upload: Upload): Promise<Buffer> {
  const { rows } = await sql<UploadRow & { errors: RowError[] }>`select row, cells, errors from bulk_rows
    where upload = ${upload.id} and state = 'wrong' order by row`.execute(call.db)
  const { targets, date1904 } = await readingOf(call, upload)
  const fieldAt = upload.headings.map((_, i) => targets.find(({ path }) => path === upload.mapping[i])?.field)
  const shown = upload.headings.flatMap((heading, i) =>
    upload.mapping[i] === LEAVE_OUT && [WHAT_IS_WRONG, ROW_OF_FILE].includes(heading) ? [] : i,
  )
  const headings = [WHAT_IS_WRONG, ROW_OF_FILE, ...shown.map((i) => upload.headings[i])]
  const cellsOf = ({ row, cells, errors }: UploadRow & { errors: RowError[] }) => [
    errors.map(({ message }) => message).join('; '),
    row,
    ...shown.map((i) => {
      const cell = cells[i] ?? null
      // A date goes out as people write it, because only its own workbook says what the number counts from.
      const isPlain = typeof cell === 'number' && fieldAt[i]?.type !== 'date'
      return isPlain || typeof cell === 'boolean' || isWrongCell(cell)
        ? plain(cell)
        : displayed(cell, fieldAt[i], date1904)
    }),
  ]
  return writeSheet(headings, rows, cellsOf, {
    Title: `Rows to correct of ${upload.name}`,
    Subject: `Upload ${upload.id}`,
    Author: `${call.me.first_name} ${call.me.last_name}`.trim(),
    CreatedDate: new Date(),
  })
}

function plain(cell: unknown): unknown {
  return cell !== null && typeof cell === 'object' ? (cell as { value: unknown }).value : cell
}
